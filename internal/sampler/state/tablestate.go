package state

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Sparse is Dense for many topics: n_wk is a counts.Table, whose rows
// are as small as their words are rare. Samplers embed it.
type Sparse struct {
	Tokens
	Table *counts.Table // n_wk
}

func NewSparse(p *sampler.Problem) Sparse {
	return Sparse{newTokens(p), counts.NewTable(p.K, counts.Frequencies(p.Words, p.V))}
}

// Start implements Sampler: a uniform random topic per token unless z is given.
func (s *Sparse) Start(z []uint32, _ *sampler.Priors) error {
	s.set(z)
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

// AppendRow implements Sampler.
func (s *Sparse) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return s.Table.AppendRow(dst, w)
}

// Histograms implements Sampler.
func (s *Sparse) Histograms() *counts.Histograms { return s.histograms(s.Table) }
