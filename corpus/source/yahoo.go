package source

import "github.com/topoi-lda/topoi/corpus/source/internal/input"

// yahoo reads the lines of Yahoo!LDA and WarpLDA:
//
//	id1 id2 word word …
//
// The first id names the document, the second becomes its label. Blank lines
// are skipped.
type yahoo struct {
	in     *input.Scanner
	fields [][]byte
}

func openYahoo(_ string, in *input.Scanner, _ *Options) (Source, error) {
	return &yahoo{in: in}, nil
}

func (y *yahoo) Content() Content              { return ContentTokens }
func (y *yahoo) Vocabulary() ([]string, error) { return nil, nil }
func (y *yahoo) Close() error                  { return nil }

func (y *yahoo) Next(doc *Document) error {
	line, err := y.in.NextNonBlank()
	if err != nil {
		return err
	}
	if line, err = input.CheckText(line, y.in, 0); err != nil {
		return err
	}
	y.fields = input.AppendFields(y.fields[:0], line)
	if len(y.fields) < 2 {
		return y.in.Errorf("found %s, expected: id1 id2 word word …", input.Quote(line)).WithHint("every line must begin with two ids")
	}
	doc.ID, doc.Label, doc.Tokens = y.fields[0], y.fields[1], y.fields[2:]
	return nil
}
