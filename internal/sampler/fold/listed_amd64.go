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

// kernels returns the fastest versions of wordsGo and spreadGo. All give the same bytes.
func kernels() (words, spread func(l *listed)) {
	switch {
	case simd.AVX512:
		return wordsAVX512, spreadAVX512
	case simd.AVX2:
		return wordsAVX2, spreadAVX2
	}
	return wordsGo, spreadGo
}
