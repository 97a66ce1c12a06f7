package hyper

import (
	"context"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/portable"
)

// LogLikelihoods returns log p(w, z | α, β) in nats, with the distributions θ and φ integrated out,
//
//	  Σ_d [log Γ(A) - log Γ(A + N_d)] + Σ_dk [log Γ(α_k + n_dk) - log Γ(α_k)]
//	+ Σ_k [log Γ(V β) - log Γ(V β + n_k)] + Σ_wk [log Γ(β + n_wk) - log Γ(β)]
//
// (Griffiths and Steyvers, "Finding scientific topics", PNAS 101, 2004, eq. 2 and 3, for asymmetric α), and the second
// line alone, log p(w | z, β): how probable the words are once their topics are known. Equal counts add equal terms, so
// it costs one log Γ per non-empty bin. The terms are added in a fixed order, with compensation for rounding. The
// logarithms are those of package math, whose last digits may differ between processor architectures. threads is the
// number of goroutines; it never changes the result.
func LogLikelihoods(h *counts.Histograms, alpha []float64, beta float64, vocabulary,
	threads int,
) (joint, words float64) {
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

// binsAtOnce is how many bins of the histogram of n_wk a goroutine takes at a time. Those of a topic's n_dk are few.
const binsAtOnce = 1 << 10

// binsOf is binTerms of all bins.
func binsOf[T uint32 | uint64](sign, x float64, h []T) terms {
	return func() []float64 { return binTerms(sign, x, h, 0, len(h)) }
}

// binTerms returns sign h[n] (log Γ(x + n) - log Γ(x)) for the bins from, from+1, …, to-1 that are there and not empty.
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
		return portable.Log(product)
	}
	if !r.known {
		r.low = portable.Lgamma(r.x)
		r.known = true
	}
	return portable.Lgamma(r.x+float64(n)) - r.low
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

// Regression is the prior of Dirichlet-multinomial regression: documents are in groups, a group has a row x of numbers,
// and
//
//	α_gk = exp(x_g · λ_k),   λ_k0 ~ N(0, 10²),   λ_kf ~ N(0, 1) for f > 0
//
// The first number of a row is 1. Mimno and McCallum, "Topic models conditioned on arbitrary features with
// Dirichlet-multinomial regression", UAI 2008.
type Regression struct {
	Rows    [][]float64 // G rows of F numbers
	Threads int         // goroutines; never changes the result
}

// The bounds of x · λ: α stays between 10^-9 and 400.
const leastLog, mostLog = -20, 6

// RegressionRounds is the number of steps per call of Learn.
const RegressionRounds = 2

// Alpha returns α_gk, group by group.
func (r Regression) Alpha(lambda [][]float64) [][]float64 {
	alpha := table(len(r.Rows), len(lambda))
	each(len(alpha), topicsAtOnce, r.Threads, func(g int) {
		for k, l := range lambda {
			sum := 0.0
			for f, v := range r.Rows[g] {
				sum += float64(v * l[f])
			}
			alpha[g][k] = portable.Exp(min(max(sum, leastLog), mostLog))
		}
	})
	return alpha
}

// table returns rows of so many numbers.
func table(rows, width int) [][]float64 {
	all, list := make([]float64, rows*width), make([][]float64, rows)
	for i := range list {
		list[i] = all[i*width : (i+1)*width]
	}
	return list
}

// Learn returns λ (K rows of F numbers) after a few steps from lambda. Each step maximises a lower bound of the
// posterior that touches it at the present α, as Minka's fixed point does. Given that bound topics are independent,
// and each is a Poisson regression:
//
//	Σ_g a_gk (x_g · λ_k) − b_g exp(x_g · λ_k),   a_gk = α_gk Σ_d [ψ(α_gk + n_dk) − ψ(α_gk)],   b_g = Σ_d [ψ(A_g + N_d) − ψ(A_g)]
//
// alpha is that of lambda. counts.Raised does the same on a device that has the histograms.
func (r Regression) Learn(lambda, alpha [][]float64, h *counts.Histograms) (nextLambda, nextAlpha [][]float64) {
	rises, b := table(len(alpha), len(lambda)), make([]float64, len(alpha))
	groups := counts.ByGroup(h.Groups, len(alpha), len(lambda))
	for range RegressionRounds {
		each(len(alpha), topicsAtOnce, r.Threads, func(g int) {
			clear(rises[g])
			b[g] = bound(rises[g], alpha[g], groups[g])
		})
		next := make([][]float64, len(lambda))
		each(len(lambda), 1, r.Threads, func(k int) { next[k] = r.poisson(lambda[k], k, alpha, rises, b) })
		lambda, alpha = next, r.Alpha(next)
	}
	return lambda, alpha
}

// bound adds a_gk / α_gk of all topics to rises, and returns b_g, from the histograms of a group.
func bound(rises, alpha []float64, bins []counts.Bin) (b float64) {
	sum, rise, n, last := 0.0, 0.0, 0, -1 // rise = ψ(α + n) − ψ(α) for the last topic
	for _, x := range alpha {
		sum += x
	}
	first := digamma(sum)
	for _, bin := range bins {
		k := bin.Topic(len(alpha))
		if k == len(alpha) {
			b += float64(float64(bin.Times) * (digamma(sum+float64(bin.N)) - first))
			continue
		}
		if k != last {
			rise, n, last = 0, 0, k
		}
		for ; n < int(bin.N); n++ {
			rise += 1 / (alpha[k] + float64(n))
		}
		rises[k] += float64(float64(bin.Times) * rise)
	}
	return b
}

// mostStep is the most by which a step changes a log α. With m the change by a whole Newton step, and t the part of it
// that is taken, the regression rises at least by t − t² exp(t m) / 2 times a positive number: it cannot fall while t m
// < log 2.
const mostStep = 0.5

// poisson takes a Newton step of the regression of topic k, shortened so that it rises.
func (r Regression) poisson(lambda []float64, k int, alpha, rises [][]float64, b []float64) []float64 {
	step, most := r.newton(lambda, k, alpha, rises, b), 0.0
	for _, x := range r.Rows {
		change := 0.0
		for f, v := range x {
			change += float64(v * step[f])
		}
		most = max(most, change, -change)
	}
	length := mostStep / max(most, mostStep)
	next := slices.Clone(lambda)
	for f, s := range step {
		next[f] += float64(length * s)
	}
	return next
}

// precision is 1/σ² of λ_f.
func precision(f int) float64 {
	if f == 0 {
		return 0.01
	}
	return 1
}

// newton returns the step (XᵀWX + 1/σ²)⁻¹ gradient.
func (r Regression) newton(lambda []float64, k int, alpha, rises [][]float64, b []float64) []float64 {
	step, matrix := make([]float64, len(lambda)), make([][]float64, len(lambda))
	for f, l := range lambda {
		matrix[f] = make([]float64, len(lambda))
		matrix[f][f], step[f] = precision(f), -float64(l*precision(f))
	}
	for g, x := range r.Rows {
		weight, a := float64(b[g]*alpha[g][k]), float64(rises[g][k]*alpha[g][k])
		for f, v := range x {
			step[f] += float64(v * (a - weight))
			for h, u := range x[f:] {
				matrix[f][f+h] += float64(float64(v*weight) * u)
			}
		}
	}
	solve(matrix, step)
	return step
}

// solve replaces y by the solution of a positive definite system, of which the upper triangle is given and destroyed.
func solve(m [][]float64, y []float64) {
	for i, row := range m {
		for j := i + 1; j < len(m); j++ {
			factor := row[j] / row[i]
			y[j] -= float64(factor * y[i])
			for h := j; h < len(m); h++ {
				m[j][h] -= float64(factor * row[h])
			}
		}
	}
	for i := len(m) - 1; i >= 0; i-- {
		for h := i + 1; h < len(m); h++ {
			y[i] -= float64(m[i][h] * y[h])
		}
		y[i] /= m[i][i]
	}
}

// DocTerms returns Σ_d { log Γ(A) − log Γ(A + N_d) + Σ_k [log Γ(α_k + n_dk) − log Γ(α_k)] } of a group of documents,
// which may have the given ones of k topics.
func DocTerms(group []counts.Bin, k int, topics []uint32, alpha []float64) float64 {
	var total compensatedSum
	sum := 0.0
	for i, t := range topics {
		sum += alpha[i]
		rise := riser{x: alpha[i]}
		for ; len(group) > 0 && group[0].Topic(k) == int(t); group = group[1:] {
			total.add(float64(float64(group[0].Times) * rise.by(int(group[0].N))))
		}
	}
	rise := riser{x: sum}
	for _, lengths := range group {
		total.add(-float64(float64(lengths.Times) * rise.by(int(lengths.N))))
	}
	return total.value()
}
