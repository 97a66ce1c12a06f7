package counts

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/topic"
)

func TestTop(t *testing.T) {
	var column []topic.WordCount
	for w := range 200 {
		column = append(column, topic.WordCount{Word: uint32(w), Count: uint32(1 + w*7919%23)})
	}
	sorted := slices.SortedStableFunc(slices.Values(column), func(a, b topic.WordCount) int { return int(b.Count) - int(a.Count) })
	for _, n := range []int{-1, 0, 1, 2, 9, 99, 200, 300} {
		got := Top([]topic.WordCount{{Word: 7, Count: 7}}, column, n)
		if got[0] != (topic.WordCount{Word: 7, Count: 7}) || !slices.Equal(got[1:], sorted[:max(0, min(n, 200))]) {
			t.Errorf("n = %d: %v", n, got)
		}
	}
}
