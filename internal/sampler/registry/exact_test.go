package registry

import (
	"math"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// exact lists what samplers say to be exact.
func exact() []variant {
	var list []variant
	for _, info := range List() {
		for _, tuning := range info.Exact {
			list = append(list, variant{info.Name, tuning})
		}
	}
	return list
}

// A mutation makes of a problem and its priors what a wrong sampler takes them for.
type mutation func(p *sampler.Problem, priors *sampler.Priors) (*sampler.Problem, *sampler.Priors)

// none is no mutation.
func none(p *sampler.Problem, priors *sampler.Priors) (*sampler.Problem, *sampler.Priors) {
	return p, priors
}

// mutations are faults that have happened to people. A vocabulary of words that do not
// occur triples Vβ and nothing else. That of a token's own count, which stays
// where it should be taken out, is Tuning.OwnCount of batch.
var mutations = map[string]mutation{
	"Vβ tripled": func(p *sampler.Problem, priors *sampler.Priors) (*sampler.Problem, *sampler.Priors) {
		larger := *p
		larger.V *= 3
		return &larger, priors
	},
	"α left out": func(p *sampler.Problem, priors *sampler.Priors) (*sampler.Problem, *sampler.Priors) {
		small := &sampler.Priors{Alpha: make([]float64, p.K), Beta: priors.Beta}
		for k := range small.Alpha {
			small.Alpha[k] = 1e-3
		}
		return p, small
	},
}

// ownCountIn is exact but for the token's own count.
var ownCountIn = variant{"batch", sampler.Tuning{Fresh: "doc=immediate,word=immediate,topic=immediate", OwnCount: "in"}}

const samples, thin = 10000, 5

// frequencies counts the states that a sampler comes by, taking the problem for what a
// mutation makes of it.
func frequencies(t *testing.T, v variant, p *sampler.Problem, mutate mutation) ([]int, samplertest.Enumerated) {
	t.Helper()
	p.Tuning, p.Seed = v.tuning, 42
	priors := samplertest.PriorsFor(p.K)
	posterior := samplertest.Enumerate(p, priors)
	p, priors = mutate(p, priors)
	observed := make([]int, len(posterior.Q))
	s := samplertest.Start(t, v.name, p, nil, priors)
	for i := range samples {
		samplertest.Sweep(t, s, i*thin+1, (i+1)*thin, priors)
		observed[posterior.State(samplertest.TopicsOf(s, p))]++
	}
	return observed, posterior
}

// worstChiSquare is how many standard deviations above its mean chi-square lies, at most.
func worstChiSquare(t *testing.T, v variant, mutate mutation) float64 {
	t.Helper()
	worst := math.Inf(-1)
	for _, p := range samplertest.TinyProblems() {
		observed, posterior := frequencies(t, v, p, mutate)
		worst = max(worst, samplertest.ChiSquare(observed, posterior.Q))
	}
	return worst
}

// The long-run frequency of every state must be its posterior probability.
//
// Priors of this size make the chains mix within a sweep or two, so states five
// sweeps apart are as good as independent and the chi-square statistic has its
// textbook distribution. A correct sampler exceeds four standard deviations
// with probability below 10^-3 (the statistic is skewed to the right), and the
// seeds are fixed; wrong ones exceed it tenfold.
func TestStateFrequencies(t *testing.T) {
	for _, v := range exact() {
		t.Run(v.String(), func(t *testing.T) {
			if x := worstChiSquare(t, v, none); x > 4 {
				t.Errorf("chi-square lies %.1f standard deviations above its mean", x)
			}
			for name, mutate := range mutations {
				if x := worstChiSquare(t, v, mutate); x < 40 {
					t.Errorf("%s: chi-square lies only %.1f standard deviations above its mean", name, x)
				}
			}
		})
	}
	if x := worstChiSquare(t, ownCountIn, none); x < 40 {
		t.Errorf("own count left in: chi-square lies only %.1f standard deviations above its mean", x)
	}
}

// distance is the largest distance in total variation between the frequencies of states
// and their probabilities.
func distance(t *testing.T, v variant, mutate mutation) float64 {
	t.Helper()
	worst := 0.0
	for _, p := range samplertest.TinyProblems() {
		observed, posterior := frequencies(t, v, p, mutate)
		sum := 0.0
		for i, n := range observed {
			sum += math.Abs(float64(n)/samples - posterior.Q[i])
		}
		worst = max(worst, sum/2)
	}
	return worst
}

// Samplers that are not exact by default come as near to the posterior as they say, and
// are further from it when they are wrong. Every sampler says something.
func TestNearness(t *testing.T) {
	for _, info := range List() {
		t.Run(info.Name, func(t *testing.T) {
			switch {
			case info.Near == 0 && len(info.Exact) == 0:
				t.Fatal("it says neither for what it is exact nor how near it comes")
			case info.Near == 0 || info.Near == 1:
				return
			}
			v := variant{name: info.Name}
			far := distance(t, v, none)
			if far > info.Near || far < info.Near/1.3 {
				t.Errorf("the distance is %.3f, and %.3f is said", far, info.Near)
			}
			for name, mutate := range mutations {
				if x := distance(t, v, mutate); x < info.Near {
					t.Errorf("%s: the distance is only %.3f", name, x)
				}
			}
		})
	}
}
