package source

// lines reads plain text with one document a line. A blank line is an empty
// document, so line n is always document n; documents have no ids.
type lines struct {
	in *scanner
	o  *Options
}

func openLines(_ string, in *scanner, o *Options) (Source, error) {
	return &lines{in, o}, nil
}

func (l *lines) Content() Content              { return ContentText }
func (l *lines) Vocabulary() ([]string, error) { return nil, nil }
func (l *lines) Close() error                  { return nil }

func (l *lines) Next(doc *Document) error {
	line, err := l.in.next()
	if err != nil {
		return err
	}
	doc.Text, err = checkText(line, l.in, 0, l.o)
	return err
}
