package samplertest

import (
	"math"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// Enumerated is the posterior of a problem small enough to list all K^N states.
type Enumerated struct {
	p *sampler.Problem
	Q []float64 // K^N probabilities; state Σ_i z_i K^i
}

// Enumerate computes p(z | w) ∝ Π_d Π_k Γ(n_dk + α_k) · Π_k Π_w Γ(n_wk + β) / Γ(n_k + Vβ). Where documents have groups,
// α_k is that of the group, and topics that it must not have are impossible.
func Enumerate(p *sampler.Problem, priors *sampler.Priors) Enumerated {
	states := int(math.Pow(float64(p.K), float64(p.N())))
	e := Enumerated{p: p, Q: make([]float64, states)}
	sum := 0.0
	for state := range states {
		e.Q[state] = math.Exp(LogJoint(p, e.Topics(state), priors))
		sum += e.Q[state]
	}
	for state := range states {
		e.Q[state] /= sum
	}
	return e
}

// Topics is the inverse of state.
func (e Enumerated) Topics(state int) []uint32 {
	z := make([]uint32, e.p.N())
	for i := range z {
		z[i] = uint32(state % e.p.K)
		state /= e.p.K
	}
	return z
}

// State numbers the states 0 … K^N-1.
func (e Enumerated) State(z []uint32) int {
	state := 0
	for i := len(z) - 1; i >= 0; i-- {
		state = state*e.p.K + int(z[i])
	}
	return state
}

// LogJoint is log p(w, z) without the terms that do not depend on z.
func LogJoint(p *sampler.Problem, z []uint32, priors *sampler.Priors) float64 {
	c := RecountOf(p, z)
	sum, alpha := 0.0, make([]float64, p.K)
	for d, row := range c.Ndk {
		alpha = p.AlphaOf(alpha, d, priors)
		for k, n := range row {
			if alpha[k] > 0 {
				sum += Lgamma(float64(n) + alpha[k])
			} else if n > 0 {
				return math.Inf(-1)
			}
		}
	}
	for _, row := range c.Nwk {
		for _, n := range row {
			sum += Lgamma(float64(n) + priors.Beta)
		}
	}
	for _, n := range c.Nk {
		sum -= Lgamma(float64(n) + float64(float64(p.V)*priors.Beta))
	}
	return sum
}

func Lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

// ChiSquare compares observed frequencies with probabilities and returns how many standard deviations the statistic
// lies above its mean: (X² - f)/√(2f) with f degrees of freedom. Cells expected fewer than ten times are pooled.
func ChiSquare(observed []int, q []float64) float64 {
	n := 0
	for _, o := range observed {
		n += o
	}
	statistic, cells, restO, restE := 0.0, 0, 0.0, 0.0
	add := func(o, e float64) {
		statistic += (o - e) * (o - e) / e
		cells++
	}
	for i, o := range observed {
		if e := q[i] * float64(n); e >= 10 {
			add(float64(o), e)
		} else {
			restO, restE = restO+float64(o), restE+e
		}
	}
	if restE > 0 {
		add(restO, restE)
	}
	freedom := float64(cells - 1)
	return (statistic - freedom) / math.Sqrt(2*freedom)
}

// TinyProblems have posteriors that can be enumerated: 64 and 729 states.
func TinyProblems() []*sampler.Problem {
	return []*sampler.Problem{
		ProblemOf(3, 2, []uint32{0, 0, 1}, []uint32{1, 2}, []uint32{0}),
		ProblemOf(2, 3, []uint32{0, 1, 1}, []uint32{0}, []uint32{1, 0}),
	}
}
