package rng

import (
	"math/rand/v2"
	"testing"
)

type fillFunc func(k Key, dst []uint32, first uint64, iteration, purpose uint32)

// checkFill compares every way to fill with Block, and looks at the words
// before and after the destination.
func checkFill(t *testing.T, k Key, blocks int, first uint64, iteration, purpose uint32) {
	t.Helper()
	paths := fillPaths()
	paths["dispatched"] = Key.Fill
	for name, fill := range paths {
		const guard = 0xdeadbeef
		buffer := make([]uint32, 4*blocks+2)
		buffer[0], buffer[len(buffer)-1] = guard, guard
		dst := buffer[1 : len(buffer)-1]
		fill(k, dst, first, iteration, purpose)
		if buffer[0] != guard || buffer[len(buffer)-1] != guard {
			t.Fatalf("%s: %d blocks written beyond the destination", name, blocks)
		}
		for i := range blocks {
			j := first + uint64(i)
			want := k.Block(uint32(j), iteration, purpose, uint32(j>>32))
			if got := [4]uint32(dst[4*i:]); got != want {
				t.Fatalf("%s: block %d of %d from %#x, key %x, iteration %d, purpose %d: got %08x, want %08x",
					name, i, blocks, first, k, iteration, purpose, got, want)
			}
		}
	}
}

func TestFillAllLengths(t *testing.T) {
	for blocks := range 201 {
		checkFill(t, NewKey(1), blocks, 0, 2, 3)
	}
}

// The upper half of a block's number is a counter word of its own: a fill must
// carry into it, and wrap around at 2^64.
func TestFillCarries(t *testing.T) {
	for before := range uint64(40) {
		for _, border := range []uint64{1 << 32, 5 << 32, 1 << 63, 0} {
			checkFill(t, NewKey(1<<63+1), 40, border-before, 0xffffffff, 0)
		}
	}
}

func TestFillRandomArguments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		checkFill(t, NewKey(r.Uint64()), r.IntN(100), r.Uint64()>>r.IntN(64), r.Uint32(), r.Uint32())
	}
}

func TestFillRefusesPartsOfBlocks(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a fill of five words did not panic")
		}
	}()
	NewKey(1).Fill(make([]uint32, 5), 0, 0, 0)
}

func BenchmarkFill(b *testing.B) {
	dst := make([]uint32, 4096)
	for name, fill := range fillPaths() {
		b.Run(name, func(b *testing.B) {
			words := 0
			for i := uint64(0); b.Loop(); i++ {
				fill(NewKey(1), dst, i, 1, 2)
				words += len(dst)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(words), "ns/word")
		})
	}
}
