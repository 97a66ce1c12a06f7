package blob

import (
	"errors"
	"slices"
	"testing"
)

// Statistics of several slices add up, whichever has the larger counts.
func TestStatistics(t *testing.T) {
	id := ID{Kind: Statistics, Job: 5, Round: 7, Topics: 3}
	a := EncodeStatistics(id, []uint64{1, 0, 1 << 40}, []uint64{0, 3})
	b := EncodeStatistics(id, []uint64{2, 9, 1}, []uint64{0, 200, 0, 1})
	for _, order := range [][][]byte{{a, b}, {b, a}} {
		totals, counted := make([]uint64, 3), []uint64(nil)
		for _, one := range order {
			var err error
			if counted, err = AddStatistics(totals, counted, one, id); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(totals, []uint64{3, 9, 1<<40 + 1}) || !slices.Equal(counted, []uint64{0, 203, 0, 1}) {
			t.Errorf("n_k %v, counts %v", totals, counted)
		}
	}
	if _, err := AddStatistics(make([]uint64, 3), nil, a, ID{Kind: Statistics, Job: 5, Round: 8, Topics: 3}); !errors.Is(err, ErrIdentity) {
		t.Errorf("those of another round: %v", err)
	}
}

// Numbers that are too few, too many or cut short are refused, with the checksum of what is there.
func TestStatisticsDamage(t *testing.T) {
	id := ID{Kind: Statistics, Topics: 2}
	whole := EncodeStatistics(id, []uint64{1, 300}, []uint64{0, 4})
	for name, change := range map[string]func(b []byte){
		"a number too few":  func(b []byte) { b[40]-- },
		"a number too many": func(b []byte) { b[40]++ },
		"very many numbers": func(b []byte) { b[47] = 0x7f },
		"fewer than topics": func(b []byte) { b[40] = 1 },
		"cut short":         func(b []byte) { b[len(b)-digestBytes-1] = 0x80 },
	} {
		if _, err := AddStatistics(make([]uint64, 2), nil, resealed(whole, change), id); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
