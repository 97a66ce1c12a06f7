package warp

import (
	"context"
	"math"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Start implements Sampler. Topics are uniform random unless z is given.
func (s *warp[T]) Start(z []uint32, _ *sampler.Priors) error {
	random := sampler.Draws{Key: rng.NewKey(s.p.Seed), Purpose: sampler.ForStart}
	s.proposed = 0
	return s.eachBlock(context.Background(), func(w *warpWorker[T], b int) {
		block := s.block(b)
		for i := range block.Tokens() {
			token := block.Begin + i
			var k uint32
			if z != nil {
				k = z[token]
			} else {
				k = rng.Below(random.Word(uint64(s.p.Origin()+token)), uint32(s.p.K))
			}
			s.tokens.Set(b, s.Place(b, i), k)
			w.row.Cells[k].Total++
		}
	})
}

func (s *warp[T]) Capabilities() sampler.Capabilities { return sampler.Capabilities{} }

func (s *warp[T]) Topics(z []uint32) {
	_ = parallel.Do(context.Background(), s.p.Threads, len(s.blocks), func(_, i int) {
		s.copyTopics(z[s.blocks[i].Begin:s.blocks[i].End], s.firstBlock+i)
	})
}

// Sweep implements Sampler. If ctx ends inside a sweep, the state is incomplete and must not be used.
func (s *warp[T]) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	if s.freeze(priors) || s.proposed != iteration {
		s.iteration = uint32(iteration - 1)
		err := s.eachBlock(ctx, func(w *warpWorker[T], b int) { w.Docs(b, false) })
		if err != nil {
			return err
		}
	}
	s.iteration = uint32(iteration)
	if err := s.wordPhase(ctx); err != nil {
		return err
	}
	s.proposed = iteration + 1
	return s.eachBlock(ctx, func(w *warpWorker[T], b int) { w.Docs(b, true) })
}

// wordPhase runs the word phase for all words.
func (s *warp[T]) wordPhase(ctx context.Context) error {
	var rows counts.Rows
	if s.frozen != nil {
		rows = s.frozen.Rows
	}
	if s.frozen != nil && s.frozen.Sliced != nil {
		return sampler.EachSlice(ctx, s.p.Threads, s.frozen.Sliced, func(thread, lo, hi int, rows counts.Rows) {
			s.workers[thread].words(lo, hi, rows)
		})
	}
	return parallel.Do(ctx, s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		s.workers[thread].words(s.ranges[i], s.ranges[i+1], rows)
	})
}

// freeze computes what stays fixed during an iteration and reports whether α
// has changed, so that doc-proposals must be drawn again.
func (s *warp[T]) freeze(priors *sampler.Priors) (changed bool) {
	changed = s.alpha.Set(priors.Alpha)
	s.beta, s.betaSum = float32(priors.Beta), float64(s.p.K)*priors.Beta
	vbeta := float64(s.p.CorpusWords()) * priors.Beta
	totals := s.TopicTotals()
	parallel.Each(len(s.workers), func(i int) {
		cells := s.workers[i].row.Cells
		for k, n := range totals {
			cells[k].Inv, cells[k].Prior = float32(1/(float64(n)+vbeta)), s.alpha.Prior[k]
		}
	})
	return changed
}

// eachBlock calls work, which counts topics into its worker's totals, for every block, and sets n_k to their sum.
func (s *warp[T]) eachBlock(ctx context.Context, work func(w *warpWorker[T], b int)) error {
	clear(s.nk)
	err := parallel.Do(ctx, s.p.Threads, len(s.blocks), func(thread, i int) {
		w, b := s.workers[thread], s.firstBlock+i
		if w.counted += s.block(b).Tokens(); w.counted > warpFlush {
			w.flush()
			w.counted = s.block(b).Tokens()
		}
		work(w, b)
	})
	for _, w := range s.workers {
		w.flush()
	}
	return err
}

// warpFlush is the number of tokens after which a worker's totals, which have 32
// bits, are added to n_k. Tests make it smaller.
var warpFlush = math.MaxInt32

func (s *warp[T]) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	worker := s.rowWorkers.Get().(*warpWorker[T])
	defer s.rowWorkers.Put(worker)
	return worker.appendRow(dst, w)
}

func (s *warp[T]) Histograms() *counts.Histograms {
	h := s.docHistograms()
	h.Add(&sampler.RowHistograms(s.p, s, s.ranges).Histograms)
	copy(h.TopicTotals, s.TopicTotals())
	return &h.Histograms
}

// docHistograms returns the histograms of all documents.
func (s *warp[T]) docHistograms() *sampler.Histograms {
	return sampler.CountHistograms(s.p, len(s.blocks), func(h *sampler.Histograms, thread, i int) {
		s.workers[thread].countDocs(s.firstBlock+i, h)
	})
}
