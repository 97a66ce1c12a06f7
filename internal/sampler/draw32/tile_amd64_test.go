//go:build amd64 && !noasm

package draw32

import "github.com/topoi-lda/topoi/internal/simd"

// tilePaths lists the assembly that this machine can run.
func tilePaths() map[string]func(*TileArgs) {
	paths := map[string]func(*TileArgs){}
	if simd.AVX2 {
		paths["avx2"] = drawTileAVX2
	}
	if simd.AVX512 {
		paths["avx512"] = drawTileAVX512
	}
	return paths
}

// floatPaths lists the assembly of floatRow that this machine can run.
func floatPaths() map[string]func(dst []float32, nwk []int32, beta float32) {
	paths := map[string]func([]float32, []int32, float32){}
	if simd.AVX2 {
		paths["avx2"] = func(dst []float32, nwk []int32, beta float32) {
			floatRowAVX2(&dst[0], &nwk[0], len(nwk), beta)
		}
	}
	if simd.AVX512 {
		paths["avx512"] = func(dst []float32, nwk []int32, beta float32) {
			floatRowAVX512(&dst[0], &nwk[0], len(nwk), beta)
		}
	}
	return paths
}

// dntPaths lists the assembly of dntRow that this machine can run.
func dntPaths() map[string]func(dst []float32, ndk []uint16, alpha, inv []float32) {
	paths := map[string]func([]float32, []uint16, []float32, []float32){}
	if simd.AVX2 {
		paths["avx2"] = func(dst []float32, ndk []uint16, alpha, inv []float32) {
			dntRowAVX2(&dst[0], &ndk[0], &alpha[0], &inv[0], len(dst))
		}
	}
	if simd.AVX512 {
		paths["avx512"] = func(dst []float32, ndk []uint16, alpha, inv []float32) {
			dntRowAVX512(&dst[0], &ndk[0], &alpha[0], &inv[0], len(dst))
		}
	}
	return paths
}
