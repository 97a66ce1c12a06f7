//go:build amd64 && !noasm

package draw32

import "github.com/topoi-lda/topoi/internal/simd"

// drawTileAVX512 is drawTileGo with AVX-512 (F, BW, DQ, VL), four tokens at a
// time; drawTileAVX2 with AVX2, token by token. Neither looks at ownIn.
//
//go:noescape
func drawTileAVX512(a *TileArgs)

//go:noescape
func drawTileAVX2(a *TileArgs)

// floatRowAVX512 is FloatRowGo for n a multiple of 16, floatRowAVX2 for one of 8; n > 0.
//
//go:noescape
func floatRowAVX512(dst *float32, src *int32, n int, beta float32)

//go:noescape
func floatRowAVX2(dst *float32, src *int32, n int, beta float32)

// dntRowAVX512 is dntRowGo for n a multiple of 16, dntRowAVX2 for one of 8; n > 0.
//
//go:noescape
func dntRowAVX512(dst *float32, ndk *uint16, alpha, inv *float32, n int)

//go:noescape
func dntRowAVX2(dst *float32, ndk *uint16, alpha, inv *float32, n int)

func FloatRow(dst []float32, nwk []int32, beta float32) {
	switch {
	case simd.AVX512:
		floatRowAVX512(&dst[0], &nwk[0], len(nwk), beta)
	case simd.AVX2:
		floatRowAVX2(&dst[0], &nwk[0], len(nwk), beta)
	default:
		FloatRowGo(dst, nwk, beta)
	}
}

func dntRow(dst []float32, ndk []uint16, alpha, inv []float32) {
	switch {
	case simd.AVX512:
		dntRowAVX512(&dst[0], &ndk[0], &alpha[0], &inv[0], len(dst))
	case simd.AVX2:
		dntRowAVX2(&dst[0], &ndk[0], &alpha[0], &inv[0], len(dst))
	default:
		dntRowGo(dst, ndk, alpha, inv)
	}
}

func drawTileFast(a *TileArgs) {
	switch {
	case simd.AVX512:
		drawTileAVX512(a)
	case simd.AVX2:
		drawTileAVX2(a)
	default:
		drawTileGo(a)
	}
}
