package cuda

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/emulate"
	"github.com/topoi-lda/topoi/internal/rng"
)

// emulator runs a module's kernels on the CPU for a test, which is skipped where
// that cannot be done.
func emulator(t *testing.T, module string) *emulate.Emulator {
	t.Helper()
	emulate.Need(t, emulate.Available())
	program, err := emulate.Compile("kernels", module)
	must(t, err)
	e, err := emulate.Start(program)
	must(t, err)
	t.Cleanup(func() { must(t, e.Close()) })
	return e
}

func TestEmulatedPhiloxEqualsGo(t *testing.T) {
	e := emulator(t, "philox")
	key := rng.NewKey(0xfedcba9876543210)
	const n = 1000
	out := make([]uint32, 4*n)
	must(t, e.Launch("philox_blocks", 2, 64, out, uint32(n), key[0], key[1], uint32(1), uint32(2), uint32(3)))
	for i := range n {
		if want := key.Block(uint32(i), 1, 2, 3); [4]uint32(out[4*i:]) != want {
			t.Fatalf("block %d is %08x, want %08x", i, out[4*i:4*i+4], want)
		}
	}
	counts, want := make([]uint32, 100), make([]uint32, 100)
	must(t, e.Launch("philox_histogram", 3, 64, counts, uint32(100), uint32(n), key[0], key[1]))
	for i := range uint32(n) {
		want[rng.Below(key.Block(i, 0, 0, 0)[0], 100)]++
	}
	if !slices.Equal(counts, want) {
		t.Errorf("got %v, want %v", counts, want)
	}
}
