package topoi

import (
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/holdout"
)

// Shared holds what runs over one corpus with the same held-out documents have in common: the training documents
// in one piece, their cut into blocks, and the GPU, if there is one, which stays open with the documents in its
// memory. Runs with Options.Shared reuse what is there and add what they make. Only one run at a time may use it.
type Shared struct {
	corpus        *corpus.Corpus
	by            holdout.By
	docs, heldout *corpus.Corpus
	grids         grid.Cache
	devices       device.Cache
}

// Close releases the GPU. Call it when the runs are over. A later run opens the GPU again.
func (s *Shared) Close() error { return s.devices.Close() }

// Docs returns the training documents. They are valid as long as the corpus is.
func (s *Shared) Docs() *corpus.Corpus { return s.docs }

// Heldout returns the held-out documents, or nil if there are none.
func (s *Shared) Heldout() *corpus.Corpus { return s.heldout }

// split returns the documents of a run. It returns the shared ones unless the run has another corpus or
// other held-out documents, or keeps its documents in files.
func (s *Shared) split(c *corpus.Corpus, by holdout.By, inFiles bool) (docs, heldout *corpus.Corpus, err error) {
	if s == nil || s.corpus != c || s.by != by || inFiles {
		return by.Split(c)
	}
	return s.docs, s.heldout, nil
}

// caches returns the caches of grids and GPUs, or nil if nothing is shared.
func (s *Shared) caches() (*grid.Cache, *device.Cache) {
	if s == nil {
		return nil, nil
	}
	return &s.grids, &s.devices
}
