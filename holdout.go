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
	numDocs, pieces := c.NumDocs(), []int(nil)
	if c.HasPieces() { // documents are left out whole
		pieces = c.FirstPieces()
		numDocs, pieces = len(pieces), append(pieces, c.NumDocs())
	}
	left := heldOut(numDocs, o.Holdout)
	switch {
	case left == 0:
		return c, nil, nil
	case o.HoldoutLast:
		n := numDocs - left
		if pieces != nil {
			n = pieces[n]
		}
		return c.Docs(0, n), c.Docs(n, c.NumDocs()), nil
	case c.NumDocs() > math.MaxUint32:
		return nil, nil, fmt.Errorf("a sample can be held out of at most %d documents: hold out the last ones instead", math.MaxUint32)
	}
	rest, drawn := holdout.Sample(numDocs, left, o.HoldoutSeed)
	return c.Select(expand(rest, pieces)), c.Select(expand(drawn, pieces)), nil
}

// expand returns the pieces of documents, if there are pieces: document d has those from pieces[d] to pieces[d+1].
func expand(docs []uint32, pieces []int) []uint32 {
	if pieces == nil {
		return docs
	}
	var all []uint32
	for _, d := range docs {
		for p := pieces[d]; p < pieces[d+1]; p++ {
			all = append(all, uint32(p))
		}
	}
	return all
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
