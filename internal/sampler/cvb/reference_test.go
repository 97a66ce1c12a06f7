package cvb

import (
	"math"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// converged runs cvb until γ no longer moves.
func converged(t *testing.T, p *sampler.Problem, priors *sampler.Priors) *cvb {
	s := samplertest.Start(t, "cvb", p, nil, priors).(*cvb)
	samplertest.Sweep(t, s, 1, 1000, priors)
	return s
}

// Where the sweeps converge, γ must satisfy the update formula, here computed
// from γ alone without any running sum.
func TestCVBConvergesToItsFixedPoint(t *testing.T) {
	for _, tuning := range []sampler.Tuning{{Partitions: 1}, {Partitions: 3}, {CVB: "zero", Step: 0.9}, {Partitions: 3, Step: 0.5}} {
		p := samplertest.TopicalProblem(1, 30, 12, 4, 3, 15)
		p.Tuning = tuning
		priors := samplertest.PriorsFor(p.K)
		s := converged(t, p, priors)
		for pair := range s.pairs.words {
			want := cvbUpdate(s, pair, tuning.CVB != "zero", priors)
			for k, g := range s.gamma[pair*p.K : (pair+1)*p.K] {
				if math.Abs(float64(g)-want[k]) > 1e-4 {
					t.Fatalf("%+v: γ of pair %d is %v, the formula gives %v", tuning, pair, s.gamma[pair*p.K:(pair+1)*p.K], want)
				}
			}
		}
	}
}

// cvbUpdate computes the update of one token of a pair by definition.
func cvbUpdate(s *cvb, pair int, second bool, priors *sampler.Priors) []float64 {
	doc := 0
	for int(s.pairs.offsets[doc+1]) <= pair {
		doc++
	}
	next := make([]float64, s.P.K)
	sum := 0.0
	for k := range next {
		var mean, variance [3]float64 // of n_dk, n_wk, n_k
		for other, w := range s.pairs.words {
			n := float64(s.pairs.counts[other])
			if other == pair {
				n--
			}
			g := float64(s.gamma[other*s.P.K+k])
			inDoc := other >= int(s.pairs.offsets[doc]) && other < int(s.pairs.offsets[doc+1])
			for i, counts := range []bool{inDoc, w == s.pairs.words[pair], true} {
				if counts {
					mean[i] += n * g
					variance[i] += n * g * (1 - g)
				}
			}
		}
		a, b, c := priors.Alpha[k]+mean[0], priors.Beta+mean[1], float64(s.P.V)*priors.Beta+mean[2]
		next[k] = a * b / c
		if second {
			next[k] *= math.Exp(variance[2]/(2*c*c) - variance[0]/(2*a*a) - variance[1]/(2*b*b))
		}
		sum += next[k]
	}
	for k := range next {
		next[k] /= sum
	}
	return next
}

// The bound must equal its definition, summed over all states, and must not
// exceed the evidence log p(w).
func TestLowerBoundAgainstEnumeration(t *testing.T) {
	for _, p := range samplertest.TinyProblems() {
		priors := samplertest.PriorsFor(p.K)
		p.Tuning.Partitions = 2
		for sweeps := range 4 {
			s := samplertest.Start(t, "cvb", p, nil, priors).(*cvb)
			samplertest.Sweep(t, s, 1, sweeps, priors)
			bound, evidence := enumeratedBound(s, priors)
			got := s.LowerBound(priors)
			if math.Abs(got-bound) > 1e-4 {
				t.Errorf("%d sweeps: bound %v, by enumeration %v", sweeps, got, bound)
			}
			if got > evidence {
				t.Errorf("%d sweeps: bound %v above the evidence %v", sweeps, got, evidence)
			}
		}
	}
}

// enumeratedBound returns Σ_z q(z) log(p(w, z)/q(z)) and log Σ_z p(w, z).
func enumeratedBound(s *cvb, priors *sampler.Priors) (bound, evidence float64) {
	e := samplertest.Enumerate(s.P, priors)
	constant := logJointConstant(s.P, priors)
	sum := 0.0
	for state := range e.Q {
		z := e.Topics(state)
		logQ, token := 0.0, 0
		for pair, n := range s.pairs.counts {
			for range n {
				logQ += math.Log(float64(s.gamma[pair*s.P.K+int(z[token])]))
				token++
			}
		}
		logP := samplertest.LogJoint(s.P, z, priors) + constant
		bound += math.Exp(logQ) * (logP - logQ)
		sum += math.Exp(logP)
	}
	return bound, math.Log(sum)
}

// logJointConstant is the part of log p(w, z) that does not depend on z.
func logJointConstant(p *sampler.Problem, priors *sampler.Priors) float64 {
	alphaSum, constant := 0.0, 0.0
	for _, a := range priors.Alpha {
		alphaSum += a
		constant -= float64(p.D()) * samplertest.Lgamma(a)
	}
	for d := range p.D() {
		constant += samplertest.Lgamma(alphaSum) - samplertest.Lgamma(alphaSum+float64(p.Offsets[d+1]-p.Offsets[d]))
	}
	v := float64(p.V)
	return constant + float64(p.K)*(samplertest.Lgamma(v*priors.Beta)-v*samplertest.Lgamma(priors.Beta))
}

// The second-order expansion that stands in for the distribution of large
// counts must agree with it where both can be computed: 120 tokens with
// probabilities around one half.
func TestLargeCountsInBound(t *testing.T) {
	docs := make([][]uint32, 1)
	for w := range 120 {
		docs[0] = append(docs[0], uint32(w))
	}
	p := samplertest.ProblemOf(120, 2, docs...)
	s := samplertest.Start(t, "cvb", p, nil, samplertest.PriorsFor(2)).(*cvb)
	list := make([]int, 120)
	for i := range list {
		list[i] = i
		s.gamma[2*i] = 0.4 + 0.3*float32(i)/120
	}
	const a = 0.3
	exact := 0.0
	for n, q := range s.distribution(list, 0, 66, 30) {
		exact += q * (samplertest.Lgamma(a+float64(n)) - samplertest.Lgamma(a))
	}
	if got := s.expectedLogGamma(a, list, 0); math.Abs(got-exact) > 0.01 {
		t.Errorf("expansion %v, distribution %v", got, exact)
	}
}

// Drawn topics have the expected counts: over 30 documents of 200 tokens the
// drawn n_k lie within four standard deviations (√Var n_k) of E n_k.
func TestDrawnTopicsHaveExpectedCounts(t *testing.T) {
	p := samplertest.TopicalProblem(2, 30, 30, 5, 3, 200)
	priors := samplertest.PriorsFor(p.K)
	s := samplertest.Start(t, "cvb", p, nil, priors).(*cvb)
	samplertest.Sweep(t, s, 1, 10, priors)
	for k, n := range s.TopicTotals() {
		mean, deviation := s.topics.mean[k], math.Sqrt(s.topics.variance[k])
		if math.Abs(float64(n)-mean) > 4*deviation+1 {
			t.Errorf("topic %d: %d tokens drawn, expected %.1f ± %.1f", k, n, mean, deviation)
		}
	}
}

func TestLoadExtraRefusesForeignState(t *testing.T) {
	p := samplertest.ProblemOf(3, 2, []uint32{0, 1, 1})
	s := samplertest.Start(t, "cvb", p, nil, samplertest.PriorsFor(2)).(*cvb)
	if s.LoadExtra(nil) == nil || s.LoadExtra(make([]byte, 20)) == nil {
		t.Error("wrong length accepted")
	}
	extra := s.SaveExtra()
	extra[3] = 0xff // a negative number
	if s.LoadExtra(extra) == nil {
		t.Error("a negative probability accepted")
	}
}
