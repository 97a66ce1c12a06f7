package device_test

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
)

// A list that is made in pieces arrives whole, whatever its numbers and wherever it may be cut.
func TestFeed(t *testing.T) {
	defer device.PiecesOf(40)()
	if ends := device.EvenPieces[uint16](101); !slices.Equal(ends, []int{20, 40, 60, 80, 100, 101}) {
		t.Errorf("pieces of 20 end at %v", ends)
	}
	ends := device.Pieces[uint64]([]int{0, 2, 2, 3, 9, 0, 1, 4, 1, 1})
	if !slices.Equal(ends, []int{4, 7, 16, 21, 23}) {
		t.Errorf("pieces of 5 end at %v", ends)
	}
	eachDevice(t, func(t *testing.T, d *device.Device) {
		a, f := arena(t, d), d.NewFeed()
		even, cut := device.Alloc[uint16](a, 50_001), device.Alloc[uint64](a, 23)
		must(t, a.Err())
		for turn := range 2 {
			must(t, device.Pour(f, even, device.EvenPieces[uint16](50_001), func(first, last int, piece []uint16) {
				for i := range piece[:last-first] {
					piece[i] = uint16((7 + turn) * (first + i))
				}
			}))
			must(t, device.Pour(f, cut, ends, func(first, _ int, piece []uint64) {
				for i := range piece {
					piece[i] = uint64(first+i) << 40
				}
			}))
		}
		shorts, longs := make([]uint16, 50_001), make([]uint64, 23)
		must(t, device.FirstError(device.Pull(f, even, shorts, 3), device.Pull(f, cut, longs, 2)))
		for i, x := range shorts {
			if x != uint16(8*i) || i < 23 && longs[i] != uint64(i)<<40 {
				t.Fatalf("number %d is %d and %d", i, x, longs[min(i, 22)])
			}
		}
		back := make([]uint16, len(shorts))
		slices.Reverse(shorts)
		must(t, device.FirstError(device.Push(f, even, shorts, 3), device.Pull(f, even, back, 1), f.Close()))
		if !slices.Equal(back, shorts) {
			t.Error("what was pushed is not what is pulled")
		}
	})
}
