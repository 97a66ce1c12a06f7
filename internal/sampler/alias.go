package sampler

import (
	"cmp"
	"context"

	"github.com/topoi-lda/topoi/discrete"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/rng"
)

// alias is AliasLDA (Li, Ahmed, Ravi and Smola 2014; LightLDA eq. 3). The
// conditional of gibbs is cut in two,
//
//	p(k) ∝ n_dk (n_wk + β) / (n_k + Vβ)     over the document's topics, fresh
//	     + α_k (n_wk + β) / (n_k + Vβ)      dense, from tables that may be old
//
// A topic is proposed from the sum q(k) of the fresh first part and the old second
// part, and accepted by Metropolis-Hastings with p(t) q(s) / (p(s) q(t)). The second
// part is again cut in two: α_k n_wk / (n_k + Vβ) in a sparse alias table for each
// word, and α_k β / (n_k + Vβ) in one dense table for all. A word's table is built
// anew after as many draws as it has topics, the dense one after K, so their cost
// is O(1) a draw: when depends on counts alone. Costs O(K_d) per token. All counts
// are fresh, in one thread of control.
//
// A table that is built anew for every draw, with the token taken out, leaves
// p(z | w) exactly unchanged; an older one was built from topics that the token
// and its neighbours have since left, and so is not independent of where the
// chain stands. On corpora of six tokens a chi-square test can see that; more
// steps per token make it vanish.
type alias struct {
	tableState
	steps int // proposals per token
	every int // draws between builds; 0: as many as the table has topics

	words   *aliasRows // V: α_k n_wk / (n_k + Vβ)
	left    []int      // V: draws until the word's table is built anew
	builder aliasBuilder

	dense     discrete.Alias[float64] // α_k β / (n_k + Vβ)
	denseRow  []float64               // K: its weights
	denseSum  float64
	denseLeft int // draws until it is built anew

	ndk []int32   // K: counts of the current document
	doc topicList // its topics
	cum []float64 // scratch: running sums of the first part
}

var aliasInfo = Info{
	Name:    "alias",
	Summary: "AliasLDA: sparse in documents, old alias tables for the rest; one thread",
	Cost:    "O(K_d)",
	Source:  "Li, Ahmed, Ravi & Smola 2014",
	MaxK:    1 << 24,
	New:     newAlias,
}

func newAlias(p *Problem) (Sampler, error) {
	return &alias{
		tableState: newTableState(p),
		steps:      cmp.Or(p.Tuning.MHSteps, 2),
		every:      p.Tuning.AliasEvery,
		words:      newAliasRows(counts.Frequencies(p.Words, p.V), p.K, true),
		left:       make([]int, p.V),
		denseRow:   make([]float64, p.K),
		ndk:        make([]int32, p.K),
	}, nil
}

// Sweep implements Sampler. Every table is built anew at its first use in a
// sweep, so that a sweep depends on z alone: a resumed run takes the same path.
func (a *alias) Sweep(_ context.Context, iteration int, priors *Priors) error {
	random := draws{key: rng.NewKey(a.p.Seed), iteration: uint32(iteration), purpose: forDraw}
	clear(a.left)
	a.denseLeft = 0
	for d := range a.p.D() {
		lo, hi := a.p.Offsets[d], a.p.Offsets[d+1]
		for _, k := range a.z[lo:hi] {
			if a.ndk[k] == 0 {
				a.doc.add(k)
			}
			a.ndk[k]++
		}
		for i := lo; i < hi; i++ {
			a.z[i] = a.draw(i, a.p.Words[i], a.z[i], random, priors)
		}
		for _, k := range a.doc {
			a.ndk[k] = 0
		}
		a.doc = a.doc[:0]
	}
	return nil
}

// draw takes token i of word w out of topic old, walks the Markov chain from
// there, and puts it where the chain ends.
func (a *alias) draw(i uint64, w, old uint32, random draws, priors *Priors) uint32 {
	a.take(w, old)
	a.refresh(int(w), priors)

	vbeta := float64(a.p.V) * priors.Beta
	fresh := 0.0
	a.cum = a.cum[:0]
	for _, k := range a.doc {
		fresh += float64(a.ndk[k]) * a.phi(w, k, vbeta, priors)
		a.cum = append(a.cum, fresh)
	}

	s := old
	pS, qS := a.densities(w, s, vbeta, priors)
	for step := range a.steps {
		u := random.step(i, step)
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
	old := a.words.sum[w]
	target := u * (fresh + old + a.denseSum)
	if target < fresh {
		for i, c := range a.cum {
			if target < c {
				return a.doc[i]
			}
		}
	}
	target -= fresh
	if target < old {
		return a.words.draw(w, unit(target/old))
	}
	return uint32(a.dense.Draw(unit((target - old) / a.denseSum)))
}

// densities returns the target p(k) and the proposal q(k), unnormalised.
func (a *alias) densities(w, k uint32, vbeta float64, priors *Priors) (p, q float64) {
	phi := a.phi(w, k, vbeta, priors)
	n := float64(a.ndk[k])
	return (n + priors.Alpha[k]) * phi, float64(n*phi) + a.words.weightOf(int(w), k) + a.denseRow[k]
}

// phi returns (n_wk + β) / (n_k + Vβ).
func (a *alias) phi(w, k uint32, vbeta float64, priors *Priors) float64 {
	return (float64(a.table.Get(int(w), int(k))) + priors.Beta) / (float64(a.nk[k]) + vbeta)
}

// refresh builds the tables whose draws are used up.
func (a *alias) refresh(w int, priors *Priors) {
	vbeta := float64(a.p.V) * priors.Beta
	if a.denseLeft == 0 {
		a.denseSum = 0
		for k, n := range a.nk {
			a.denseRow[k] = priors.Alpha[k] * priors.Beta / (float64(n) + vbeta)
			a.denseSum += a.denseRow[k]
		}
		a.dense.Build(a.denseRow)
		a.denseLeft = cmp.Or(a.every, a.p.K)
	}
	if a.left[w] == 0 {
		a.words.build(w, a.table, &a.builder, func(k uint32) float64 {
			return priors.Alpha[k] / (float64(a.nk[k]) + vbeta)
		})
		a.left[w] = cmp.Or(a.every, max(1, int(a.words.length[w])))
	}
	a.denseLeft--
	a.left[w]--
}

// take removes a token of word w from topic k.
func (a *alias) take(w, k uint32) {
	a.table.Add(int(w), int(k), -1)
	a.nk[k]--
	if a.ndk[k]--; a.ndk[k] == 0 {
		a.doc.remove(k)
	}
}

// put adds a token of word w to topic k.
func (a *alias) put(w, k uint32) {
	a.table.Add(int(w), int(k), 1)
	a.nk[k]++
	if a.ndk[k]++; a.ndk[k] == 1 {
		a.doc.add(k)
	}
}
