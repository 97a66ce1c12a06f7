package protocol

import (
	"testing"
)

// Sums are for many parts on many workers; if nobody knows how many, for many parts.
func TestSummed(t *testing.T) {
	for _, test := range []struct {
		parts, workers int
		want           bool
	}{
		{4, 0, false},
		{5, 0, true},
		{5, 1, true},
		{64, 2, false},
		{11, 3, false},
		{12, 3, true},
		{7, 4, false},
		{8, 4, true},
		{24, 24, true},
		{4, 100, false},
	} {
		if got := Summed(test.parts, test.workers); got != test.want {
			t.Errorf("%d parts on %d workers: %v", test.parts, test.workers, got)
		}
	}
}
