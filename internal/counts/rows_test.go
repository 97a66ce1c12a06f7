package counts

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/topic"
)

// Columns must be the rows turned, however small the parts, in any order of topics.
func TestColumnsAreRowsTurned(t *testing.T) {
	r := SparseRows{Topics: 5}
	for w := range 40 {
		for k := range 5 {
			if (w*7+k*3)%4 == 0 {
				r.Entries = append(r.Entries, topic.Count{Topic: uint32(k), Count: uint32(1 + w%3)})
			}
		}
		r.Ends = append(r.Ends, uint64(len(r.Entries)))
	}
	want := make([][]topic.WordCount, 5)
	for w := range r.Ends {
		for _, e := range r.Row(w) {
			want[e.Topic] = append(want[e.Topic], topic.WordCount{Word: uint32(w), Count: e.Count})
		}
	}
	for _, most := range []int{0, 1, 7, 1 << 20} {
		for _, topics := range [][]int{nil, {}, {3}, {4, 0, 2}, {0, 1, 2, 3, 4}} {
			var order []int
			for k, column := range r.columns(topics, most) {
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
		for range r.columns(nil, most) {
			break // must not be called again
		}
	}
}
