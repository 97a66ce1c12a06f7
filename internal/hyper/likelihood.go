package hyper

import (
	"math"

	"github.com/topoi-lda/topoi/internal/counts"
)

// JointLogLikelihood returns log p(w, z | α, β) in nats, with the distributions
// θ and φ integrated out:
//
//	  Σ_d [log Γ(A) - log Γ(A + N_d)] + Σ_dk [log Γ(α_k + n_dk) - log Γ(α_k)]
//	+ Σ_k [log Γ(V β) - log Γ(V β + n_k)] + Σ_wk [log Γ(β + n_wk) - log Γ(β)]
//
// (Griffiths and Steyvers, "Finding scientific topics", PNAS 101, 2004, eq. 2 and
// 3, for asymmetric α). Equal counts add equal terms, so it costs one log Γ per
// non-empty bin. The terms are added in a fixed order, with compensation for
// rounding. The logarithms are those of package math, whose last digits may
// differ between processor architectures.
func JointLogLikelihood(h *counts.Histograms, alpha []float64, beta float64, vocabulary int) float64 {
	var total compensatedSum
	sum := 0.0
	for _, a := range alpha {
		sum += a
	}
	addBins(&total, -1, sum, h.DocLengths)
	for k, a := range alpha {
		addBins(&total, 1, a, h.Topic[k])
	}
	addWords(&total, h, beta, vocabulary)
	return total.value()
}

// WordLogLikelihood returns log p(w | z, β) in nats, the second line of
// [JointLogLikelihood]: how probable the words are once their topics are known.
func WordLogLikelihood(h *counts.Histograms, beta float64, vocabulary int) float64 {
	var total compensatedSum
	addWords(&total, h, beta, vocabulary)
	return total.value()
}

// addWords adds log p(w | z, β).
func addWords(total *compensatedSum, h *counts.Histograms, beta float64, vocabulary int) {
	vBeta := float64(vocabulary) * beta
	for _, n := range h.TopicTotals {
		total.add(-logRise(vBeta, int(n)))
	}
	addBins(total, 1, beta, h.WordTopic)
}

// addBins adds sign Σ_n h[n] (log Γ(x + n) - log Γ(x)) to the total.
func addBins[T uint32 | uint64](total *compensatedSum, sign, x float64, h []T) {
	for n := 1; n < len(h); n++ {
		if h[n] > 0 {
			total.add(float64(sign * float64(h[n]) * logRise(x, n)))
		}
	}
}

// logRise returns log Γ(x + n) - log Γ(x) for x > 0. The most frequent counts are
// small, where the product x (x+1) … (x+n-1) is both faster and more exact.
func logRise(x float64, n int) float64 {
	if n <= 8 {
		product := 1.0
		for i := range n {
			product *= x + float64(i)
		}
		return math.Log(product)
	}
	high, _ := math.Lgamma(x + float64(n))
	low, _ := math.Lgamma(x)
	return high - low
}

// compensatedSum adds many numbers and keeps what rounding loses (Neumaier, 1974).
type compensatedSum struct{ sum, lost float64 }

func (s *compensatedSum) add(x float64) {
	t := s.sum + x
	if math.Abs(s.sum) >= math.Abs(x) {
		s.lost += (s.sum - t) + x
	} else {
		s.lost += (x - t) + s.sum
	}
	s.sum = t
}

func (s *compensatedSum) value() float64 { return s.sum + s.lost }
