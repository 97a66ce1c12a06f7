//go:build amd64 && !noasm

package sampler

import "github.com/topoi-lda/topoi/internal/simd"

// drawChunkAVX512 is drawChunkGo with AVX-512 (F, BW, DQ, VL).
//
//go:noescape
func drawChunkAVX512(a *chunkArgs)

// floatRowAVX512 is floatRowGo for n a multiple of 16.
//
//go:noescape
func floatRowAVX512(dst *float32, src *int32, n int, beta float32)

// dntRowAVX512 is dntRowGo for n a multiple of 16.
//
//go:noescape
func dntRowAVX512(dst *float32, ndk *uint16, alpha, inv *float32, n int)

func floatRow(dst []float32, nwk []int32, beta float32) {
	if simd.AVX512 && len(nwk)%16 == 0 {
		floatRowAVX512(&dst[0], &nwk[0], len(nwk), beta)
	} else {
		floatRowGo(dst, nwk, beta)
	}
}

func dntRow(dst []float32, ndk []uint16, alpha, inv []float32) {
	if simd.AVX512 {
		dntRowAVX512(&dst[0], &ndk[0], &alpha[0], &inv[0], len(dst))
	} else {
		dntRowGo(dst, ndk, alpha, inv)
	}
}

func drawChunkFast(a *chunkArgs) {
	if simd.AVX512 {
		drawChunkAVX512(a)
	} else {
		drawChunkGo(a)
	}
}
