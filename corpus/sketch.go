package corpus

import (
	"bytes"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/internal/piece"
)

// leastBag is the number of tokens from which documents of counted words may be copies. They have no order, so more
// of them are equal by chance than texts.
const leastBag = 10

// sketching makes the sketches by which copies are found, for the documents of a batch. Its zero value makes none.
type sketching struct {
	sketch    *copies.Sketcher // of one document; nil if copies are not looked for
	sketches  []copies.Sketch  // of all documents
	hashes    []uint64         // of the words of the batch, the same in every run
	whole     *string          // the document that the last piece belongs to; nil if there are no pieces
	continues []bool           // of each document: it is a piece of the document before
}

// newSketching returns what makes sketches for f. whole is shared by all batches.
func newSketching(f *copies.Finder, whole *string) (s sketching) {
	if f != nil {
		s.sketch = new(copies.Sketcher)
	}
	if f.HasPieces() {
		s.whole = whole
	}
	return s
}

// wordHash is the hash of a word that copies are found by. Unlike intern.Hash it is the same in every run.
func wordHash(word []byte) uint64 { return xxh3.Hash(word) }

// follow records whether a document is a piece of the same document as the one before.
func (s *sketching) follow(id []byte) {
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

// reset begins a batch.
func (s *sketching) reset() {
	s.hashes, s.sketches = s.hashes[:0], s.sketches[:0]
	if s.sketch != nil {
		s.sketch.Reset()
	}
}

// learn adds a word to those of the batch.
func (s *sketching) learn(word []byte) {
	if s.sketch != nil {
		s.hashes = append(s.hashes, wordHash(word))
	}
}

// end keeps the sketch of a document.
func (s *sketching) end() {
	if s.sketch != nil {
		s.sketches = append(s.sketches, s.sketch.Sketch)
		s.sketch.Reset()
	}
}

// endBag keeps the sketch of a document of counted words.
func (s *sketching) endBag(tokens int64) {
	if s.sketch != nil && tokens < leastBag {
		s.sketch.Reset()
	}
	s.end()
}

// addTo adds the documents of a batch to a finder. The first one has number first.
func (s *sketching) addTo(f *copies.Finder, first int64) error {
	for d := range s.sketches {
		if err := f.Add(first+int64(d), &s.sketches[d], s.whole != nil && s.continues[d]); err != nil {
			return err
		}
	}
	return nil
}
