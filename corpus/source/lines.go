package source

import "github.com/topoi-lda/topoi/corpus/source/internal/input"

// lines reads plain text with one document a line. A blank line is an empty
// document, so line n is always document n; documents have no ids.
type lines struct {
	in *input.Scanner
}

func openLines(_ string, in *input.Scanner, _ *Options) (Source, error) {
	return &lines{in}, nil
}

func (l *lines) Content() Content              { return ContentText }
func (l *lines) Vocabulary() ([]string, error) { return nil, nil }
func (l *lines) Close() error                  { return nil }

func (l *lines) Next(doc *Document) error {
	line, err := l.in.Next()
	if err != nil {
		return err
	}
	doc.Text, err = input.CheckText(line, l.in, 0)
	return err
}
