package source

import (
	"bytes"
	"io"
)

// gibbslda reads the input of GibbsLDA++: a line with the number of documents,
// then one document a line, its words separated by blanks. A blank line is an
// empty document.
type gibbslda struct {
	in    *scanner
	o     *Options
	docs  uint64 // promised by line 1
	doc   uint64
	words [][]byte
}

func openGibbsLDA(_ string, in *scanner, o *Options) (Source, error) {
	line, err := in.next()
	if err != nil {
		return nil, err
	}
	line = bytes.TrimSpace(line)
	docs, ok := digits(line)
	if !ok || docs > maxDocs {
		return nil, in.errorf("found %s, expected the number of documents", quote(line)).hint("without such a line, use Options.Format = lines")
	}
	return &gibbslda{in: in, o: o, docs: docs}, nil
}

func (g *gibbslda) Content() Content              { return ContentTokens }
func (g *gibbslda) Vocabulary() ([]string, error) { return nil, nil }
func (g *gibbslda) Close() error                  { return nil }

func (g *gibbslda) Next(doc *Document) error {
	if g.doc == g.docs {
		if _, err := nextNonBlank(g.in); err != nil {
			return err
		}
		return g.in.errorf("found another document after the %d that line 1 promises", g.docs).hint("correct the number on line 1")
	}
	line, err := g.in.next()
	if err == io.EOF {
		return g.in.errorf("the file ends after %s, but line 1 promises %d", plural(g.doc, "document"), g.docs).hint("the file is incomplete, or the number on line 1 is wrong")
	}
	if err != nil {
		return err
	}
	if line, err = checkText(line, g.in, 0, g.o); err != nil {
		return err
	}
	g.doc++
	g.words = appendFields(g.words[:0], line)
	doc.Tokens = g.words
	return nil
}
