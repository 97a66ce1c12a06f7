package source

import (
	"bytes"
	"io"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// gibbslda reads the input of GibbsLDA++: a line with the number of documents, then one document per line, its words
// separated by blanks. A blank line is an empty document.
type gibbslda struct {
	plain
	in    *input.Scanner
	docs  uint64 // promised by line 1
	doc   uint64
	words [][]byte
}

func openGibbsLDA(_ string, in *input.Scanner, _ *Options) (Source, error) {
	line, err := in.Next()
	if err != nil {
		return nil, err
	}
	line = bytes.TrimSpace(line)
	docs, ok := input.Digits(line)
	if !ok || docs > counts.MaxDocs {
		return nil, in.Errorf("found %s, expected the number of documents", input.Quote(line)).WithHint("without such a line, use Options.Format = lines")
	}
	return &gibbslda{plain: plain{ContentTokens}, in: in, docs: docs}, nil
}

func (g *gibbslda) Next(doc *Document) error {
	if g.doc == g.docs {
		if _, err := g.in.NextNonBlank(); err != nil {
			return err
		}
		return g.in.Errorf("found more documents than the %d that line 1 announces",
			g.docs).WithHint("correct the number on line 1")
	}
	line, err := g.in.Checked(g.in.Next())
	if err == io.EOF {
		return g.in.Errorf("the file ends after %s, but line 1 announces %d", input.Plural(g.doc, "document"),
			g.docs).WithHint("the file is incomplete, or the number on line 1 is wrong")
	}
	if err != nil {
		return err
	}
	g.doc++
	g.words = input.AppendFields(g.words[:0], line)
	doc.Tokens = g.words
	return nil
}

// yahoo reads the lines of Yahoo!LDA and WarpLDA:
//
//	id1 id2 word word …
//
// The first id names the document, the second becomes its label. Blank lines are skipped.
type yahoo struct {
	plain
	in     *input.Scanner
	fields [][]byte
}

func openYahoo(_ string, in *input.Scanner, _ *Options) (Source, error) {
	return &yahoo{plain: plain{ContentTokens}, in: in}, nil
}

func (y *yahoo) Next(doc *Document) error {
	line, err := y.in.Checked(y.in.NextNonBlank())
	if err != nil {
		return err
	}
	y.fields = input.AppendFields(y.fields[:0], line)
	if len(y.fields) < 2 {
		return y.in.Errorf("found %s, expected: id1 id2 word word …",
			input.Quote(line)).WithHint("every line must begin with two ids")
	}
	doc.ID, doc.Label, doc.Tokens = y.fields[0], y.fields[1], y.fields[2:]
	return nil
}
