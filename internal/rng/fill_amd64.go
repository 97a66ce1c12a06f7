//go:build amd64 && !noasm

package rng

import "github.com/topoi-lda/topoi/internal/simd"

// schedule is the key of every round: two words a round.
type schedule [2 * rounds]uint32

func (k Key) schedule() (s schedule) {
	for r := range rounds {
		s[2*r] = k[0] + uint32(r)*weyl0
		s[2*r+1] = k[1] + uint32(r)*weyl1
	}
	return s
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
