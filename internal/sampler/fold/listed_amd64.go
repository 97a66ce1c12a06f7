//go:build amd64 && !noasm

package fold

import "github.com/topoi-lda/topoi/internal/simd"

// wordsAVX512 and spreadAVX512 are wordsGo and spreadGo with AVX-512 (F), the others with AVX2.
//
//go:noescape
func wordsAVX512(l *listed)

//go:noescape
func spreadAVX512(l *listed)

//go:noescape
func wordsAVX2(l *listed)

//go:noescape
func spreadAVX2(l *listed)

func words(l *listed) {
	switch {
	case simd.AVX512:
		wordsAVX512(l)
	case simd.AVX2:
		wordsAVX2(l)
	default:
		wordsGo(l)
	}
}

func spread(l *listed) {
	switch {
	case simd.AVX512:
		spreadAVX512(l)
	case simd.AVX2:
		spreadAVX2(l)
	default:
		spreadGo(l)
	}
}
