// Package counts reads the formats that hold documents as counted words: ids into a vocabulary that lies
// beside, or words that are numbered as they appear.
package counts

import (
	"io"
	"sync/atomic"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// Options are those of source that concern counts.
type Options struct {
	VocabPath   string
	IndexBase   string
	Orientation string
	Round       bool
	TempDir     string
	Threads     int

	Text  input.Options
	Names *Names        // of the words that formats bring along, shared by all inputs
	Read  *atomic.Int64 // bytes read so far, for formats that open their files themselves; may be nil
}

// Document is a document by its counted words. Words and Counts are parallel; an id may occur twice.
type Document struct {
	ID, Label     []byte
	Words, Counts []uint32
}

// Reader yields documents in order.
type Reader interface {
	// Next fills doc, whose slices are valid until the following call, or returns io.EOF.
	Next(doc *Document) error

	// Vocabulary returns the words behind the ids after the last document; nil if there are none.
	Vocabulary() []string

	// NumWords returns the size of the vocabulary if it is known in advance, else 0.
	NumWords() int

	io.Closer
}

// words is the vocabulary of a reader that has nothing to close.
type words struct{ vocab []string }

func (w *words) Vocabulary() []string { return w.vocab }
func (w *words) NumWords() int        { return len(w.vocab) }
func (w *words) Close() error         { return nil }

// read takes the vocabulary that the options name or the first of the candidates that exists, and returns the
// largest id.
func (w *words) read(o *Options, candidates ...string) (limit uint64, err error) {
	name := FindVocabulary(o.VocabPath, candidates...)
	if name == "" {
		return MaxWordID, nil
	}
	if w.vocab, err = ReadVocabulary(name, o.Text); err != nil {
		return 0, err
	}
	return uint64(len(w.vocab)) - 1, nil
}
