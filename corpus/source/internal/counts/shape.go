// Package counts reads the formats that hold documents as counted words: ids into a vocabulary that lies
// beside, or words that are numbered as they appear.
package counts

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// shape is the outline of a matrix of documents and words.
type shape struct {
	rows, cols uint64
	docsCols   bool     // documents are columns
	vocab      []string // by word id, or nil
	ids        *idLines // names of the documents, or nil
}

// readNames reads the vocabulary that the options name or that lies beside the matrix, and returns its file. It opens
// the names of the documents if they lie there too.
func (s *shape) readNames(path string, o *Options) (vocabName string, err error) {
	vocabName = FindVocabulary(o.VocabPath, path+".vocab", input.PlainName(path)+".vocab")
	if vocabName != "" {
		if s.vocab, err = ReadVocabulary(vocabName, o.Text); err != nil {
			return "", err
		}
	}
	if ids := input.FindFile(path+".ids", input.PlainName(path)+".ids"); ids != "" {
		s.ids, err = openIDLines(ids, o)
	}
	return vocabName, err
}

func (s *shape) closeNames() {
	if s.ids != nil {
		s.ids.Close()
	}
}

// name gives a document its name, if documents have one.
func (s *shape) name(doc *Document) (err error) {
	if s.ids != nil {
		doc.ID, err = s.ids.next(s.numDocs())
	}
	return err
}

// end returns io.EOF if there is no name without a document.
func (s *shape) end() error {
	if s.ids != nil {
		return s.ids.end(s.numDocs())
	}
	return io.EOF
}

// cells hands out the documents of a matrix.
type cells struct {
	shape
	o      *Options
	sorted sorted
	doc    uint64 // documents handed out
}

// next fills doc by stream or, if that is nil, from the entries that read hands to add, which are sorted first. After
// the last document it calls finish.
func (c *cells) next(
	doc *Document, stream func(*Document) error, read func(add func(entry) error) error, finish func() error,
) error {
	if stream == nil {
		if err := c.sorted.fill(c.o.TempDir, read); err != nil {
			return err
		}
		stream = func(doc *Document) error { return c.sorted.document(c.doc, doc) }
	}
	if c.doc == c.numDocs() {
		return cmp.Or(finish(), c.end())
	}
	if err := stream(doc); err != nil {
		return err
	}
	c.doc++
	return c.name(doc)
}

// Vocabulary returns the words of the vocabulary, or nil.
func (s *shape) Vocabulary() []string { return s.vocab }

func (s *shape) NumWords() int { return int(s.width()) }

// orient decides which side the documents are on. name is the file of the
// matrix, vocabName that of the vocabulary, if there is one.
func (s *shape) orient(name, vocabName string, o *Options) error {
	words := uint64(len(s.vocab))
	switch o.Orientation {
	case "docs-rows":
	case "docs-cols":
		s.docsCols = true
	default:
		s.docsCols = s.vocab != nil && words == s.rows && words != s.cols
		if s.vocab != nil && words != s.rows && words != s.cols {
			e := &input.Error{File: vocabName, Msg: fmt.Sprintf("%s found, but %s has %s and %s",
				input.Plural(words, "name"), name, input.Plural(s.rows, "row"), input.Plural(s.cols, "column"))}
			return e.WithHint("give the names that belong to this matrix")
		}
	}
	if s.vocab != nil && words != s.width() {
		side := "column"
		if s.docsCols {
			side = "row"
		}
		e := &input.Error{File: vocabName, Msg: fmt.Sprintf("%s found, but %s has %s", input.Plural(words, "name"),
			name, input.Plural(s.width(), side))}
		return e.WithHint("give the names that belong to this matrix, or the other Options.Orientation")
	}
	return nil
}

// width returns the size of the words' side.
func (s *shape) width() uint64 {
	if s.docsCols {
		return s.rows
	}
	return s.cols
}

// numDocs returns the size of the documents' side.
func (s *shape) numDocs() uint64 {
	if s.docsCols {
		return s.cols
	}
	return s.rows
}

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

// ReadVocabulary reads a file with one word per line; line n (from 1) is the
// word with the n-th smallest id. Blank lines are allowed at the end only.
func ReadVocabulary(path string, o input.Options) ([]string, error) {
	f, in, err := input.OpenScanner(path, o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var words []string
	firstLine := make(map[string]int)
	blank := 0
	for {
		line, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		word := bytes.TrimSpace(line)
		if len(word) == 0 {
			blank = in.Line
			continue
		}
		if blank > 0 {
			in.Line = blank
			return nil, in.Errorf("the line is blank, but every line must hold a word").WithHint("remove the line if it does not stand for an id")
		}
		if bytes.IndexByte(word, '\t') >= 0 {
			return nil, in.Errorf("found several columns, expected one word per line").WithHint("keep the column with the words (cut -f2)")
		}
		if word, err = input.CheckText(word, in, 0); err != nil {
			return nil, err
		}
		w := string(word)
		if first, ok := firstLine[w]; ok {
			return nil, in.Errorf("the word %q is already on line %d", w,
				first).WithHint("every word may occur only once; rename or merge one of them")
		}
		firstLine[w] = in.Line
		words = append(words, w)
	}
	if len(words) == 0 {
		return nil, (&input.Error{
			File: in.Name,
			Msg:  "the vocabulary is empty",
		}).WithHint("give a file with one word per line")
	}
	return words, nil
}

// FindVocabulary returns the vocabulary file that is given, or the
// first candidate that exists. It returns "" when there is none.
func FindVocabulary(given string, candidates ...string) string {
	if given != "" {
		return given
	}
	return input.FindFile(candidates...)
}

// idLines reads the names of documents from a file beside the matrix, one a line, as the documents are handed out.
type idLines struct {
	file *input.File
	in   *input.Scanner
}

func openIDLines(path string, o *Options) (*idLines, error) {
	f, in, err := input.OpenScanner(path, o.Text)
	if err != nil {
		return nil, err
	}
	return &idLines{f, in}, nil
}

// next returns the name of the next of docs documents: the first column.
func (l *idLines) next(docs uint64) ([]byte, error) {
	line, err := l.in.Next()
	if err == io.EOF {
		return nil, l.mismatch(docs)
	}
	if err != nil {
		return nil, err
	}
	id, _, _ := bytes.Cut(line, []byte("\t"))
	return input.CheckText(id, l.in, 0)
}

// end returns io.EOF if no name is left, else an error.
func (l *idLines) end(docs uint64) error {
	if _, err := l.in.NextNonBlank(); err != nil {
		return err
	}
	return l.mismatch(docs)
}

func (l *idLines) mismatch(docs uint64) error {
	e := &input.Error{
		File: l.in.Name,
		Msg:  fmt.Sprintf("the number of lines is not %d, the number of documents of the matrix", docs),
	}
	return e.WithHint("give files that belong to one data set")
}

func (l *idLines) Close() error { return l.file.Close() }
