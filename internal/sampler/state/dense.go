// Package state is the state that samplers in memory embed: topics in corpus order with
// n_wk as a dense table, or as a sparse one for many topics.
package state

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Dense is the state of the samplers that keep z in corpus order and n_wk
// as a dense table: one thread of control, every count fresh. Samplers embed it.
type Dense struct {
	Tokens
	Nwk []int32 // V × K, row-major: nwk[w*K+k]
}

func NewDense(p *sampler.Problem) Dense { return Dense{newTokens(p), make([]int32, p.V*p.K)} }

// Start implements Sampler: a uniform random topic per token unless z is given.
func (s *Dense) Start(z []uint32, _ *sampler.Priors) error {
	s.set(z)
	s.Recount()
	return nil
}

// Recount computes n_wk and n_k from z.
func (s *Dense) Recount() {
	clear(s.Nwk)
	clear(s.Nk)
	for i, w := range s.P.Words {
		k := s.Z[i]
		s.Nwk[int(w)*s.P.K+int(k)]++
		s.Nk[k]++
	}
}

// AppendRow implements Sampler.
func (s *Dense) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	for k, n := range s.Nwk[w*s.P.K : (w+1)*s.P.K] {
		if n > 0 {
			dst = append(dst, counts.Entry{Topic: uint32(k), Count: uint32(n)})
		}
	}
	return dst
}

// Histograms implements Sampler.
func (s *Dense) Histograms() *counts.Histograms { return s.histograms(s) }

// DocChunk is the number of documents that a worker takes at once.
const DocChunk = 64
