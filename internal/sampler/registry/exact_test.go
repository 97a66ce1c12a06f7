package registry

import (
	"math"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
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

// A misfit is how far frequencies of states are from their probabilities.
type misfit func(observed []int, q []float64) float64

// distance is a misfit: the distance in total variation.
func distance(observed []int, q []float64) float64 {
	sum := 0.0
	for i, n := range observed {
		sum += math.Abs(float64(n)/samples - q[i])
	}
	return sum / 2
}

// worst is the largest misfit of the tiny problems, or the first that is enough.
func worst(t *testing.T, v variant, mutate mutation, of misfit, enough float64, guided func([]*sampler.Problem) []*sampler.Problem) float64 {
	t.Helper()
	x := math.Inf(-1)
	problems := samplertest.TinyProblems()
	if guided != nil {
		problems = guided(problems)
	}
	for _, p := range problems {
		observed, posterior := frequencies(t, v, p, mutate)
		if x = max(x, of(observed, posterior.Q)); x >= enough {
			break
		}
	}
	return x
}

// The long-run frequency of every state must be its posterior probability.
//
// Priors of this size make the chains mix within a sweep or two, so states five
// sweeps apart are as good as independent and the chi-square statistic has its
// textbook distribution. A correct sampler exceeds four standard deviations
// with probability below 10^-3 (the statistic is skewed to the right), and the
// seeds are fixed; wrong ones exceed it tenfold.
func TestStateFrequencies(t *testing.T) {
	const wrong = 40
	for _, v := range exact() {
		t.Run(v.String(), func(t *testing.T) {
			if x := worst(t, v, none, samplertest.ChiSquare, wrong, nil); x > 4 {
				t.Errorf("chi-square lies %.1f standard deviations above its mean", x)
			}
			for name, mutate := range mutations {
				if x := worst(t, v, mutate, samplertest.ChiSquare, wrong, nil); x < wrong {
					t.Errorf("%s: chi-square lies only %.1f standard deviations above its mean", name, x)
				}
			}
		})
	}
	if x := worst(t, ownCountIn, none, samplertest.ChiSquare, wrong, nil); x < wrong {
		t.Errorf("own count left in: chi-square lies only %.1f standard deviations above its mean", x)
	}
}

// pseudoCounts gives problems the pseudo-counts 0, 1 and 3 in turn.
func pseudoCounts(problems []*sampler.Problem) []*sampler.Problem {
	for i, p := range problems {
		p.Pseudo = counts.NewPseudo(p.V, p.K, func(w int) (row []counts.Entry) {
			for k := range p.K {
				row = append(row, counts.Entry{Topic: uint32(k), Count: []uint32{3, 0, 1, 0}[(w+2*k+i)%4]})
			}
			return row
		})
	}
	return problems
}

// The same with pseudo-counts, for samplers that take them. A sampler that leaves them out is found.
func TestStateFrequenciesWithPseudoCounts(t *testing.T) {
	const wrong = 40
	left := mutation(func(p *sampler.Problem, priors *sampler.Priors) (*sampler.Problem, *sampler.Priors) {
		own := *p
		own.Pseudo = nil
		return &own, priors
	})
	tested := 0
	for _, v := range exact() {
		if !v.guided(samplertest.TinyProblems()[0]) {
			continue
		}
		tested++
		t.Run(v.String(), func(t *testing.T) {
			if x := worst(t, v, none, samplertest.ChiSquare, wrong, pseudoCounts); x > 4 {
				t.Errorf("chi-square lies %.1f standard deviations above its mean", x)
			}
			if x := worst(t, v, left, samplertest.ChiSquare, wrong, pseudoCounts); x < wrong {
				t.Errorf("pseudo-counts left out: chi-square lies only %.1f standard deviations above its mean", x)
			}
		})
	}
	if tested < 3 {
		t.Errorf("only %d exact samplers take pseudo-counts", tested)
	}
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
			far := worst(t, v, none, distance, 1, nil)
			if far > info.Near || far < info.Near/1.3 {
				t.Errorf("the distance is %.3f, and %.3f is said", far, info.Near)
			}
			if v.guided(samplertest.TinyProblems()[0]) { // which make counts larger, and frozen ones so much nearer
				if x := worst(t, v, none, distance, 1, pseudoCounts); x > info.Near {
					t.Errorf("with pseudo-counts the distance is %.3f, and %.3f is said", x, info.Near)
				}
			}
			for name, mutate := range mutations {
				if x := worst(t, v, mutate, distance, info.Near, nil); x < info.Near {
					t.Errorf("%s: the distance is only %.3f", name, x)
				}
			}
		})
	}
}
