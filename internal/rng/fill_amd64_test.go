//go:build amd64 && !noasm

package rng

import "github.com/topoi-lda/topoi/internal/simd"

// fillPaths lists the ways to fill that this machine can run.
func fillPaths() map[string]fillFunc {
	paths := map[string]fillFunc{"go": Key.fillGo}
	if simd.AVX2 {
		paths["avx2"] = inWholeSteps(8, fillAVX2)
	}
	if simd.AVX512 {
		paths["avx512"] = inWholeSteps(16, fillAVX512)
	}
	return paths
}
