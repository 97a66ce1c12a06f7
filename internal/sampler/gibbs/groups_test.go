package gibbs

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// three documents in two groups: the first may have the topics 0 and 2 with unequal α, the second all.
func groupedProblem() (*sampler.Problem, *sampler.Priors) {
	return &sampler.Problem{
			Offsets: []uint64{0, 2, 4, 6}, Words: []uint32{0, 1, 0, 2, 1, 2}, V: 3, K: 3, Seed: 42, Threads: 1,
			Groups: []uint32{0, 1, 0},
		}, &sampler.Priors{
			Alpha: []float64{1, 1, 1}, Beta: 0.5,
			Groups: []sampler.Group{{Topics: []uint32{0, 2}, Alpha: []float64{0.3, 1.5}}, {Topics: []uint32{0, 1, 2}, Alpha: []float64{0.2, 0.9, 0.4}}},
		}
}

// posterior lists p(z | w) of all states.
func posterior(p *sampler.Problem, priors *sampler.Priors) samplertest.Enumerated {
	alpha := make([][]float64, len(priors.Groups))
	for g, group := range priors.Groups {
		alpha[g] = make([]float64, p.K)
		for i, k := range group.Topics {
			alpha[g][k] = group.Alpha[i]
		}
	}
	return samplertest.EnumerateBy(p, priors.Beta, func(d int) []float64 { return alpha[p.Groups[d]] })
}

// chain returns how often a run comes by each state.
func chain(t *testing.T, p *sampler.Problem, priors *sampler.Priors, e samplertest.Enumerated) []int {
	s, err := newGibbs(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(sampler.StartInGroups(p, priors.Groups), priors); err != nil {
		t.Fatal(err)
	}
	observed, z := make([]int, len(e.Q)), make([]uint32, p.N())
	for i := range 50_000 {
		if err := s.Sweep(t.Context(), i+1, priors); err != nil {
			t.Fatal(err)
		}
		if i%5 == 0 {
			s.Topics(z)
			observed[e.State(z)]++
		}
	}
	return observed
}

// Draws in groups come from the posterior itself: the statistic of χ² is within five standard deviations of its mean, and far
// above where groups have one another's α. Topics that a document must not have are never drawn.
func TestGroupsDrawFromThePosterior(t *testing.T) {
	p, priors := groupedProblem()
	e := posterior(p, priors)
	observed := chain(t, p, priors, e)
	for state, n := range observed {
		if e.Q[state] == 0 && n > 0 {
			t.Fatalf("state %v is impossible", e.Topics(state))
		}
	}
	if x := samplertest.ChiSquare(observed, e.Q); x > 5 {
		t.Errorf("χ² is %.1f standard deviations above its mean", x)
	}
	wrong := *priors
	wrong.Groups = []sampler.Group{{Topics: []uint32{0, 2}, Alpha: []float64{1.5, 0.3}}, priors.Groups[1]}
	if x := samplertest.ChiSquare(chain(t, p, &wrong, e), e.Q); x < 20 {
		t.Errorf("with α exchanged, χ² is only %.1f standard deviations above its mean", x)
	}
}

// A document with one topic stays as it is.
func TestGroupOfOneTopic(t *testing.T) {
	p, priors := groupedProblem()
	priors.Groups[0] = sampler.Group{Topics: []uint32{1}, Alpha: []float64{1}}
	e := posterior(p, priors)
	for state, n := range chain(t, p, priors, e) {
		if z := e.Topics(state); n > 0 && (z[0] != 1 || z[1] != 1 || z[4] != 1 || z[5] != 1) {
			t.Fatalf("state %v is impossible", z)
		}
	}
}
