package training

import (
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/holdout"
)

// Shared holds what runs over one corpus with the same held-out documents have in common. Only one run at a time may
// use it.
type Shared struct {
	Corpus        *corpus.Corpus
	By            holdout.By
	Docs, Heldout *corpus.Corpus // as By splits Corpus
	Grids         grid.Cache
	Devices       device.Cache
}

// Split returns the documents of a run. It returns the shared ones unless the run has another corpus or
// other held-out documents, or keeps its documents in files.
func (s *Shared) Split(c *corpus.Corpus, by holdout.By, inFiles bool) (docs, heldout *corpus.Corpus, err error) {
	if s == nil || s.Corpus != c || s.By != by || inFiles {
		return by.Split(c)
	}
	return s.Docs, s.Heldout, nil
}

// Caches returns the caches of grids and GPUs, or nil if nothing is shared.
func (s *Shared) Caches() (*grid.Cache, *device.Cache) {
	if s == nil {
		return nil, nil
	}
	return &s.Grids, &s.Devices
}
