// Package gibbs holds collapsed Gibbs sampling, one token after the other: the reference for all
// other samplers.
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
// with the token itself taken out of all counts. It costs O(K) per token, runs
// in one thread of control, computes in float64, and is the oracle that all
// other samplers are measured against.
type gibbs struct {
	state.Dense
	ndk []int32   // K: the current document's counts
	cum []float64 // K: running sums of the weights
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
	}, nil
}

// Sweep implements Sampler.
func (g *gibbs) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	random := sampler.Draws{Key: rng.NewKey(g.P.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	if g.P.Groups != nil {
		g.sweepGroups(random, priors)
		return nil
	}
	vbeta := float64(g.P.V) * priors.Beta
	for d := range g.P.D() {
		lo, hi := g.P.Offsets[d], g.P.Offsets[d+1]
		for _, k := range g.Z[lo:hi] {
			g.ndk[k]++
		}
		for i := lo; i < hi; i++ {
			u := rng.Float64(random.Pair(i))
			w := int(g.P.Words[i])
			row := g.Nwk[w*g.P.K : (w+1)*g.P.K]
			g.Z[i] = uint32(drawDense(row, g.ndk, g.Nk, g.cum, int(g.Z[i]), u, vbeta, priors))
		}
		for _, k := range g.Z[lo:hi] {
			g.ndk[k] = 0
		}
	}
	return nil
}

// drawDense takes a token out of topic old in its word's row n_w, its document's
// counts n_d and the totals n, draws its new topic with the random number u, and
// puts it there. All slices have K values; cum is scratch for the running sums.
func drawDense(row, ndk, nk []int32, cum []float64, old int, u, vbeta float64, priors *sampler.Priors) int {
	ndk[old]--
	row[old]--
	nk[old]--

	sum := 0.0
	for k := range row {
		sum += (float64(ndk[k]) + priors.Alpha[k]) * (float64(row[k]) + priors.Beta) / (float64(nk[k]) + vbeta)
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

// grouped is what a sweep over documents with priors of their own needs.
type grouped struct {
	*gibbs
	at      []int     // K: the place of a topic in the group of the document
	weights []float64 // n_dk + α_k of the group's topics
	scaled  []float64 // (n_dk + α_k) / (n_k + Vβ)
	inv     []float64 // K: 1/(n_k + Vβ)
	vbeta   float64
	beta    float64
}

// sweepGroups is Sweep where every group of documents has its own topics and α. A token costs as much as its group has
// topics. Documents whose group has one topic stay as they are.
func (g *gibbs) sweepGroups(random sampler.Draws, priors *sampler.Priors) {
	s := &grouped{
		gibbs: g, at: make([]int, g.P.K), inv: make([]float64, g.P.K),
		beta: priors.Beta, vbeta: float64(g.P.V) * priors.Beta,
	}
	for k := range s.inv {
		s.refresh(uint32(k))
	}
	for d := range g.P.D() {
		if group := &priors.Groups[g.P.Groups[d]]; len(group.Topics) > 1 {
			s.document(g.P.Offsets[d], g.P.Offsets[d+1], group, random)
		}
	}
}

func (s *grouped) refresh(k uint32) { s.inv[k] = 1 / (float64(s.Nk[k]) + s.vbeta) }

// document draws the tokens lo … hi-1.
func (s *grouped) document(lo, hi uint64, group *sampler.Group, random sampler.Draws) {
	s.weights, s.scaled = s.weights[:0], s.scaled[:0]
	for i, k := range group.Topics {
		s.at[k], s.weights = i, append(s.weights, group.Alpha[i])
	}
	for _, k := range s.Z[lo:hi] {
		s.weights[s.at[k]]++
	}
	for i, k := range group.Topics {
		s.scaled = append(s.scaled, s.weights[i]*s.inv[k])
	}
	for i := lo; i < hi; i++ {
		row := s.Nwk[int(s.P.Words[i])*s.P.K:][:s.P.K]
		s.move(row, s.Z[i], -1)
		s.Z[i] = group.Topics[s.draw(row, group.Topics, rng.Float64(random.Pair(i)))]
		s.move(row, s.Z[i], 1)
	}
}

// draw returns the place of a topic among those of the group.
func (s *grouped) draw(row []int32, topics []uint32, u float64) int {
	sum, cum, scaled := 0.0, s.cum[:len(topics)], s.scaled[:len(topics)]
	for j, k := range topics {
		sum += scaled[j] * (float64(row[k]) + s.beta)
		cum[j] = sum
	}
	target, j := u*sum, 0
	for j < len(cum)-1 && cum[j] <= target {
		j++
	}
	return j
}

// move adds a token to a topic, or takes it out.
func (s *grouped) move(row []int32, k uint32, by int32) {
	row[k] += by
	s.Nk[k] += by
	s.refresh(k)
	at := s.at[k]
	s.weights[at] += float64(by)
	s.scaled[at] = s.weights[at] * s.inv[k]
}
