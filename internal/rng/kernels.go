//go:build (amd64 || arm64) && !noasm

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

// blocksArgs are the arguments of a kernel: n > 0 counters (c0[i], c1, c2, c3[i]).
type blocksArgs struct {
	dst    [4]*uint32
	c0, c3 *uint32
	c1, c2 uint32
	n      int
	keys   *schedule
}

func (k Key) blocks(dst *Words, c0 []uint32, c1, c2 uint32, c3 []uint32) {
	if !simd.Vectors || len(c0) == 0 {
		k.blocksGo(dst, c0, c1, c2, c3)
		return
	}
	keys := k.schedule()
	k.blocksVector(dst, c0, c1, c2, c3, &keys)
}
