package source

import (
	"fmt"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// lines reads plain text with one document per line. A blank line is an empty
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

// StreamFormats are the formats that [OpenStream] reads.
func StreamFormats() []string { return []string{"lines", "jsonl"} }

// OpenStream reads documents from r as they come, in the format opts.Format, which must
// be one of [StreamFormats]. Unlike [Open] it never waits for more than the document at
// hand, so it finds out nothing by looking ahead: the text is UTF-8 and not compressed.
// name stands for r in messages.
func OpenStream(name string, r io.Reader, opts Options) (Source, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	if !slices.Contains(StreamFormats(), opts.Format) {
		return nil, fmt.Errorf("documents of the format %q cannot be read one by one: it must be lines or jsonl", opts.Format)
	}
	opts.names = counts.NewNames()
	in := input.NewScanner(name, r)
	in.Repair = opts.RepairUTF8
	in.Begin()
	return formatByName(opts.Format).open(name, in, &opts)
}
