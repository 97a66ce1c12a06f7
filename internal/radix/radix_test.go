package radix

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSorter(t *testing.T) {
	var s Sorter
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{1, 2, 256, 257, 70000, 1 << 24, 1<<32 - 1}).Draw(t, "limit")
		ids := rapid.SliceOfN(rapid.Uint32Range(0, uint32(limit-1)), 0, 300).Draw(t, "ids")
		want := slices.Sorted(slices.Values(ids))
		s.Sort(ids, limit)
		if !slices.Equal(ids, want) {
			t.Fatalf("%v, want %v", ids, want)
		}
	})
}
