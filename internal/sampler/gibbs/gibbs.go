// Package gibbs holds collapsed Gibbs sampling, one token after the other: the reference for all other samplers.
package gibbs

import (
	"context"

	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// gibbs is collapsed Gibbs sampling (Griffiths and Steyvers 2004; Algorithm 1
// of Moon et al. 2018), one token after the other, every count fresh:
//
//	p(z = k | rest) ∝ (n_dk + α_k) · (n_wk + β) / (n_k + Vβ)
//
// with the token itself taken out of all counts. It costs O(K) per token, runs in one thread of control, computes in
// float64, and is the oracle that all other samplers are measured against.
type gibbs struct {
	state.Dense
	ndk []int32   // K: the current document's counts
	cum []float64 // K: running sums of the weights

	alpha []float64 // K: of the current document, where groups of documents have priors of their own
}

// Info describes gibbs.
var Info = sampler.Info{
	Exact:   []sampler.Tuning{{}},
	Name:    "gibbs",
	Summary: "dense collapsed Gibbs sampling, one thread; the reference for all others",
	Cost:    "O(K)",
	Source:  "Griffiths & Steyvers 2004",
	MaxK:    1 << 20,
	Guided:  sampler.Always,
	Grouped: true,
	Tables:  sampler.DenseTable,
	New:     newGibbs,
}

func newGibbs(p *sampler.Problem) (sampler.Sampler, error) {
	return &gibbs{
		Dense: state.NewDense(p),
		ndk:   make([]int32, p.K),
		cum:   make([]float64, p.K),
		alpha: make([]float64, p.K),
	}, nil
}

func (g *gibbs) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	random := sampler.Draws{Key: rng.NewKey(g.P.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	vbeta := float64(g.P.V) * priors.Beta
	for d := range g.P.D() {
		alpha := g.P.AlphaOf(g.alpha, d, priors)
		lo, hi := g.P.Offsets[d], g.P.Offsets[d+1]
		for _, k := range g.Z[lo:hi] {
			g.ndk[k]++
		}
		for i := lo; i < hi; i++ {
			u := rng.Float64(random.Pair(i))
			w := int(g.P.Words[i])
			row := g.Nwk[w*g.P.K : (w+1)*g.P.K]
			g.Z[i] = uint32(drawDense(row, g.ndk, g.Nk, g.cum, int(g.Z[i]), u, vbeta, priors.Beta, alpha))
		}
		for _, k := range g.Z[lo:hi] {
			g.ndk[k] = 0
		}
	}
	return nil
}

// drawDense takes a token out of topic old in its word's row n_w, its document's counts n_d and the totals n, draws its
// new topic with the random number u, and puts it there. All slices have K values; cum is scratch for the running sums.
func drawDense(row, ndk, nk []int32, cum []float64, old int, u, vbeta, beta float64, alpha []float64) int {
	ndk[old]--
	row[old]--
	nk[old]--

	sum := 0.0
	for k := range row {
		sum += (float64(ndk[k]) + alpha[k]) * (float64(row[k]) + beta) / (float64(nk[k]) + vbeta)
		cum[k] = sum
	}
	target := u * sum
	k := 0
	for k < len(row)-1 && cum[k] <= target {
		k++
	}

	ndk[k]++
	row[k]++
	nk[k]++
	return k
}
