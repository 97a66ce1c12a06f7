//go:build amd64 && !noasm

package fold

import "github.com/topoi-lda/topoi/internal/simd"

// listedPaths lists the kernels that this machine can run.
func listedPaths() map[string]listedPath {
	paths := map[string]listedPath{}
	if simd.AVX2 {
		paths["avx2"] = listedPath{wordsAVX2, spreadAVX2}
	}
	if simd.AVX512 {
		paths["avx512"] = listedPath{wordsAVX512, spreadAVX512}
	}
	return paths
}
