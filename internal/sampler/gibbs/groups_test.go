package gibbs

import (
	"math"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// groupedProblem returns three documents in two groups. The first group may have topics 0 and 2 with unequal α, the
// second one all topics.
func groupedProblem() (*sampler.Problem, *sampler.Priors) {
	p := &sampler.Problem{
		Offsets: []uint64{0, 2, 4, 6}, Words: []uint32{0, 1, 0, 2, 1, 2}, V: 3, K: 3, Seed: 42, Threads: 1,
		Groups: []uint32{0, 1, 0},
	}
	some := sampler.Group{Topics: []uint32{0, 2}, Alpha: []float64{0.3, 1.5}}
	all := sampler.Group{Topics: []uint32{0, 1, 2}, Alpha: []float64{0.2, 0.9, 0.4}}
	return p, &sampler.Priors{Alpha: []float64{1, 1, 1}, Beta: 0.5, Groups: []sampler.Group{some, all}}
}

// states are the probabilities p(z | w) of all K^N states.
type states struct {
	p *sampler.Problem
	q []float64
}

// posterior computes them from p(z | w) ∝ Π_dk Γ(n_dk + α_dk)/Γ(α_dk) · Π_k Π_w Γ(n_wk + β) / Γ(n_k + Vβ).
func posterior(p *sampler.Problem, priors *sampler.Priors) states {
	e, sum := states{p, make([]float64, int(math.Pow(float64(p.K), float64(p.N()))))}, 0.0
	for i := range e.q {
		z := e.topics(i)
		words := samplertest.LogJoint(p, z, &sampler.Priors{Alpha: []float64{1, 1, 1}, Beta: priors.Beta})
		for d, row := range samplertest.RecountOf(p, z).Ndk {
			for k, n := range row {
				words -= samplertest.Lgamma(float64(n) + 1)
				group := priors.Groups[p.Groups[d]]
				if at := slices.Index(group.Topics, uint32(k)); at >= 0 {
					words += samplertest.Lgamma(float64(n)+group.Alpha[at]) - samplertest.Lgamma(group.Alpha[at])
				} else if n > 0 {
					words = math.Inf(-1)
				}
			}
		}
		e.q[i] = math.Exp(words)
		sum += e.q[i]
	}
	for i := range e.q {
		e.q[i] /= sum
	}
	return e
}

// topics is the inverse of number.
func (e states) topics(state int) []uint32 {
	z := make([]uint32, e.p.N())
	for i := range z {
		z[i], state = uint32(state%e.p.K), state/e.p.K
	}
	return z
}

func (e states) number(z []uint32) (state int) {
	for _, k := range slices.Backward(z) {
		state = state*e.p.K + int(k)
	}
	return state
}

// chain returns how often a run comes by each state.
func chain(t *testing.T, p *sampler.Problem, priors *sampler.Priors, e states) []int {
	s, err := newGibbs(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(sampler.StartInGroups(p, priors.Groups), priors); err != nil {
		t.Fatal(err)
	}
	observed, z := make([]int, len(e.q)), make([]uint32, p.N())
	for i := range 50_000 {
		if err := s.Sweep(t.Context(), i+1, priors); err != nil {
			t.Fatal(err)
		}
		if i%5 == 0 {
			s.Topics(z)
			observed[e.number(z)]++
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
		if e.q[state] == 0 && n > 0 {
			t.Fatalf("state %v is impossible", e.topics(state))
		}
	}
	if x := samplertest.ChiSquare(observed, e.q); x > 5 {
		t.Errorf("χ² is %.1f standard deviations above its mean", x)
	}
	wrong := *priors
	wrong.Groups = []sampler.Group{{Topics: []uint32{0, 2}, Alpha: []float64{1.5, 0.3}}, priors.Groups[1]}
	if x := samplertest.ChiSquare(chain(t, p, &wrong, e), e.q); x < 20 {
		t.Errorf("with α exchanged, χ² is only %.1f standard deviations above its mean", x)
	}
}

// A document with one topic stays as it is.
func TestGroupOfOneTopic(t *testing.T) {
	p, priors := groupedProblem()
	priors.Groups[0] = sampler.Group{Topics: []uint32{1}, Alpha: []float64{1}}
	e := posterior(p, priors)
	for state, n := range chain(t, p, priors, e) {
		if z := e.topics(state); n > 0 && (z[0] != 1 || z[1] != 1 || z[4] != 1 || z[5] != 1) {
			t.Fatalf("state %v is impossible", z)
		}
	}
}
