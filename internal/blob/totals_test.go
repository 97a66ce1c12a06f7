package blob

import (
	"errors"
	"slices"
	"testing"
)

// n_k are added up as they were written, and a blob of other topics, or a damaged one, adds nothing.
func TestTotals(t *testing.T) {
	id := ID{Kind: Totals, Job: 7, Round: 3, Slice: 2, Part: 1, Topics: 4}
	b := EncodeTotals(id, []uint64{0, 1, 1 << 20, 1<<32 - 1})
	sum := []uint64{5, 0, 1, 1}
	if err := AddTotals(sum, b, id); err != nil || !slices.Equal(sum, []uint64{5, 1, 1<<20 + 1, 1 << 32}) {
		t.Fatalf("%v, %v", sum, err)
	}
	other := id
	other.Round++
	for name, fault := range map[string]struct {
		b      []byte
		id     ID
		topics int
		want   error
	}{
		"other round": {b, other, 4, ErrIdentity},
		"cut short":   {b[:len(b)-1], id, 4, ErrDamaged},
		"bit flipped": {func() []byte { c := slices.Clone(b); c[60] ^= 1; return c }(), id, 4, ErrDamaged},
		"topics":      {b, id, 5, ErrDamaged},
	} {
		sum := make([]uint64, fault.topics)
		if err := AddTotals(sum, fault.b, fault.id); !errors.Is(err, fault.want) || slices.Max(sum) > 0 {
			t.Errorf("%s: %v, %v", name, sum, err)
		}
	}
}
