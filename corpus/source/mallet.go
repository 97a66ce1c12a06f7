package source

import (
	"bytes"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// mallet reads MALLET's one-instance-per-line text: id, label, text. In a file whose first line has two tabs or more
// the fields are separated by tabs, so that labels may hold blanks; in any other by blanks, with an optional comma
// behind id and label. Blank lines are skipped.
type mallet struct {
	plain
	in   *input.Scanner
	tabs bool
}

func openMallet(_ string, in *input.Scanner, _ *Options) (Source, error) {
	head, _, _ := bytes.Cut(in.Peek(), []byte("\n"))
	return &mallet{in: in, tabs: bytes.Count(head, []byte("\t")) >= 2}, nil
}

func (m *mallet) Next(doc *Document) error {
	line, err := m.in.Checked(m.in.NextNonBlank())
	if err != nil {
		return err
	}
	var ok bool
	if m.tabs {
		doc.ID, doc.Label, doc.Text, ok = splitTabs(line)
		if !ok {
			return m.in.Errorf("found %s, expected id<TAB>label<TAB>text",
				input.Plural(bytes.Count(line, []byte("\t")),
					"tab")).WithHint("correct the line, or remove the tabs of line 1 to separate fields by spaces")
		}
	} else {
		doc.ID, doc.Label, doc.Text, ok = splitBlanks(line)
		if !ok {
			return m.in.Errorf("found %s, expected: id label text", input.Quote(line)).WithHint("if the lines have no id and label, use Options.Format = lines")
		}
	}
	return nil
}

func splitTabs(line []byte) (id, label, text []byte, ok bool) {
	id, rest, ok1 := bytes.Cut(line, []byte("\t"))
	label, text, ok2 := bytes.Cut(rest, []byte("\t"))
	return id, label, text, ok1 && ok2
}

// splitBlanks cuts a line into two words and the rest; a line with two words only is an empty document.
func splitBlanks(line []byte) (id, label, text []byte, ok bool) {
	id, rest := input.FirstWord(line)
	label, text = input.FirstWord(rest)
	id, label = bytes.TrimRight(id, ","), bytes.TrimRight(label, ",")
	return id, label, text, len(id) > 0 && len(label) > 0
}
