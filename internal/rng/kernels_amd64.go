//go:build amd64 && !noasm

package rng

import "github.com/topoi-lda/topoi/internal/simd"

// blocksAVX512 is blocksGo for n > 0 blocks.
//
//go:noescape
func blocksAVX512(dst *Words, c0 *uint32, c1, c2 uint32, c3 *uint32, n int, keys *schedule)

// blocksAVX2 is blocksGo.
//
//go:noescape
func blocksAVX2(a *blocksArgs)

func (Key) blocksVector(dst *Words, c0 []uint32, c1, c2 uint32, c3 []uint32, keys *schedule) {
	if simd.AVX512 {
		blocksAVX512(dst, &c0[0], c1, c2, &c3[0], len(c0), keys)
		return
	}
	a := blocksArgs{
		dst: [4]*uint32{&dst[0][0], &dst[1][0], &dst[2][0], &dst[3][0]},
		c0:  &c0[0], c1: c1, c2: c2, c3: &c3[0], n: len(c0), keys: keys,
	}
	blocksAVX2(&a)
}

// fillAVX512 is fillGo for a number of blocks that is a multiple of 16.
//
//go:noescape
func fillAVX512(dst *uint32, blocks int, keys *schedule, firstBlock uint64, iteration, purpose uint32)

// fillAVX2 is fillGo for a number of blocks that is a multiple of 8.
//
//go:noescape
func fillAVX2(dst *uint32, blocks int, keys *schedule, firstBlock uint64, iteration, purpose uint32)

// fillVector fills as many blocks as fill whole registers, and returns how many.
func (k Key) fillVector(dst []uint32, firstBlock uint64, iteration, purpose uint32) int {
	blocks := len(dst) / 4
	switch {
	case simd.AVX512 && blocks >= 16:
		blocks &^= 15
		keys := k.schedule()
		fillAVX512(&dst[0], blocks, &keys, firstBlock, iteration, purpose)
		return blocks
	case simd.AVX2 && blocks >= 8:
		blocks &^= 7
		keys := k.schedule()
		fillAVX2(&dst[0], blocks, &keys, firstBlock, iteration, purpose)
		return blocks
	}
	return 0
}
