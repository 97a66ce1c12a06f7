package topoi

import (
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/holdout"
)

// Shared is what runs over one corpus with the same held-out documents have in common:
// the documents of training, put one after the other, and their cut into blocks; and the
// GPU, if they are trained on one, which stays open and has the documents. Runs
// that are given it through Options.Shared take from it what is there and leave what they
// make. One run at a time may use it.
type Shared struct {
	corpus        *corpus.Corpus
	by            holdout.By
	docs, heldout *corpus.Corpus
	grids         grid.Cache
	devices       device.Cache
}

// Share splits a corpus as runs with the given options do; only those about held-out
// documents matter.
func Share(c *corpus.Corpus, opts Options) (*Shared, error) {
	docs, heldout, err := opts.split().Split(c)
	return &Shared{corpus: c, by: opts.split(), docs: docs, heldout: heldout}, err
}

// Close gives the GPU back, once runs are over. A run after that opens it again.
func (s *Shared) Close() error { return s.devices.Close() }

// Docs returns the documents of training. They are valid as long as the corpus is.
func (s *Shared) Docs() *corpus.Corpus { return s.docs }

// Heldout returns the documents that are left out of training; nil if there are none.
func (s *Shared) Heldout() *corpus.Corpus { return s.heldout }

// split says which documents are left out of training.
func (o Options) split() holdout.By {
	return holdout.By{Share: o.Holdout, Seed: o.HoldoutSeed, Last: o.HoldoutLast}
}

// split returns the documents of a run: those at hand, or its own if they are others or are to
// be kept in files.
func (s *Shared) split(c *corpus.Corpus, opts Options) (docs, heldout *corpus.Corpus, err error) {
	if s == nil || s.corpus != c || s.by != opts.split() || opts.Memory > 0 {
		return opts.split().Split(c)
	}
	return s.docs, s.heldout, nil
}

// caches returns the grids of earlier runs and where they leave their GPU, nil if nothing is shared.
func (s *Shared) caches() (*grid.Cache, *device.Cache) {
	if s == nil {
		return nil, nil
	}
	return &s.grids, &s.devices
}

// Heldout returns the documents of the corpus that were left out of training and
// scored instead; nil if there are none. [corpus.Corpus.Number] tells their numbers
// in the corpus.
func (m *Model) Heldout() (*corpus.Corpus, error) {
	if m.stored == nil || m.stored.heldout == nil {
		return m.heldout, nil
	}
	return m.stored.heldout()
}
