package source

import (
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// pieces is a document that is handed out piece by piece.
type pieces struct {
	doc   Document
	rest  []byte
	id    []byte
	count int // of this document
	docs  int64
}

// lines reads plain text with one document per line. A blank line is an empty
// document, so line n is always document n; documents have no ids.
type lines struct {
	plain
	in *input.Scanner
}

func openLines(_ string, in *input.Scanner, _ *Options) (Source, error) { return &lines{in: in}, nil }

func (l *lines) Next(doc *Document) (err error) {
	doc.Text, err = l.in.Checked(l.in.Next())
	return err
}
