package sampler

import "github.com/topoi-lda/topoi/internal/counts"

// denseState is the state of the samplers that keep z in corpus order and n_wk
// as a dense table: one thread of control, every count fresh. Samplers embed it.
type denseState struct {
	p   *Problem
	z   []uint32 // N topics, corpus order
	nwk []int32  // V × K, row-major: nwk[w*K+k]
	nk  []int32  // K
}

func newDenseState(p *Problem) denseState {
	return denseState{
		p:   p,
		z:   make([]uint32, p.N()),
		nwk: make([]int32, p.V*p.K),
		nk:  make([]int32, p.K),
	}
}

// Start implements Sampler: a uniform random topic per token unless z is given.
func (s *denseState) Start(z []uint32, _ *Priors) error {
	if z == nil {
		randomTopics(s.p, s.z)
	} else {
		copy(s.z, z)
	}
	s.recount()
	return nil
}

// recount computes n_wk and n_k from z.
func (s *denseState) recount() {
	clear(s.nwk)
	clear(s.nk)
	for i, w := range s.p.Words {
		k := s.z[i]
		s.nwk[int(w)*s.p.K+int(k)]++
		s.nk[k]++
	}
}

// Topics implements Sampler.
func (s *denseState) Topics(z []uint32) { copy(z, s.z) }

// AppendRow implements Sampler.
func (s *denseState) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	for k, n := range s.nwk[w*s.p.K : (w+1)*s.p.K] {
		if n > 0 {
			dst = append(dst, counts.Entry{Topic: uint32(k), Count: uint32(n)})
		}
	}
	return dst
}

// TopicTotals implements Sampler.
func (s *denseState) TopicTotals() []uint64 {
	totals := make([]uint64, s.p.K)
	for k, n := range s.nk {
		totals[k] = uint64(n)
	}
	return totals
}

// Histograms implements Sampler.
func (s *denseState) Histograms() *counts.Histograms {
	h := newHistograms(s.p.K)
	h.addRows(s, 0, s.p.V)
	h.addDocs(s.p, s.z)
	copy(h.TopicTotals, s.TopicTotals())
	return &h.Histograms
}

// docChunk is the number of documents that a worker takes at once.
const docChunk = 64
