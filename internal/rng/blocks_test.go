package rng

import (
	"math/rand/v2"
	"testing"
)

func TestBlocksAllLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 100 {
		k, c1, c2 := NewKey(r.Uint64()), r.Uint32(), r.Uint32()
		c0, c3 := make([]uint32, n), make([]uint32, n)
		for i := range c0 {
			c0[i], c3[i] = r.Uint32(), r.Uint32()
		}
		const guard = 0xdeadbeef
		var dst Words
		for j := range dst {
			dst[j] = make([]uint32, n+1)
			dst[j][n] = guard
		}
		k.Blocks(&dst, c0, c1, c2, c3)
		for i := range n {
			want := k.Block(c0[i], c1, c2, c3[i])
			if got := [4]uint32{dst[0][i], dst[1][i], dst[2][i], dst[3][i]}; got != want {
				t.Fatalf("block %d of %d: got %08x, want %08x", i, n, got, want)
			}
		}
		for j := range dst {
			if dst[j][:n+1][n] != guard {
				t.Fatalf("%d blocks: written beyond the end of word %d", n, j)
			}
		}
	}
}

func BenchmarkBlocks(b *testing.B) {
	const n = 1024
	c0, c3 := make([]uint32, n), make([]uint32, n)
	dst := Words{make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint32, n)}
	blocks := 0
	for b.Loop() {
		NewKey(1).Blocks(&dst, c0, 1, 2, c3)
		blocks += n
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(blocks), "ns/block")
}
