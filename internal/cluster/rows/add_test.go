package rows

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/counts"
)

// A row with changes added is what adding topic by topic gives, and a count below zero
// is noticed.
func TestAppendSum(t *testing.T) {
	const topics = 24
	rapid.Check(t, func(t *rapid.T) {
		sign := rapid.SampledFrom([]int32{1, -1}).Draw(t, "sign")
		kept := []counts.Entry{{Topic: 7, Count: 7}}
		var row, want []counts.Entry
		var changes []counts.Change
		possible := true
		for k := range uint32(topics) {
			n := rapid.Uint32Max(2).Draw(t, "count")
			d := rapid.Int32Range(-3, 3).Draw(t, "change")
			if n > 0 {
				row = append(row, counts.Entry{Topic: k, Count: n})
			}
			if d != 0 {
				changes = append(changes, counts.Change{Topic: k, Delta: d})
			}
			if sum := int32(n) + sign*d; sum != 0 {
				want = append(want, counts.Entry{Topic: k, Count: uint32(sum)})
				possible = possible && sum > 0
			}
		}
		got, ok := appendSum(slices.Clone(kept), row, changes, sign)
		if !slices.Equal(got, append(kept, want...)) || ok != possible {
			t.Fatalf("%v with %d times %v: %v, %v; want %v, %v", row, sign, changes, got, ok, want, possible)
		}
	})
}
