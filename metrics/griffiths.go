package metrics

import (
	"math"
	"slices"
)

// Griffiths2004 returns the logarithm of the harmonic mean of exp(ℓ) over states of a
// chain after burn-in, ℓ = log p(w | z, β) in nats: an estimate of log p(w | K). With
// the median med of ℓ it is
//
//	med − log mean exp(med − ℓ),
//
// NaN without states. The estimator has an infinite variance in general and is ruled by the
// worst state; it is here because people know it.
func Griffiths2004(states []float64) float64 {
	if len(states) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(states))
	middle := sorted[len(sorted)/2]
	// The worst state has the largest term: it is taken out, so that nothing overflows.
	worst, sum := middle-sorted[0], 0.0
	for _, l := range sorted {
		sum += math.Exp(middle - l - worst)
	}
	return middle - worst - math.Log(sum/float64(len(sorted)))
}
