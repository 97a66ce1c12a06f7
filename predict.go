package topoi

import (
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/ondisk"
)

// Needs are what a run will take, in bytes, as far as that is known before it begins.
type Needs struct {
	Memory     uint64 // in use at most while it trains, without a GPU
	Model      uint64 // the saved model, at most
	Checkpoint uint64 // its checkpoint; 0 without one
}

// Predict returns what a run with the given options will take whose model is saved in
// the directory parent. It looks at every token once.
func Predict(c *corpus.Corpus, opts Options, parent string) (Needs, error) {
	opts = opts.WithDefaults()
	if err := opts.Validate(); err != nil {
		return Needs{}, err
	}
	r, problem, err := planRun(c, opts, true)
	if err != nil {
		return Needs{}, err
	}
	defer r.dropDocs()
	model, checkpoint, err := outputBytes(filepath.Clean(parent), c, opts)
	if err != nil {
		return Needs{}, err
	}
	run := ondisk.Run{Sampler: r.chosen.Sampler, Problem: problem, Split: r.record.splitBytes(c.NumDocs())}
	if r.heldout != nil {
		run.HeldOut = r.heldout.Tokens()
	}
	memory, entries, err := ondisk.Needs(run)
	if opts.Memory > 0 {
		memory = min(memory, uint64(opts.Memory))
	}
	const entryBytes, fixed = 8, 1 << 16 // (topic, count); manifest, labels and the like
	return Needs{Memory: memory, Model: model + entryBytes*entries + fixed, Checkpoint: checkpoint}, err
}
