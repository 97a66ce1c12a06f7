package topicmap

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// The first elements are those of a stable sort.
func TestFirst(t *testing.T) {
	type element struct{ key, place int }
	by := func(a, b element) int { return cmp.Compare(a.key, b.key) }
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		list := make([]element, r.IntN(30))
		for i := range list {
			list[i] = element{r.IntN(8), i}
		}
		sorted := slices.Clone(list)
		slices.SortStableFunc(sorted, by)
		for _, n := range []int{-1, 0, 1, 5, 40} {
			if got, want := first(list, n, by), sorted[:max(0, min(n, len(list)))]; !slices.Equal(got, want) {
				t.Fatalf("the first %d of %v are %v, want %v", n, list, got, want)
			}
		}
	}
}
