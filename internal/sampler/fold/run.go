package fold

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// Run finds the topics of all documents and hands over each one's, in document order:
// the sums of n_dk over the sweeps that count, or the expected n_dk in parts (see Parts), in
// increasing topic order. The slice is valid until emit returns.
func (f *Fold) Run(ctx context.Context, emit func(doc int, sums []counts.Entry) error) error {
	k := len(f.Priors.Alpha)
	if k > MostExpected {
		return f.runSparse(ctx, emit)
	}
	if f.Sweeps == 0 {
		return f.runMean(ctx, emit)
	}
	kpad := draw32.PaddedTopics(k)
	limits := draw32.Limits(len(f.Words), kpad)
	limits.Tokens = min(limits.Tokens, max(1, foldBytes/(4*kpad)))
	g := grid.New(f.Offsets, f.Words, f.V, limits)
	folders := make([]*folder, min(f.Threads, max(1, len(g.Blocks))))
	for i := range folders {
		folders[i] = borrowFolder(f, g)
	}
	results := make([]foldResult, 4*f.Threads)
	for first := 0; first < len(g.Blocks); first += len(results) {
		blocks := g.Blocks[first:min(first+len(results), len(g.Blocks))]
		err := parallel.Do(ctx, f.Threads, len(blocks), func(thread, i int) {
			folders[thread].fold(ctx, blocks[i], &results[i])
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

// fold draws the documents of one block, unless ctx ends before. Many sweeps of a block may take long.
func (w *folder) fold(ctx context.Context, b grid.Block, result *foldResult) {
	w.prepare(b)
	w.loadRows(b)
	w.dealRandom(b, 0)
	w.firstTopics(b)
	for sweep := range w.f.Sweeps {
		if ctx.Err() != nil {
			return
		}
		w.dealRandom(b, sweep+1)
		w.sweep(b)
		if sweep >= w.f.Skip {
			w.docs.AddTo(w.sums)
		}
	}
	w.collect(b, result)
}
