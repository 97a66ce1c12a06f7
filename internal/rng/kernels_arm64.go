//go:build arm64 && !noasm

package rng

import "github.com/topoi-lda/topoi/internal/simd"

// blocksNEON is blocksGo.
//
//go:noescape
func blocksNEON(a *blocksArgs)

// fillNEON is fillGo for a number of blocks that is a multiple of 8.
//
//go:noescape
func fillNEON(dst *uint32, blocks int, keys *schedule, firstBlock uint64, iteration, purpose uint32)

func (Key) blocksVector(dst *Words, c0 []uint32, c1, c2 uint32, c3 []uint32, keys *schedule) {
	a := blocksArgs{
		dst: [4]*uint32{&dst[0][0], &dst[1][0], &dst[2][0], &dst[3][0]},
		c0:  &c0[0], c1: c1, c2: c2, c3: &c3[0], n: len(c0), keys: keys,
	}
	blocksNEON(&a)
}

// fillVector fills as many blocks as fill whole registers, and returns how many.
func (k Key) fillVector(dst []uint32, firstBlock uint64, iteration, purpose uint32) int {
	blocks := len(dst) / 4 &^ 7
	if !simd.NEON || blocks == 0 {
		return 0
	}
	keys := k.schedule()
	fillNEON(&dst[0], blocks, &keys, firstBlock, iteration, purpose)
	return blocks
}
