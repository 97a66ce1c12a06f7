package state

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Tokens holds the part that all states share: the topics of the tokens, and their totals.
type Tokens struct {
	P  *sampler.Problem
	Z  []uint32 // N topics, corpus order
	Nk []int32  // K
}

func newTokens(p *sampler.Problem) Tokens {
	return Tokens{P: p, Z: make([]uint32, p.N()), Nk: make([]int32, p.K)}
}

// set sets the topics to z or, if that is nil, to uniform random ones.
func (s *Tokens) set(z []uint32) {
	if z == nil {
		sampler.RandomTopics(s.P, 0, s.Z)
	} else {
		copy(s.Z, z)
	}
}

// Capabilities implements Sampler. Topics are the whole state.
func (s *Tokens) Capabilities() sampler.Capabilities { return sampler.Capabilities{} }

func (s *Tokens) Topics(z []uint32) { copy(z, s.Z) }

func (s *Tokens) TopicTotals() []uint64 {
	totals := make([]uint64, s.P.K)
	counts.Copy(totals, s.Nk)
	return totals
}

// histograms returns the histograms of the tokens and of rows, which is n_wk.
func (s *Tokens) histograms(rows counts.Rows) *counts.Histograms {
	h := sampler.NewHistograms(s.P.K)
	h.AddRows(rows, 0, s.P.V)
	h.AddDocs(s.P, s.Z)
	copy(h.TopicTotals, s.TopicTotals())
	return &h.Histograms
}

// TopicList is a set of topics. A change takes O(size); iteration is fast.
type TopicList []uint32

// Add adds a topic that is not in the list.
func (l *TopicList) Add(k uint32) { *l = append(*l, k) }

// Remove removes a topic, if it is in the list.
func (l *TopicList) Remove(k uint32) {
	for i, x := range *l {
		if x == k {
			last := len(*l) - 1
			(*l)[i] = (*l)[last]
			*l = (*l)[:last]
			return
		}
	}
}

// Sparse is Dense for many topics: n_wk is a counts.Table, in which rare words have small rows. Samplers embed it.
type Sparse struct {
	Tokens
	Table *counts.Table // n_wk
}

func NewSparse(p *sampler.Problem) Sparse {
	return Sparse{newTokens(p), counts.NewTable(p.K, counts.Frequencies(p.Words, p.V))}
}

// Start implements Sampler. Topics are uniform random unless z is given.
func (s *Sparse) Start(z []uint32, _ *sampler.Priors) error {
	s.set(z)
	if s.P.Part != nil {
		return nil // counts are stored elsewhere
	}
	s.Table.Clear()
	clear(s.Nk)
	for i, w := range s.P.Words {
		s.Table.Add(int(w), int(s.Z[i]), 1)
		s.Nk[s.Z[i]]++
	}
	return nil
}

func (s *Sparse) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return s.Table.AppendRow(dst, w)
}

func (s *Sparse) Histograms() *counts.Histograms { return s.histograms(s.Table) }
