//go:build amd64 && !noasm

package rng

import "github.com/topoi-lda/topoi/internal/simd"

// blocksAVX512 is blocksGo for n > 0 blocks.
//
//go:noescape
func blocksAVX512(dst *Words, c0 *uint32, c1, c2 uint32, c3 *uint32, n int, keys *schedule)

func (k Key) blocks(dst *Words, c0 []uint32, c1, c2 uint32, c3 []uint32) {
	if simd.AVX512 && len(c0) > 0 {
		keys := k.schedule()
		blocksAVX512(dst, &c0[0], c1, c2, &c3[0], len(c0), &keys)
	} else {
		k.blocksGo(dst, c0, c1, c2, c3)
	}
}
