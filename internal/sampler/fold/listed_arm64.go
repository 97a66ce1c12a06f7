//go:build arm64 && !noasm

package fold

import "github.com/topoi-lda/topoi/internal/simd"

// wordsNEON and spreadNEON are wordsGo and spreadGo.
//
//go:noescape
func wordsNEON(l *listed)

//go:noescape
func spreadNEON(l *listed)

// kernels returns the fastest versions of wordsGo and spreadGo. All give the same bytes.
func kernels() (words, spread func(l *listed)) {
	if simd.NEON {
		return wordsNEON, spreadNEON
	}
	return wordsGo, spreadGo
}
