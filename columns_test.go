package topoi

import (
	"maps"
	"slices"
	"testing"
)

// Columns must be the rows turned, however small the parts, in any order of topics.
func TestColumnsAreRowsTurned(t *testing.T) {
	m := handModel(5)
	want := make([][]WordCount, 5)
	for w := range m.NumWords() {
		for _, e := range m.Row(w) {
			want[e.Topic] = append(want[e.Topic], WordCount{uint32(w), e.Count})
		}
	}
	for _, most := range []int{0, 1, 7, 1 << 20} {
		for _, topics := range [][]int{nil, {}, {3}, {4, 0, 2}, {0, 1, 2, 3, 4}} {
			var order []int
			for k, column := range m.columns(topics, most) {
				order = append(order, k)
				if !slices.Equal(column, want[k]) {
					t.Errorf("most %d, topic %d: %v, want %v", most, k, column, want[k])
				}
			}
			if topics == nil {
				topics = []int{0, 1, 2, 3, 4}
			}
			if !slices.Equal(order, topics) {
				t.Errorf("most %d: order %v, want %v", most, order, topics)
			}
		}
		for range m.columns(nil, most) {
			break // must not be called again
		}
	}
}

func TestTopOf(t *testing.T) {
	var column []WordCount
	for w := range 200 {
		column = append(column, WordCount{uint32(w), uint32(1 + w*7919%23)})
	}
	sorted := slices.SortedStableFunc(slices.Values(column), func(a, b WordCount) int { return int(b.Count) - int(a.Count) })
	for _, n := range []int{-1, 0, 1, 2, 9, 99, 200, 300} {
		got := topOf([]WordCount{{7, 7}}, column, n)
		if got[0] != (WordCount{7, 7}) || !slices.Equal(got[1:], sorted[:max(0, min(n, 200))]) {
			t.Errorf("n = %d: %v", n, got)
		}
	}
}

func TestLargestTopics(t *testing.T) {
	m := handModel(5)
	all := m.LargestTopics(0)
	if !slices.IsSortedFunc(all, func(a, b int) int { return int(m.totals[b]) - int(m.totals[a]) }) || len(maps.Collect(slices.All(all))) != 5 {
		t.Errorf("%v with %v tokens", all, m.totals)
	}
	if two := m.LargestTopics(2); !slices.Equal(two, all[:2]) {
		t.Errorf("%v, want %v", two, all[:2])
	}
}
