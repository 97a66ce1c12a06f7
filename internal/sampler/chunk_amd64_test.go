//go:build amd64 && !noasm

package sampler

import "github.com/topoi-lda/topoi/internal/simd"

// chunkPaths lists the assembly that this machine can run.
func chunkPaths() map[string]func(*chunkArgs) {
	paths := map[string]func(*chunkArgs){}
	if simd.AVX512 {
		paths["avx512"] = drawChunkAVX512
	}
	return paths
}
