package copies

import (
	"bytes"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/piece"
)

// leastBag is the number of tokens from which documents of counted words may be copies. They have no order, so more
// of them are equal by chance than texts.
const leastBag = 10

// Batch makes the sketches by which copies are found, for the documents of a batch. Its zero value makes none.
type Batch struct {
	sketch    *Sketcher // of one document; nil if copies are not looked for
	sketches  []Sketch  // of all documents
	hashes    []uint64  // of the words of the batch, the same in every run
	whole     *string   // the document that the last piece belongs to; nil if there are no pieces
	continues []bool    // of each document: it is a piece of the document before
}

// NewBatch returns what makes sketches for f. whole is shared by all batches.
func NewBatch(f *Finder, whole *string) (s Batch) {
	if f != nil {
		s.sketch = new(Sketcher)
	}
	if f.HasPieces() {
		s.whole = whole
	}
	return s
}

// WordHash is the hash of a word that copies are found by. Unlike intern.Hash it is the same in every run.
func WordHash(word []byte) uint64 { return xxh3.Hash(word) }

// Begin forgets the documents of before.
func (s *Batch) Begin() { s.continues = s.continues[:0] }

// Follow records whether a document is a piece of the same document as the one before.
func (s *Batch) Follow(id []byte) {
	if s.whole == nil {
		return
	}
	whole, _, cut := bytes.Cut(id, []byte(piece.Mark))
	same := cut && string(whole) == *s.whole
	if !same {
		*s.whole = string(whole)
	}
	s.continues = append(s.continues, same)
}

// Reset begins to make sketches.
func (s *Batch) Reset() {
	s.hashes, s.sketches = s.hashes[:0], s.sketches[:0]
	if s.sketch != nil {
		s.sketch.Reset()
	}
}

// Learn adds a word to those of the batch.
func (s *Batch) Learn(word []byte) {
	if s.sketch != nil {
		s.hashes = append(s.hashes, WordHash(word))
	}
}

// Add adds a word of the current document, by its number in the batch.
func (s *Batch) Add(word int) {
	if s.sketch != nil {
		s.sketch.Add(s.hashes[word])
	}
}

// AddCount adds a word of a document of counts.
func (s *Batch) AddCount(word, count uint32) {
	if s.sketch != nil {
		s.sketch.AddCount(word, count)
	}
}

// End keeps the sketch of a document.
func (s *Batch) End() {
	if s.sketch != nil {
		s.sketches = append(s.sketches, s.sketch.Sketch)
		s.sketch.Reset()
	}
}

// EndBag keeps the sketch of a document of counted words.
func (s *Batch) EndBag(tokens int64) {
	if s.sketch != nil && tokens < leastBag {
		s.sketch.Reset()
	}
	s.End()
}

// AddTo adds the documents of a batch to a finder. The first one has number first.
func (s *Batch) AddTo(f *Finder, first int64) error {
	for d := range s.sketches {
		if err := f.Add(first+int64(d), &s.sketches[d], s.whole != nil && s.continues[d]); err != nil {
			return err
		}
	}
	return nil
}
