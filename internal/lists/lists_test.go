package lists

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestOfAndUpto(t *testing.T) {
	if got := Of(Upto(4), func(i int) string { return string(rune('a' + i)) }); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("got %q", got)
	}
	if got := Of(Upto(0), func(i int) int { return i }); got == nil || len(got) != 0 {
		t.Errorf("of no elements: %#v", got)
	}
}

// First gives what sorting everything gives.
func TestFirst(t *testing.T) {
	type pair struct{ key, came int }
	compare := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.IntRange(0, 9)).Draw(t, "keys")
		n := rapid.IntRange(-1, 12).Draw(t, "n")
		first := NewFirst(n, compare)
		var all []pair
		for i, key := range keys {
			first.Add(pair{key, i})
			all = append(all, pair{key, i})
		}
		slices.SortStableFunc(all, compare)
		if want := all[:max(0, min(n, len(all)))]; !slices.Equal(first.List(), want) {
			t.Fatalf("the first %d of %v are %v, not %v", n, keys, want, first.List())
		}
	})
}
