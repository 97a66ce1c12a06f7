package hyper

import (
	"context"
	"math"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// LogLikelihoods returns log p(w, z | α, β) in nats, with the distributions θ and φ integrated out,
//
//	  Σ_d [log Γ(A) - log Γ(A + N_d)] + Σ_dk [log Γ(α_k + n_dk) - log Γ(α_k)]
//	+ Σ_k [log Γ(V β) - log Γ(V β + n_k)] + Σ_wk [log Γ(β + n_wk) - log Γ(β)]
//
// (Griffiths and Steyvers, "Finding scientific topics", PNAS 101, 2004, eq. 2 and 3, for asymmetric α), and the second
// line alone, log p(w | z, β): how probable the words are once their topics are known. Equal counts add equal terms, so it
// costs one log Γ per non-empty bin. The terms are added in a fixed order, with compensation for rounding. The logarithms
// are those of package math, whose last digits may differ between processor architectures. threads is the number of
// goroutines; it never changes the result.
func LogLikelihoods(h *counts.Histograms, alpha []float64, beta float64, vocabulary, threads int) (joint, words float64) {
	sum := 0.0
	for _, a := range alpha {
		sum += a
	}
	all := []terms{binsOf(-1, sum, h.DocLengths)}
	for k, a := range alpha {
		all = append(all, binsOf(1, a, h.Topic[k]))
	}
	topics := len(all)
	all = append(all, func() []float64 { return totalTerms(h.TopicTotals, float64(vocabulary)*beta) })
	for from := 0; from < len(h.WordTopic); from += binsAtOnce {
		all = append(all, func() []float64 { return binTerms(1, beta, h.WordTopic, from, from+binsAtOnce) })
	}
	lists := make([][]float64, len(all))
	_ = parallel.Do(context.Background(), threads, len(all), func(_, i int) { lists[i] = all[i]() })
	var total, second compensatedSum
	for i, list := range lists {
		for _, x := range list {
			total.add(x)
			if i >= topics {
				second.add(x)
			}
		}
	}
	return total.value(), second.value()
}

// terms computes some terms of a likelihood, in the order in which they are added.
type terms func() []float64

// binsAtOnce is how many bins of the histogram of n_wk a goroutine takes at a time. Those of a
// topic's n_dk are few.
const binsAtOnce = 1 << 10

// binsOf is binTerms of all bins.
func binsOf[T uint32 | uint64](sign, x float64, h []T) terms {
	return func() []float64 { return binTerms(sign, x, h, 0, len(h)) }
}

// binTerms returns sign h[n] (log Γ(x + n) - log Γ(x)) for the bins from, from+1, …, to-1 that
// are there and not empty.
func binTerms[T uint32 | uint64](sign, x float64, h []T, from, to int) []float64 {
	var list []float64
	rise := riser{x: x}
	for n := max(1, from); n < min(to, len(h)); n++ {
		if h[n] > 0 {
			list = append(list, float64(sign*float64(h[n])*rise.by(n)))
		}
	}
	return list
}

// totalTerms returns log Γ(V β) - log Γ(V β + n_k) for every topic.
func totalTerms(totals []uint64, vBeta float64) []float64 {
	list := make([]float64, len(totals))
	rise := riser{x: vBeta}
	for k, n := range totals {
		list[k] = -rise.by(int(n))
	}
	return list
}

// riser computes log Γ(x + n) - log Γ(x) for one x > 0.
type riser struct {
	x, low float64 // low is log Γ(x), once it was needed
	known  bool
}

// by returns the rise for n. The most frequent counts are small, where the product
// x (x+1) … (x+n-1) is both faster and more exact.
func (r *riser) by(n int) float64 {
	if n <= 8 {
		product := 1.0
		for i := range n {
			product *= r.x + float64(i)
		}
		return math.Log(product)
	}
	if !r.known {
		r.low, _ = math.Lgamma(r.x)
		r.known = true
	}
	high, _ := math.Lgamma(r.x + float64(n))
	return high - r.low
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
