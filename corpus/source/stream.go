package source

import (
	"bytes"
	"fmt"
	"io"
	"slices"
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
	opts.names = newInterner()
	in := newScanner(name, r)
	for in.end < len(bom) && bytes.HasPrefix(bom, in.buf[:in.end]) && in.fill() { // it may be a byte order mark
	}
	if bytes.HasPrefix(in.buf[:in.end], bom) {
		in.pos = len(bom)
	}
	return formatByName(opts.Format).open(name, in, &opts)
}
