package batch

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// batchPart is batch on a part.
type batchPart struct {
	*batch
	moves
}

func newBatchPart(b *batch) *batchPart { return &batchPart{b, newMoves(&b.tokens)} }

func (s *batchPart) Round(ctx context.Context, iteration, first, last int, model *sampler.Frozen,
	priors *sampler.Priors,
) error {
	s.setBlocks(first, last)
	if err := s.take(ctx, model); err != nil {
		return err
	}
	return s.sampleBlocks(ctx, s.begin, s.end, iteration, priors)
}

// take copies the frozen counts.
func (s *batchPart) take(ctx context.Context, model *sampler.Frozen) error {
	for k, n := range model.Totals {
		s.nk[k] = int64(n)
	}
	if model.Sliced != nil {
		return s.takeSlices(ctx, model.Sliced)
	}
	return parallel.Do(ctx, s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		w := s.workers[thread]
		for word := s.ranges[i]; word < s.ranges[i+1]; word++ {
			row := s.row(uint32(word))
			if model.DenseRow != nil {
				if given := model.DenseRow(word, row); given != nil {
					copy(row, given) // itself, if it was put together there
					continue
				}
			}
			w.takeRow(model.Rows, word)
		}
	})
}

// takeSlices copies frozen counts that lie in files.
func (s *batchPart) takeSlices(ctx context.Context, from *sampler.Sliced) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	_ = parallel.Do(ctx, s.p.Threads, len(from.Begins)-1, func(thread, i int) {
		rows, done, err := from.Open(i)
		if err != nil {
			cancel(err)
			return
		}
		for word := from.Begins[i]; word < from.Begins[i+1]; word++ {
			s.workers[thread].takeRow(rows, word)
		}
		done()
	})
	return context.Cause(ctx)
}

// takeRow copies the frozen counts of a word.
func (w *batchWorker) takeRow(rows counts.Rows, word int) {
	w.entries = rows.AppendRow(w.entries[:0], word)
	row := w.s.row(uint32(word))
	clear(row)
	for _, e := range w.entries {
		row[e.Topic] = int32(e.Count)
	}
}

func (s *batchPart) Documents() *counts.Histograms { return &s.docHistograms().Histograms }

func (s *batchPart) Capabilities() sampler.KernelCapabilities { return sampler.KernelCapabilities{} }
