package light

import (
	"math"
	"testing"

	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// On a frozen model the chain of every token must leave the exact conditional
// unchanged. One document of three tokens is resampled again and again while
// the word and topic counts of its corpus stay frozen; the states z of the
// document then have the probabilities
//
//	p(z) ∝ Π_k Γ(n_dk + α_k) · Π_i φ_i(z_i)
//
// with φ_i the frozen model without the count that token i had in it. States 20
// passes apart are as good as independent, for the doc- and word-proposals alone
// too. Bound and pooling as for TestStateFrequencies.
func TestLightOnFrozenModel(t *testing.T) {
	const samples, thin = 5000, 20
	for _, proposal := range []string{"doc", "word", "cycle"} {
		for _, steps := range []int{1, 4} {
			p := samplertest.ProblemOf(3, 3, []uint32{0, 1, 1}, []uint32{0, 0, 1, 2, 2}, []uint32{0, 1, 2, 2})
			p.Tuning = sampler.Tuning{Proposal: proposal, MHSteps: steps}
			priors := samplertest.PriorsFor(p.K)
			l := samplertest.Start(t, "light", p, nil, priors).(*light)
			frozen := freezeLight(t, l, priors)
			observed := make([]int, len(frozen.Q))
			s := &l.scratch[0]
			for iteration := range samples * thin {
				walkFrozen(l, s, frozen.own, iteration, priors)
				if iteration%thin == 0 {
					observed[frozen.State(l.Z[:3])]++
				}
			}
			if x := samplertest.ChiSquare(observed, frozen.Q); x > 4 {
				t.Errorf("%s, %d steps: chi-square lies %.1f standard deviations above its mean", proposal, steps, x)
			}
		}
	}
}

// frozenDoc is the distribution of the first document's topics on a frozen model.
type frozenDoc struct {
	samplertest.Enumerated
	own []uint32 // topics when the model was frozen
}

func freezeLight(t *testing.T, l *light, priors *sampler.Priors) frozenDoc {
	l.freeze(priors)
	if err := l.buildTables(t.Context(), []uint32{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	l.takeAlpha(priors.Alpha)
	doc := samplertest.ProblemOf(l.P.V, l.P.K, l.P.Words[:3])
	f := frozenDoc{Enumerated: samplertest.Enumerate(doc, priors), own: append([]uint32(nil), l.Z[:3]...)}
	c := samplertest.RecountOf(l.P, l.Z)
	sum := 0.0
	for i := range f.Q {
		z := f.Topics(i)
		f.Q[i] = 1
		ndk := make([]int, l.P.K)
		for token, k := range z {
			nwk, nk := c.Nwk[doc.Words[token]][k], c.Nk[k]
			if k == f.own[token] {
				nwk, nk = nwk-1, nk-1
			}
			f.Q[i] *= (float64(nwk) + priors.Beta) / (float64(nk) + float64(l.P.V)*priors.Beta)
			ndk[k]++
		}
		for k, n := range ndk {
			f.Q[i] *= math.Gamma(float64(n) + priors.Alpha[k])
		}
		sum += f.Q[i]
	}
	for i := range f.Q {
		f.Q[i] /= sum
	}
	return f
}

// walkFrozen resamples the first document as sampleDoc does, but leaves the model alone.
func walkFrozen(l *light, s *lightScratch, own []uint32, iteration int, priors *sampler.Priors) {
	doc := l.Z[:3]
	clear(s.ndk)
	for _, k := range doc {
		s.ndk[k]++
	}
	random := sampler.Draws{Key: rng.NewKey(5), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	for i := range doc {
		chain := lightChain{light: l, doc: doc, ndk: s.ndk, alpha: priors.Alpha, i: i, w: int(l.P.Words[i]), own: own[i]}
		doc[i] = chain.walk(doc[i], uint64(i), random)
	}
}

// Rounds hold every document once, in order, with the words in them.
func TestLightRounds(t *testing.T) {
	p := samplertest.RandomProblem(3, 50, 20, 3, 12)
	for _, n := range []int{1, 3, 7, 200} {
		next := 0
		for _, round := range lightRounds(p, n) {
			if round.firstDoc != next {
				t.Fatalf("%d rounds: round begins at %d, not %d", n, round.firstDoc, next)
			}
			next = round.endDoc
			words := map[uint32]bool{}
			for _, w := range p.Words[p.Offsets[round.firstDoc]:p.Offsets[round.endDoc]] {
				words[w] = true
			}
			if len(words) != len(round.words) {
				t.Fatalf("%d rounds: %d words, want %d", n, len(round.words), len(words))
			}
		}
		if next != p.D() {
			t.Fatalf("%d rounds end at document %d of %d", n, next, p.D())
		}
	}
}

// A hundred thousand topics must not need memory for V × K.
func TestLightWithManyTopics(t *testing.T) {
	p := samplertest.RandomProblem(6, 50, 2000, 100_000, 40)
	priors := &sampler.Priors{Alpha: make([]float64, p.K), Beta: 0.01}
	for k := range priors.Alpha {
		priors.Alpha[k] = 50 / float64(p.K)
	}
	l := samplertest.Start(t, "light", p, nil, priors).(*light)
	samplertest.Sweep(t, l, 1, 3, priors)
	if bytes := l.Table.MemoryBytes(); bytes > 4*p.V*p.K/100 {
		t.Errorf("n_wk takes %d bytes for %d tokens", bytes, p.N())
	}
	distinct := map[uint32]bool{}
	for _, k := range samplertest.TopicsOf(l, p) {
		distinct[k] = true
	}
	if len(distinct) < 50 {
		t.Errorf("only %d topics in use", len(distinct))
	}
}
