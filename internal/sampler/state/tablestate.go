package state

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Sparse is denseState for many topics: n_wk is a counts.Table, whose rows
// are as small as their words are rare. Samplers embed it.
type Sparse struct {
	P     *sampler.Problem
	Z     []uint32      // N topics, corpus order
	Table *counts.Table // n_wk
	Nk    []int32       // K
}

func NewSparse(p *sampler.Problem) Sparse {
	return Sparse{
		P:     p,
		Z:     make([]uint32, p.N()),
		Table: counts.NewTable(p.K, counts.Frequencies(p.Words, p.V)),
		Nk:    make([]int32, p.K),
	}
}

// Start implements Sampler: a uniform random topic per token unless z is given.
func (s *Sparse) Start(z []uint32, _ *sampler.Priors) error {
	if z == nil {
		sampler.RandomTopics(s.P, s.Z)
	} else {
		copy(s.Z, z)
	}
	if s.P.Part != nil {
		return nil // counts are kept elsewhere
	}
	s.Table.Clear()
	clear(s.Nk)
	for i, w := range s.P.Words {
		s.Table.Add(int(w), int(s.Z[i]), 1)
		s.Nk[s.Z[i]]++
	}
	return nil
}

// Topics implements Sampler.
func (s *Sparse) Topics(z []uint32) { copy(z, s.Z) }

// AppendRow implements Sampler.
func (s *Sparse) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return s.Table.AppendRow(dst, w)
}

// TopicTotals implements Sampler.
func (s *Sparse) TopicTotals() []uint64 {
	totals := make([]uint64, s.P.K)
	for k, n := range s.Nk {
		totals[k] = uint64(n)
	}
	return totals
}

// Histograms implements Sampler.
func (s *Sparse) Histograms() *counts.Histograms {
	h := sampler.NewHistograms(s.P.K)
	h.AddRows(s.Table, 0, s.P.V)
	h.AddDocs(s.P, s.Z)
	copy(h.TopicTotals, s.TopicTotals())
	return &h.Histograms
}
