package topoi

import (
	"context"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler/fold"
)

// deviceDraws is how many draws, times topics, "auto" wants before it takes a GPU for
// inference: below, the CPU is done before the GPU is ready.
const deviceDraws = 1 << 36

// runFold finds topics on the device that the options ask for.
func runFold(ctx context.Context, fold *fold.Fold, docs *corpus.Corpus, opts InferOptions, emit func(doc int, sums []TopicCount) error) error {
	offsets, words := rebase(docs.Offsets()), docs.Tokens()
	worth := float64(len(words))*float64(opts.Iterations)*float64(len(fold.Totals)) >= deviceDraws
	var fault error // of a GPU that has begun: there is no second try
	placed, _, err := where(opts.Device, opts.DeviceMemory).Place(worth, func(d *device.Device, _ string) error {
		begun := false
		err := fold.RunOn(ctx, d, offsets, words, func(doc int, sums []TopicCount) error {
			begun = true
			return emit(doc, sums)
		})
		if err != nil && !begun {
			return err
		}
		if fault = err; fault == nil {
			fault = d.Close()
		} else {
			_ = d.Close() // a lost device cannot be closed in order either
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case placed:
		return fault
	}
	return fold.Run(ctx, offsets, words, emit)
}
