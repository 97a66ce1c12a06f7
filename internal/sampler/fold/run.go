package fold

import (
	"context"
	"io"

	"github.com/topoi-lda/topoi/internal/conveyor"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// Run finds the topics of all documents and hands over each one's, in document order:
// the sums of n_dk over the sweeps that count, or the expected n_dk in parts (see Parts), in
// increasing topic order. The slice is valid until emit returns.
func (f *Fold) Run(ctx context.Context, offsets []uint64, words []uint32, emit func(doc int, sums []counts.Entry) error) error {
	k := len(f.Priors.Alpha)
	if k > MostExpected {
		return f.runSparse(ctx, offsets, words, emit)
	}
	if f.Sweeps == 0 {
		return f.runMean(ctx, offsets, words, emit)
	}
	kpad := draw32.PaddedTopics(k)
	limits := draw32.Limits(len(words), kpad)
	limits.Tokens = min(limits.Tokens, max(1, foldBytes/(4*kpad)))
	g := grid.New(offsets, words, f.V, limits)
	folders := make([]*folder, min(f.Threads, max(1, len(g.Blocks))))
	for i := range folders {
		folders[i] = borrowFolder(f, g, offsets, words)
	}
	results := make([]foldResult, 4*f.Threads)
	for first := 0; first < len(g.Blocks); first += len(results) {
		blocks := g.Blocks[first:min(first+len(results), len(g.Blocks))]
		err := parallel.Do(ctx, f.Threads, len(blocks), func(thread, i int) {
			folders[thread].fold(blocks[i], &results[i])
		})
		if err != nil {
			return err
		}
		for i, b := range blocks {
			if err := results[i].emit(b.FirstDoc, emit); err != nil {
				return err
			}
		}
	}
	for _, w := range folders { // not after a fault, which may have left them in disorder
		w.giveBack()
	}
	return nil
}

// someDocs are documents that one goroutine folds.
type someDocs struct {
	first, last int
	foldResult
}

// eachDoc folds documents one by one. While emit takes some, other goroutines go on with the next ones.
func (f *Fold) eachDoc(ctx context.Context, offsets []uint64, words []uint32,
	fold func(worker int, dst []counts.Entry, doc []uint32) []counts.Entry, emit func(doc int, sums []counts.Entry) error,
) error {
	const tokens = 1 << 13 // in someDocs, if a document has fewer
	n, next := len(offsets)-1, 0
	c := conveyor.Conveyor[*someDocs]{
		Threads: parallel.Workers(f.Threads, min(n, len(words)/tokens+1)),
		Fill: func(s *someDocs) error {
			if next == n {
				return io.EOF
			}
			s.first, s.last = next, next+1
			for s.last < n && offsets[s.last+1]-offsets[s.first] <= tokens {
				s.last++
			}
			next = s.last
			return nil
		},
		Work: func(worker int, s *someDocs) error {
			s.ends, s.sums = s.ends[:0], s.sums[:0]
			for d := s.first; d < s.last; d++ {
				s.sums = fold(worker, s.sums, words[offsets[d]:offsets[d+1]])
				s.ends = append(s.ends, len(s.sums))
			}
			return nil
		},
		Drain: func(s *someDocs) error { return s.emit(s.first, emit) },
	}
	for range 4 * c.Threads {
		c.Jobs = append(c.Jobs, new(someDocs))
	}
	return c.Run(ctx)
}

// fold draws the documents of one block.
func (w *folder) fold(b grid.Block, result *foldResult) {
	w.prepare(b)
	w.loadRows(b)
	w.dealRandom(b, 0)
	w.firstTopics(b)
	for sweep := range w.f.Sweeps {
		w.dealRandom(b, sweep+1)
		w.sweep(b)
		if sweep >= w.f.Skip {
			w.docs.AddTo(w.sums)
		}
	}
	w.collect(b, result)
}
