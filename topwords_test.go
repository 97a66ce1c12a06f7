package topoi

import (
	"maps"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/topic"
)

func TestTopOf(t *testing.T) {
	var column []topic.WordCount
	for w := range 200 {
		column = append(column, topic.WordCount{Word: uint32(w), Count: uint32(1 + w*7919%23)})
	}
	sorted := slices.SortedStableFunc(slices.Values(column), func(a, b topic.WordCount) int { return int(b.Count) - int(a.Count) })
	for _, n := range []int{-1, 0, 1, 2, 9, 99, 200, 300} {
		got := topOf([]topic.WordCount{{Word: 7, Count: 7}}, column, n)
		if got[0] != (topic.WordCount{Word: 7, Count: 7}) || !slices.Equal(got[1:], sorted[:max(0, min(n, 200))]) {
			t.Errorf("n = %d: %v", n, got)
		}
	}
}

func TestLargestTopics(t *testing.T) {
	m := handModel(5)
	all := m.LargestTopics(0)
	if !slices.IsSortedFunc(all, func(a, b int) int { return int(m.has.Totals[b]) - int(m.has.Totals[a]) }) || len(maps.Collect(slices.All(all))) != 5 {
		t.Errorf("%v with %v tokens", all, m.has.Totals)
	}
	if two := m.LargestTopics(2); !slices.Equal(two, all[:2]) {
		t.Errorf("%v, want %v", two, all[:2])
	}
}
