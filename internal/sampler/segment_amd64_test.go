//go:build amd64 && !noasm

package sampler

import "github.com/topoi-lda/topoi/internal/simd"

// segmentPaths lists the assembly that this machine can run.
func segmentPaths() map[string]func(*segmentArgs) {
	paths := map[string]func(*segmentArgs){}
	if simd.AVX512 {
		paths["avx512"] = drawSegmentAVX512
	}
	return paths
}
