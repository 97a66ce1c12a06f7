//go:build arm64 && !noasm

package eval

import "github.com/topoi-lda/topoi/internal/simd"

// responsibilities is responsibilitiesGo, bit for bit.
func responsibilities(next, theta, phi, counts []float32) {
	if !simd.NEON || len(counts) == 0 || len(theta) == 0 {
		responsibilitiesGo(next, theta, phi, counts)
		return
	}
	_, _ = next[len(theta)-1], phi[len(counts)*len(theta)-1] // the kernels do not look
	responsibilitiesNEON(&next[0], &theta[0], &phi[0], &counts[0], len(theta), len(counts))
}

// reestimate is reestimateGo, bit for bit.
func reestimate(theta, next, alpha []float32) {
	if !simd.NEON || len(next) == 0 {
		reestimateGo(theta, next, alpha)
		return
	}
	_, _ = theta[len(next)-1], alpha[len(next)-1]
	reestimateNEON(&theta[0], &next[0], &alpha[0], len(next))
}

// dot is dotGo, bit for bit.
func dot(a, b []float32) float32 {
	if !simd.NEON || len(a) == 0 {
		return dotGo(a, b)
	}
	_ = b[len(a)-1]
	return dotNEON(&a[0], &b[0], len(a))
}

// reduce is reduceGo, bit for bit.
func reduce(row, theta, background, inverse []float32, g float32) {
	if !simd.NEON || len(row) == 0 {
		reduceGo(row, theta, background, inverse, g)
		return
	}
	_, _, _ = theta[len(row)-1], background[len(row)-1], inverse[len(row)-1]
	reduceNEON(&row[0], &theta[0], &background[0], &inverse[0], len(row), g)
}

// dotNEON replaces the loops of dotGo for k ≥ lanes, a multiple of lanes.
//
//go:noescape
func dotNEON(a, b *float32, k int) float32

// reduceNEON replaces the loop of reduceGo for k ≥ lanes, a multiple of lanes.
//
//go:noescape
func reduceNEON(row, theta, background, inverse *float32, k int, factor float32)

// reestimateNEON replaces the loop of reestimateGo for k ≥ lanes, a multiple of lanes.
//
//go:noescape
func reestimateNEON(theta, next, alpha *float32, k int)

// responsibilitiesNEON replaces the loops of responsibilitiesGo for rows ≥ 1 and k ≥ lanes,
// a multiple of lanes.
//
//go:noescape
func responsibilitiesNEON(next, theta, phi, counts *float32, k, rows int)
