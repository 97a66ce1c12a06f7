package source

// yahoo reads the lines of Yahoo!LDA and WarpLDA:
//
//	id1 id2 word word …
//
// The first id names the document, the second becomes its label. Blank lines
// are skipped.
type yahoo struct {
	in     *scanner
	o      *Options
	fields [][]byte
}

func openYahoo(_ string, in *scanner, o *Options) (Source, error) {
	return &yahoo{in: in, o: o}, nil
}

func (y *yahoo) Content() Content              { return ContentTokens }
func (y *yahoo) Vocabulary() ([]string, error) { return nil, nil }
func (y *yahoo) Close() error                  { return nil }

func (y *yahoo) Next(doc *Document) error {
	line, err := nextNonBlank(y.in)
	if err != nil {
		return err
	}
	if line, err = checkText(line, y.in, 0, y.o); err != nil {
		return err
	}
	y.fields = appendFields(y.fields[:0], line)
	if len(y.fields) < 2 {
		return y.in.errorf("found %s, expected: id1 id2 word word …", quote(line)).hint("every line must begin with two ids")
	}
	doc.ID, doc.Label, doc.Tokens = y.fields[0], y.fields[1], y.fields[2:]
	return nil
}
