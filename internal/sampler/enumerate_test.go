package sampler

import (
	"math"
)

// enumerated is the posterior of a problem small enough to list all K^N states.
type enumerated struct {
	p *Problem
	q []float64 // K^N probabilities; state Σ_i z_i K^i
}

// enumerate computes p(z | w) ∝ Π_d Π_k Γ(n_dk + α_k) · Π_k Π_w Γ(n_wk + β) / Γ(n_k + Vβ).
func enumerate(p *Problem, priors *Priors) enumerated {
	states := int(math.Pow(float64(p.K), float64(p.N())))
	e := enumerated{p: p, q: make([]float64, states)}
	sum := 0.0
	for state := range states {
		e.q[state] = math.Exp(logJoint(p, e.topics(state), priors))
		sum += e.q[state]
	}
	for state := range states {
		e.q[state] /= sum
	}
	return e
}

// topics is the inverse of state.
func (e enumerated) topics(state int) []uint32 {
	z := make([]uint32, e.p.N())
	for i := range z {
		z[i] = uint32(state % e.p.K)
		state /= e.p.K
	}
	return z
}

// state numbers the states 0 … K^N-1.
func (e enumerated) state(z []uint32) int {
	state := 0
	for i := len(z) - 1; i >= 0; i-- {
		state = state*e.p.K + int(z[i])
	}
	return state
}

// logJoint is log p(w, z) without the terms that do not depend on z.
func logJoint(p *Problem, z []uint32, priors *Priors) float64 {
	c := recountOf(p, z)
	sum := 0.0
	for _, row := range c.ndk {
		for k, n := range row {
			sum += lgamma(float64(n) + priors.Alpha[k])
		}
	}
	for _, row := range c.nwk {
		for _, n := range row {
			sum += lgamma(float64(n) + priors.Beta)
		}
	}
	for _, n := range c.nk {
		sum -= lgamma(float64(n) + float64(p.V)*priors.Beta)
	}
	return sum
}

func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

// chiSquare compares observed frequencies with probabilities and returns how
// many standard deviations the statistic lies above its mean: (X² - f)/√(2f)
// with f degrees of freedom. Cells expected fewer than ten times are pooled.
func chiSquare(observed []int, q []float64) float64 {
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

// tinyProblems have posteriors that can be enumerated: 64 and 729 states.
func tinyProblems() []*Problem {
	return []*Problem{
		problemOf(3, 2, []uint32{0, 0, 1}, []uint32{1, 2}, []uint32{0}),
		problemOf(2, 3, []uint32{0, 1, 1}, []uint32{0}, []uint32{1, 0}),
	}
}
