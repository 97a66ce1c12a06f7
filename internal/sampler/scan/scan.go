// Package scan is collapsed Gibbs sampling with a choice of the order in which tokens are visited.
package scan

import (
	"context"

	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// scan draws one token after the other with every count fresh,
//
//	p(z = k | rest) ∝ (n_dk + α_k) · (n_wk + β) / (n_k + Vβ),
//
// documents forwards, or in every second sweep backwards: forth and back together are a reversible chain
// (Besag 1986), whose autocorrelations are never negative. It costs O(K) per token, in one thread of control.
type scan struct {
	state.Dense
	ndk []int32   // K: the current document's counts
	cum []float64 // K: running sums of the weights
}

// Info describes scan.
var Info = sampler.Info{
	Exact:   []sampler.Tuning{{}, {ScanOrder: "alternate"}},
	Name:    "scan",
	Summary: "dense collapsed Gibbs sampling in a chosen order of documents, one thread",
	Cost:    "O(K)",
	Source:  "Besag 1986",
	MaxK:    1 << 20,
	Tables:  sampler.DenseTable,
	New: func(p *sampler.Problem) (sampler.Sampler, error) {
		return &scan{Dense: state.NewDense(p), ndk: make([]int32, p.K), cum: make([]float64, p.K)}, nil
	},
}

// Sweep implements Sampler.
func (s *scan) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	random := sampler.Draws{Key: rng.NewKey(s.P.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	backwards := s.P.Tuning.ScanOrder == "alternate" && iteration%2 == 0
	for i := range s.P.D() {
		d := i
		if backwards {
			d = s.P.D() - 1 - i
		}
		s.document(d, random, priors)
	}
	return nil
}

// document draws the topics of one document.
func (s *scan) document(d int, random sampler.Draws, priors *sampler.Priors) {
	lo, hi := s.P.Offsets[d], s.P.Offsets[d+1]
	vbeta := float64(s.P.V) * priors.Beta
	for _, k := range s.Z[lo:hi] {
		s.ndk[k]++
	}
	for i := lo; i < hi; i++ {
		w, old := int(s.P.Words[i]), s.Z[i]
		row := s.Nwk[w*s.P.K : (w+1)*s.P.K]
		s.ndk[old]--
		row[old]--
		s.Nk[old]--
		sum := 0.0
		for k := range row {
			sum += (float64(s.ndk[k]) + priors.Alpha[k]) * (float64(row[k]) + priors.Beta) / (float64(s.Nk[k]) + vbeta)
			s.cum[k] = sum
		}
		target := rng.Float64(random.Pair(i)) * sum
		k := 0
		for k < len(row)-1 && s.cum[k] <= target {
			k++
		}
		s.Z[i] = uint32(k)
		s.ndk[k]++
		row[k]++
		s.Nk[k]++
	}
	for _, k := range s.Z[lo:hi] {
		s.ndk[k] = 0
	}
}
