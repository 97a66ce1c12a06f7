//go:build amd64 && !noasm

package eval

import "github.com/topoi-lda/topoi/internal/simd"

// responsibilities is responsibilitiesGo, bit for bit.
func responsibilities(next, theta, phi, counts []float32) {
	if !simd.AVX2 || len(counts) == 0 || len(theta) == 0 {
		responsibilitiesGo(next, theta, phi, counts)
		return
	}
	_, _ = next[len(theta)-1], phi[len(counts)*len(theta)-1] // the kernels do not look
	if simd.AVX512 {
		responsibilitiesAVX512(&next[0], &theta[0], &phi[0], &counts[0], len(theta), len(counts))
		return
	}
	responsibilitiesAVX2(&next[0], &theta[0], &phi[0], &counts[0], len(theta), len(counts))
}

// reestimate is reestimateGo, bit for bit.
func reestimate(theta, next, alpha []float32) {
	if !simd.AVX2 || len(next) == 0 {
		reestimateGo(theta, next, alpha)
		return
	}
	_, _ = theta[len(next)-1], alpha[len(next)-1]
	reestimateAVX2(&theta[0], &next[0], &alpha[0], len(next))
}

// reestimateAVX2 replaces the loop of reestimateGo for k ≥ lanes, a multiple of lanes.
//
//go:noescape
func reestimateAVX2(theta, next, alpha *float32, k int)

// responsibilitiesAVX512 and responsibilitiesAVX2 replace the loops of responsibilitiesGo for rows ≥ 1 and
// k ≥ lanes, a multiple of lanes.
//
//go:noescape
func responsibilitiesAVX512(next, theta, phi, counts *float32, k, rows int)

//go:noescape
func responsibilitiesAVX2(next, theta, phi, counts *float32, k, rows int)
