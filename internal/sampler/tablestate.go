package sampler

import "github.com/topoi-lda/topoi/internal/counts"

// tableState is denseState for many topics: n_wk is a counts.Table, whose rows
// are as small as their words are rare. Samplers embed it.
type tableState struct {
	p     *Problem
	z     []uint32      // N topics, corpus order
	table *counts.Table // n_wk
	nk    []int32       // K
}

func newTableState(p *Problem) tableState {
	return tableState{
		p:     p,
		z:     make([]uint32, p.N()),
		table: counts.NewTable(p.K, counts.Frequencies(p.Words, p.V)),
		nk:    make([]int32, p.K),
	}
}

// Start implements Sampler: a uniform random topic per token unless z is given.
func (s *tableState) Start(z []uint32, _ *Priors) error {
	if z == nil {
		randomTopics(s.p, s.z)
	} else {
		copy(s.z, z)
	}
	if s.p.part != nil {
		return nil // counts are kept elsewhere
	}
	s.table.Clear()
	clear(s.nk)
	for i, w := range s.p.Words {
		s.table.Add(int(w), int(s.z[i]), 1)
		s.nk[s.z[i]]++
	}
	return nil
}

// Topics implements Sampler.
func (s *tableState) Topics(z []uint32) { copy(z, s.z) }

// AppendRow implements Sampler.
func (s *tableState) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return s.table.AppendRow(dst, w)
}

// TopicTotals implements Sampler.
func (s *tableState) TopicTotals() []uint64 {
	totals := make([]uint64, s.p.K)
	for k, n := range s.nk {
		totals[k] = uint64(n)
	}
	return totals
}

// Histograms implements Sampler.
func (s *tableState) Histograms() *counts.Histograms {
	h := newHistograms(s.p.K)
	h.addRows(s.table, 0, s.p.V)
	h.addDocs(s.p, s.z)
	copy(h.TopicTotals, s.TopicTotals())
	return &h.Histograms
}
