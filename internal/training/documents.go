package training

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/columns"
	"github.com/topoi-lda/topoi/internal/holdout"
)

// Documents holds the documents of a run, and of the model that it makes.
type Documents struct {
	All     *corpus.Corpus // the whole corpus, which belongs to the caller
	Train   *corpus.Corpus // training documents
	Heldout *corpus.Corpus // held-out documents; nil if there are none

	sample *corpus.Corpus // training documents that are scored if none are held out; nil until needed
	some   *corpus.Corpus // held-out documents that are scored during training; nil until needed
}

// Check returns an error if there is nothing to train on, or nothing to score.
func (d *Documents) Check() error {
	switch {
	case d.Train.NumTokens() == 0:
		return errors.New("there is nothing to train on: the training documents hold no tokens")
	case d.Heldout != nil && d.Heldout.NumTokens() < 2:
		return errors.New("the held-out documents hold no tokens to score: choose a larger held-out fraction, or none")
	}
	return nil
}

// GatheredFiles are the files of Gather. They have names only until they are written.
var GatheredFiles = [2]string{"training-documents", "heldout-documents"}

// Gather copies training documents and held-out documents one after the other. The copies are in memory, or in files
// without names in dir, mapped as the corpus is.
func (d *Documents) Gather(dir string) error {
	var paths [2]string
	for i, name := range GatheredFiles {
		if dir != "" {
			paths[i] = filepath.Join(dir, name)
		}
	}
	return errors.Join(d.Train.Gather(paths[0]), d.Heldout.Gather(paths[1]))
}

// Close releases the copies of Gather. It does not close the corpus.
func (d *Documents) Close() error {
	if d == nil {
		return nil
	}
	var faults []error
	for _, view := range []*corpus.Corpus{d.Train, d.Heldout} {
		if view != nil && view != d.All {
			faults = append(faults, view.Close())
		}
	}
	return errors.Join(faults...)
}

// The sample has about a tenth of the tokens, at most 20,000. Scoring it takes a few per cent of ten sweeps, and its
// noise from sweep to sweep is below 0.003 nats per token.
const (
	sampleShare  = 10
	sampleTokens = 20_000
	sampleSeed   = 1 // differs from the default seed of held-out documents, so that other documents are drawn
)

// Sample returns the training documents that are scored if none are held out. They depend only on the number and the
// lengths of the training documents.
func (d *Documents) Sample() *corpus.Corpus {
	if d.sample == nil {
		docs, tokens := d.Train.NumDocs(), d.Train.NumTokens()
		d.sample = holdout.Some(d.Train, min(tokens/sampleShare, sampleTokens)*docs/tokens+1, sampleSeed)
	}
	return d.sample
}

// HeldoutSample returns a sample of the held-out documents with about most tokens, for scores during training. It
// returns nil if all are to be scored: there are no more tokens, or most is negative. The sample depends only on the
// number and the lengths of the held-out documents.
func (d *Documents) HeldoutSample(most int) *corpus.Corpus {
	if d.Heldout == nil || most < 0 || d.Heldout.NumTokens() <= most {
		return nil
	}
	if d.some == nil {
		docs, tokens := float64(d.Heldout.NumDocs()), float64(d.Heldout.NumTokens())
		d.some = holdout.Some(d.Heldout, int(float64(most)/tokens*docs)+1, sampleSeed)
	}
	return d.some
}

// Choose returns the documents that satisfy a condition, with their numbers in docs. Columns are read for
// the whole corpus, so that dates are interpreted as they are in all documents. Choose stops when ctx ends.
func Choose(ctx context.Context, docs *corpus.Corpus, condition string) (chosen *corpus.Corpus, numbers []uint32,
	err error,
) {
	if docs.NumDocs() > math.MaxUint32 {
		return nil, nil, fmt.Errorf("a condition can choose from at most %d documents", int64(math.MaxUint32))
	}
	keep, err := columns.Parse(condition, docs.Whole().Columns())
	if err != nil {
		return nil, nil, err
	}
	for d := range docs.NumDocs() {
		if d&0xfff == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if keep(docs.Number(d)) {
			numbers = append(numbers, uint32(d))
		}
	}
	return docs.Select(numbers), numbers, nil
}
