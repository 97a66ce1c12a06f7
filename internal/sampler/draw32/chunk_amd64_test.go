//go:build amd64 && !noasm

package draw32

import "github.com/topoi-lda/topoi/internal/simd"

// chunkPaths lists the assembly that this machine can run.
func chunkPaths() map[string]func(*ChunkArgs) {
	paths := map[string]func(*ChunkArgs){}
	if simd.AVX2 {
		paths["avx2"] = drawChunkAVX2
	}
	if simd.AVX512 {
		paths["avx512"] = drawChunkAVX512
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
