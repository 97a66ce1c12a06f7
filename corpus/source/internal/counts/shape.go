package counts

import (
	"fmt"
	"io"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// shape is the outline of a matrix of documents and words.
type shape struct {
	rows, cols uint64
	docsCols   bool     // documents are columns
	vocab      []string // by word id, or nil
	ids        *idLines // names of the documents, or nil
}

// readNames reads the vocabulary that the options name or that lies beside the
// matrix, and returns its file. It opens the names of the documents if they lie
// there too.
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
			e := &input.Error{File: vocabName, Msg: fmt.Sprintf("%s found, but %s has %s and %s", input.Plural(words, "name"), name, input.Plural(s.rows, "row"), input.Plural(s.cols, "column"))}
			return e.WithHint("give the names that belong to this matrix")
		}
	}
	if s.vocab != nil && words != s.width() {
		side := "column"
		if s.docsCols {
			side = "row"
		}
		e := &input.Error{File: vocabName, Msg: fmt.Sprintf("%s found, but %s has %s", input.Plural(words, "name"), name, input.Plural(s.width(), side))}
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
