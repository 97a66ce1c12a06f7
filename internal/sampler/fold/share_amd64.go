//go:build amd64 && !noasm

package fold

import "github.com/topoi-lda/topoi/internal/simd"

// roundAVX512 is roundGo with AVX-512 (F) for at least one word and one slot, roundAVX2 with AVX2.
//
//go:noescape
func roundAVX512(s *shares)

//go:noescape
func roundAVX2(s *shares)

func round(s *shares) {
	switch {
	case len(s.counts) == 0 || s.width == 0 || !simd.AVX2:
		roundGo(s)
	case simd.AVX512:
		roundAVX512(s)
	default:
		roundAVX2(s)
	}
}
