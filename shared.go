package topoi

import (
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/grid"
)

// Shared is what runs over one corpus with the same held-out documents have in common:
// the documents of training, put one after the other, and their cut into blocks. Runs
// that are given it through Options.Shared take from it what is there and leave what they
// make. One run at a time may use it.
type Shared struct {
	corpus        *corpus.Corpus
	by            RunOptions // those that the split depends on
	docs, heldout *corpus.Corpus
	grids         grid.Shelf
}

// Share splits a corpus as runs with the given options do; only those about held-out
// documents matter.
func Share(c *corpus.Corpus, opts Options) (*Shared, error) {
	by := splitOptions(opts)
	docs, heldout, err := by.split(c)
	return &Shared{corpus: c, by: by, docs: docs, heldout: heldout}, err
}

// Docs returns the documents of training. They are valid as long as the corpus is.
func (s *Shared) Docs() *corpus.Corpus { return s.docs }

// Heldout returns the documents that are left out of training; nil if there are none.
func (s *Shared) Heldout() *corpus.Corpus { return s.heldout }

// splitOptions returns the options that held-out documents depend on.
func splitOptions(o Options) RunOptions {
	all := recordOptions(o, "", Tuning{})
	return RunOptions{Holdout: all.Holdout, HoldoutSampled: all.HoldoutSampled, HoldoutSeed: all.HoldoutSeed}
}

// split returns the documents of a run: those at hand, or its own if they are others or are to
// be kept in files.
func (s *Shared) split(c *corpus.Corpus, opts Options) (docs, heldout *corpus.Corpus, err error) {
	if s == nil || s.corpus != c || s.by != splitOptions(opts) || opts.Memory > 0 {
		return recordOptions(opts, opts.Sampler, opts.Tuning).split(c)
	}
	return s.docs, s.heldout, nil
}

// shelf returns the grids of earlier runs, nil if nothing is shared.
func (s *Shared) shelf() *grid.Shelf {
	if s == nil {
		return nil
	}
	return &s.grids
}

// Recorded returns the options that determine a model's bytes, defaults filled in. The
// sampler is what it is called here, which may be "auto".
func (o Options) Recorded() RunOptions {
	o = o.WithDefaults()
	return recordOptions(o, o.Sampler, o.Tuning)
}
