package rank

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// The n first words are the beginning of the whole list, with many equal scores as well.
func TestTopIsSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		words := make([]Word, r.IntN(60))
		for i := range words {
			words[i] = Word{Word: i, Count: uint32(r.IntN(3)), Lift: float64(r.IntN(6))}
		}
		sorted := slices.Clone(words)
		slices.SortStableFunc(sorted, func(a, b Word) int { return cmp.Or(cmp.Compare(b.Lift, a.Lift), cmp.Compare(b.Count, a.Count)) })
		for _, n := range []int{-1, 0, 1, 7, 100} {
			if got := top(words, Order{Measure: Lift}, n); !slices.Equal(got, sorted[:max(0, min(n, len(sorted)))]) {
				t.Fatalf("the first %d of %d words are %v", n, len(words), got)
			}
		}
	}
}
