// Package alias implements AliasLDA, which uses alias tables as proposals for the dense part of the draw.
package alias

import (
	"cmp"
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/discrete"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/aliasrows"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// alias is AliasLDA (Li, Ahmed, Ravi and Smola 2014; LightLDA eq. 3). The conditional of gibbs is cut in two,
//
//	p(k) ∝ n_dk (n_wk + β) / (n_k + Vβ)     over the document's topics, fresh
//	     + α_k (n_wk + β) / (n_k + Vβ)      dense, from tables that may be old
//
// A topic is proposed from the sum q(k) of the fresh first part and the old second part, and accepted by
// Metropolis-Hastings with p(t) q(s) / (p(s) q(t)). The second part is again cut in two: α_k n_wk / (n_k + Vβ) in a
// sparse alias table for each word, and α_k β / (n_k + Vβ) in one dense table for all. A word's table is built again
// after as many draws as it has topics, the dense one after K, so their cost is O(1) a draw: when depends on counts
// alone. Costs O(K_d) per token. All counts are fresh, in one thread of control.
//
// A table that is built again for every draw, without the token, leaves p(z | w) exactly unchanged; an older one was
// built from topics that the token and its neighbours have since left, and so is not independent of where the chain
// stands. On corpora of six tokens a chi-square test can see that; more steps per token make it vanish.
type alias struct {
	state.Sparse
	steps int // proposals per token
	every int // draws between builds; 0: as many as the table has topics

	words   *aliasrows.Rows // V: α_k n_wk / (n_k + Vβ)
	left    []int           // V: draws until the word's table is rebuilt
	builder aliasrows.Builder

	dense     discrete.Alias[float64] // α_k β / (n_k + Vβ)
	denseRow  []float64               // K: its weights
	denseSum  float64
	denseLeft int // draws until it is rebuilt

	ndk []int32         // K: counts of the current document
	doc state.TopicList // its topics
	cum []float64       // scratch: running sums of the first part
}

// Info describes alias.
var Info = sampler.Info{
	Exact:   []sampler.Tuning{{AliasEvery: 1}},
	Near:    0.11,
	Name:    "alias",
	Summary: "AliasLDA: sparse in documents, old alias tables for the rest; one thread",
	Cost:    "O(K_d)",
	Source:  "Li, Ahmed, Ravi & Smola 2014",
	MaxK:    1 << 24,
	New:     newAlias,
}

func newAlias(p *sampler.Problem) (sampler.Sampler, error) {
	return &alias{
		Sparse:   state.NewSparse(p),
		steps:    cmp.Or(p.Tuning.MHSteps, 2),
		every:    p.Tuning.AliasEvery,
		words:    aliasrows.New(counts.Frequencies(p.Words, p.V), p.K, true),
		left:     make([]int, p.V),
		denseRow: make([]float64, p.K),
		ndk:      make([]int32, p.K),
	}, nil
}

// Sweep implements Sampler. Every table is rebuilt at its first use in a sweep, so that a sweep depends on z
// alone and a resumed run gives the same result.
func (a *alias) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	random := sampler.Draws{Key: rng.NewKey(a.P.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	clear(a.left)
	a.denseLeft = 0
	for d := range a.P.D() {
		lo, hi := a.P.Offsets[d], a.P.Offsets[d+1]
		for _, k := range a.Z[lo:hi] {
			if a.ndk[k] == 0 {
				a.doc.Add(k)
			}
			a.ndk[k]++
		}
		for i := lo; i < hi; i++ {
			a.Z[i] = a.Draw(i, a.P.Words[i], a.Z[i], random, priors)
		}
		for _, k := range a.doc {
			a.ndk[k] = 0
		}
		a.doc = a.doc[:0]
	}
	return nil
}

// Draw takes token i of word w out of topic old, walks the Markov chain from there, and puts it where the chain ends.
func (a *alias) Draw(i uint64, w, old uint32, random sampler.Draws, priors *sampler.Priors) uint32 {
	a.take(w, old)
	a.refresh(int(w), priors)

	vbeta := float64(float64(a.P.V) * priors.Beta)
	fresh := 0.0
	a.cum = a.cum[:0]
	for _, k := range a.doc {
		fresh += float64(float64(a.ndk[k]) * a.phi(w, k, vbeta, priors))
		a.cum = append(a.cum, fresh)
	}

	s := old
	pS, qS := a.densities(w, s, vbeta, priors)
	for step := range a.steps {
		u := random.Step(i, step)
		t := a.propose(int(w), fresh, rng.Float64(u[0], u[1]))
		if t == s {
			continue
		}
		pT, qT := a.densities(w, t, vbeta, priors)
		if rng.Float64(u[2], u[3])*(pS*qT) < pT*qS {
			s, pS, qS = t, pT, qT
		}
	}
	a.put(w, s)
	return s
}

// propose turns u into a topic drawn from the fresh and old parts together.
func (a *alias) propose(w int, fresh, u float64) uint32 {
	old := a.words.Sum[w]
	target := float64(u * (fresh + old + a.denseSum))
	if target < fresh {
		for i, c := range a.cum {
			if target < c {
				return a.doc[i]
			}
		}
	}
	target -= fresh
	if target < old {
		return a.words.Draw(w, sampler.Unit(target/old))
	}
	return uint32(a.dense.Draw(sampler.Unit((target - old) / a.denseSum)))
}

// densities returns the target p(k) and the proposal q(k), unnormalised.
func (a *alias) densities(w, k uint32, vbeta float64, priors *sampler.Priors) (p, q float64) {
	phi := a.phi(w, k, vbeta, priors)
	n := float64(a.ndk[k])
	return (n + priors.Alpha[k]) * phi, float64(n*phi) + a.words.WeightOf(int(w), k) + a.denseRow[k]
}

// phi returns (n_wk + β) / (n_k + Vβ).
func (a *alias) phi(w, k uint32, vbeta float64, priors *sampler.Priors) float64 {
	return (float64(a.Table.Get(int(w), int(k))) + priors.Beta) / (float64(a.Nk[k]) + vbeta)
}

// refresh rebuilds the tables whose draws are used up.
func (a *alias) refresh(w int, priors *sampler.Priors) {
	vbeta := float64(float64(a.P.V) * priors.Beta)
	if a.denseLeft == 0 {
		a.denseSum = 0
		for k, n := range a.Nk {
			a.denseRow[k] = priors.Alpha[k] * priors.Beta / (float64(n) + vbeta)
			a.denseSum += a.denseRow[k]
		}
		a.dense.Build(a.denseRow)
		a.denseLeft = cmp.Or(a.every, a.P.K)
	}
	if a.left[w] == 0 {
		a.words.Build(w, a.Table, &a.builder, func(k uint32) float64 {
			return priors.Alpha[k] / (float64(a.Nk[k]) + vbeta)
		})
		a.left[w] = cmp.Or(a.every, max(1, int(a.words.Length[w])))
	}
	a.denseLeft--
	a.left[w]--
}

// take removes a token of word w from topic k.
func (a *alias) take(w, k uint32) {
	a.Table.Add(int(w), int(k), -1)
	a.Nk[k]--
	if a.ndk[k]--; a.ndk[k] == 0 {
		a.doc.Remove(k)
	}
}

// put adds a token of word w to topic k.
func (a *alias) put(w, k uint32) {
	a.Table.Add(int(w), int(k), 1)
	a.Nk[k]++
	if a.ndk[k]++; a.ndk[k] == 1 {
		a.doc.Add(k)
	}
}
