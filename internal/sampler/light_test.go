package sampler

import (
	"math"
	"testing"

	"github.com/topoi-lda/topoi/internal/rng"
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
			p := problemOf(3, 3, []uint32{0, 1, 1}, []uint32{0, 0, 1, 2, 2}, []uint32{0, 1, 2, 2})
			p.Tuning = Tuning{Proposal: proposal, MHSteps: steps}
			priors := priorsFor(p.K)
			l := start(t, "light", p, nil, priors).(*light)
			frozen := freezeLight(t, l, priors)
			observed := make([]int, len(frozen.q))
			s := &l.scratch[0]
			for iteration := range samples * thin {
				walkFrozen(l, s, frozen.own, iteration, priors)
				if iteration%thin == 0 {
					observed[frozen.state(l.z[:3])]++
				}
			}
			if x := chiSquare(observed, frozen.q); x > 4 {
				t.Errorf("%s, %d steps: chi-square lies %.1f standard deviations above its mean", proposal, steps, x)
			}
		}
	}
}

// frozenDoc is the distribution of the first document's topics on a frozen model.
type frozenDoc struct {
	enumerated
	own []uint32 // topics when the model was frozen
}

func freezeLight(t *testing.T, l *light, priors *Priors) frozenDoc {
	l.freeze(priors)
	if err := l.buildTables(t.Context(), []uint32{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	l.takeAlpha(priors.Alpha)
	doc := problemOf(l.p.V, l.p.K, l.p.Words[:3])
	f := frozenDoc{enumerated: enumerate(doc, priors), own: append([]uint32(nil), l.z[:3]...)}
	c := recountOf(l.p, l.z)
	sum := 0.0
	for i := range f.q {
		z := f.topics(i)
		f.q[i] = 1
		ndk := make([]int, l.p.K)
		for token, k := range z {
			nwk, nk := c.nwk[doc.Words[token]][k], c.nk[k]
			if k == f.own[token] {
				nwk, nk = nwk-1, nk-1
			}
			f.q[i] *= (float64(nwk) + priors.Beta) / (float64(nk) + float64(l.p.V)*priors.Beta)
			ndk[k]++
		}
		for k, n := range ndk {
			f.q[i] *= math.Gamma(float64(n) + priors.Alpha[k])
		}
		sum += f.q[i]
	}
	for i := range f.q {
		f.q[i] /= sum
	}
	return f
}

// walkFrozen resamples the first document as sampleDoc does, but leaves the model alone.
func walkFrozen(l *light, s *lightScratch, own []uint32, iteration int, priors *Priors) {
	doc := l.z[:3]
	clear(s.ndk)
	for _, k := range doc {
		s.ndk[k]++
	}
	random := draws{key: rng.NewKey(5), iteration: uint32(iteration), purpose: forDraw}
	for i := range doc {
		chain := lightChain{light: l, doc: doc, ndk: s.ndk, alpha: priors.Alpha, i: i, w: int(l.p.Words[i]), own: own[i]}
		doc[i] = chain.walk(doc[i], uint64(i), random)
	}
}

// Rounds hold every document once, in order, with the words in them.
func TestLightRounds(t *testing.T) {
	p := randomProblem(3, 50, 20, 3, 12)
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
	p := randomProblem(6, 50, 2000, 100_000, 40)
	priors := &Priors{Alpha: make([]float64, p.K), Beta: 0.01}
	for k := range priors.Alpha {
		priors.Alpha[k] = 50 / float64(p.K)
	}
	l := start(t, "light", p, nil, priors).(*light)
	sweep(t, l, 1, 3, priors)
	if bytes := l.table.MemoryBytes(); bytes > 4*p.V*p.K/100 {
		t.Errorf("n_wk takes %d bytes for %d tokens", bytes, p.N())
	}
	distinct := map[uint32]bool{}
	for _, k := range topicsOf(l, p) {
		distinct[k] = true
	}
	if len(distinct) < 50 {
		t.Errorf("only %d topics in use", len(distinct))
	}
}
