package topoi

import (
	"context"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// deviceDraws is how many draws, times topics, "auto" wants before it takes a GPU for
// inference: below, the CPU is done before the GPU is ready.
const deviceDraws = 1 << 36

// runFold finds topics on the device that the options ask for.
func runFold(ctx context.Context, fold *sampler.Fold, docs *corpus.Corpus, opts InferOptions, emit func(doc int, sums []TopicCount) error) error {
	offsets, words := rebase(docs.Offsets()), docs.Tokens()
	worth := float64(len(words))*float64(opts.Iterations)*float64(len(fold.Totals)) >= deviceDraws
	if opts.Device == "cpu" || opts.Device == "auto" && !worth {
		return fold.Run(ctx, offsets, words, emit)
	}
	ordinal, _ := gpuOrdinal(opts.Device) // 0 for "auto"
	begun := false
	err := foldOnGPU(ordinal, opts.DeviceMemory, func(d *device.Device) error {
		return fold.RunOn(ctx, d, offsets, words, func(doc int, sums []TopicCount) error {
			begun = true
			return emit(doc, sums)
		})
	})
	if opts.Device == "auto" && !begun && err != nil && dispensable(err) {
		return fold.Run(ctx, offsets, words, emit)
	}
	return err
}

// foldOnGPU calls run with a GPU.
func foldOnGPU(ordinal int, memory int64, run func(d *device.Device) error) error {
	d, err := openDevice(ordinal)
	if err != nil {
		return err
	}
	d.Limit(memory)
	err = run(d)
	if closeErr := d.Close(); err == nil {
		return closeErr
	}
	return err // a lost device cannot be closed in order either, and that is no second fault
}
