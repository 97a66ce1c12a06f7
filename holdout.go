package topoi

import (
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/holdout"
)

// heldOut returns the number of documents that a fraction of so many is.
func heldOut(docs int, fraction float64) int { return int(float64(docs) * fraction) }

// split parts c into the documents of training and those that are left out, nil if
// there are none.
func (o Options) split(c *corpus.Corpus) (docs, heldout *corpus.Corpus, err error) {
	left := heldOut(c.NumDocs(), o.Holdout)
	switch {
	case left == 0:
		return c, nil, nil
	case o.HoldoutLast:
		n := c.NumDocs() - left
		return c.Docs(0, n), c.Docs(n, c.NumDocs()), nil
	case c.NumDocs() > math.MaxUint32:
		return nil, nil, fmt.Errorf("a sample can be held out of at most %d documents: hold out the last ones instead", math.MaxUint32)
	}
	rest, drawn := holdout.Sample(c.NumDocs(), left, o.HoldoutSeed)
	return c.Select(rest), c.Select(drawn), nil
}

// splitBytes is the memory that a split takes: offset and number of every document.
func (o Options) splitBytes(docs int) uint64 {
	if !o.sampled() || heldOut(docs, o.Holdout) == 0 {
		return 0
	}
	return 12 * uint64(docs)
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
