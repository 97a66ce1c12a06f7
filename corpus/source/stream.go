package source

import (
	"fmt"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

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
