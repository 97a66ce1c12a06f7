//go:build arm64 && !noasm

package draw32

import "github.com/topoi-lda/topoi/internal/simd"

// drawTileNEON is drawTileGo for counts of 16 bits. It does not look at OwnIn.
//
//go:noescape
func drawTileNEON(a *TileArgs)

// floatRowNEON is FloatRowGo for n a multiple of 16.
//
//go:noescape
func floatRowNEON(dst *float32, src *int32, n int, beta float32)

// dntRowNEON is dntRowGo for n a multiple of 16.
//
//go:noescape
func dntRowNEON(dst *float32, ndk *uint16, alpha, inv *float32, n int)

func FloatRow(dst []float32, nwk []int32, beta float32) {
	if !simd.NEON {
		FloatRowGo(dst, nwk, beta)
		return
	}
	floatRowNEON(&dst[0], &nwk[0], len(nwk), beta)
}

func dntRow(dst []float32, ndk []uint16, alpha, inv []float32) {
	if !simd.NEON {
		dntRowGo(dst, ndk, alpha, inv)
		return
	}
	dntRowNEON(&dst[0], &ndk[0], &alpha[0], &inv[0], len(dst))
}

func drawTileFast(a *TileArgs) {
	if !simd.NEON {
		drawTileGo(a)
		return
	}
	drawTileNEON(a)
}
