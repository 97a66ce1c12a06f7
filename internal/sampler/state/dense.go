// Package state is the state that samplers in memory embed: topics in corpus order with
// n_wk as a dense table, or as a sparse one for many topics.
package state

import (
	"context"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Dense is the state of the samplers that keep z in corpus order and n_wk
// as a dense table: one thread of control, every count fresh. Samplers embed it.
type Dense struct {
	Tokens
	Nwk []int32 // V × K, row-major: nwk[w*K+k]
}

func NewDense(p *sampler.Problem) Dense {
	s := Dense{newTokens(p), make([]int32, p.V*p.K)}
	alloc.HugePages(s.Nwk)
	alloc.HugePages(s.Z)
	return s
}

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
	const chunk = 1 << 16 // tokens
	n := len(s.P.Words)
	defer func() {
		s.P.Pseudo.AddRows(s.Nwk, s.P.K, 0)
		counts.AddTotals(s.Nk, s.P.Pseudo)
	}()
	if s.P.Threads < 2 || n <= chunk {
		s.countTokens(0, n, s.Nk, func(n *int32) { *n++ })
		return
	}
	totals := make([][]int32, s.P.Threads)
	_ = parallel.Do(context.Background(), s.P.Threads, (n+chunk-1)/chunk, func(thread, i int) {
		if totals[thread] == nil {
			totals[thread] = make([]int32, s.P.K)
		}
		s.countTokens(i*chunk, min(n, (i+1)*chunk), totals[thread], func(n *int32) { atomic.AddInt32(n, 1) })
	})
	for _, nk := range totals {
		for k, n := range nk {
			s.Nk[k] += n
		}
	}
}

// countTokens adds some tokens to n_wk by increment, and to nk.
func (s *Dense) countTokens(begin, end int, nk []int32, increment func(n *int32)) {
	z := s.Z[begin:end]
	for i, w := range s.P.Words[begin:end] {
		k := z[i]
		increment(&s.Nwk[int(w)*s.P.K+int(k)])
		nk[k]++
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
