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

// inWholeSteps fills whole steps by assembly and the rest by portable Go.
func inWholeSteps(step int, fill func(*uint32, int, *schedule, uint64, uint32, uint32)) fillFunc {
	return func(k Key, dst []uint32, first uint64, iteration, purpose uint32) {
		blocks := len(dst) / 4 / step * step
		if blocks > 0 {
			keys := k.schedule()
			fill(&dst[0], blocks, &keys, first, iteration, purpose)
		}
		k.fillGo(dst[4*blocks:], first+uint64(blocks), iteration, purpose)
	}
}
