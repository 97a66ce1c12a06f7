package format

import (
	"fmt"
	"io"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Writer writes a corpus file from front to back, one section after the other, and the header last. The
// number of sections is fixed at the start because the table precedes them.
type Writer struct {
	out      io.WriterAt
	position uint64 // where the next byte goes
	header   Header
	sections int // number of entries in the table
	hash     *xxh3.Hasher
	buffer   []byte
}

// WriteBuffer is the number of bytes that are written at a time.
const WriteBuffer = 1 << 20

// NewWriter returns a writer for a file with the given number of sections.
func NewWriter(out io.WriterAt, sections int) *Writer {
	return &Writer{
		out:      out,
		position: align(TableEnd(sections)),
		header:   Header{Major: Major},
		sections: sections,
		hash:     xxh3.New(),
		buffer:   make([]byte, 0, WriteBuffer),
	}
}

// Begin starts a section. Everything written until End belongs to it.
func (w *Writer) Begin(name string) {
	if len(w.header.Sections) == w.sections || len(name) > nameSize {
		panic("corpus: no room for section " + name)
	}
	w.hash.Reset()
	w.header.Sections = append(w.header.Sections, Section{Name: name, Offset: w.position})
}

// Write appends to the current section.
func (w *Writer) Write(p []byte) (int, error) {
	w.hash.Write(p)
	w.header.Sections[len(w.header.Sections)-1].Size += uint64(len(p))
	return len(p), w.append(p)
}

// append writes p at the end of the file through the buffer.
func (w *Writer) append(p []byte) error {
	w.position += uint64(len(p))
	if len(w.buffer)+len(p) <= cap(w.buffer) {
		w.buffer = append(w.buffer, p...)
		return nil
	}
	start := int64(w.position) - int64(len(p)) - int64(len(w.buffer))
	if _, err := w.out.WriteAt(w.buffer, start); err != nil {
		return err
	}
	start += int64(len(w.buffer))
	w.buffer = w.buffer[:0]
	if len(p) <= cap(w.buffer)/2 {
		w.buffer = append(w.buffer, p...)
		return nil
	}
	_, err := w.out.WriteAt(p, start)
	return err
}

// End completes the section and pads to the next boundary.
func (w *Writer) End() error {
	w.header.Sections[len(w.header.Sections)-1].Digest = w.hash.Sum128().Bytes()
	var zeros [alignment]byte
	return w.append(zeros[:align(w.position)-w.position])
}

// Section writes a whole section.
func (w *Writer) Section(name string, content []byte) error {
	w.Begin(name)
	if _, err := w.Write(content); err != nil {
		return err
	}
	return w.End()
}

// BeginList records that the file holds a list. A file has the lowest minor version that describes it, so
// that a file without new sections is the same in every version.
func (w *Writer) BeginList(name string) { w.header.Minor = max(w.header.Minor, minorSince[name]) }

// List writes the two sections of a list of strings.
func (w *Writer) List(name string, ends []uint64, bytes []byte) error {
	w.BeginList(name)
	if err := w.Section(name+SuffixEnds, mapfile.Bytes(ends)); err != nil {
		return err
	}
	return w.Section(name+SuffixBytes, bytes)
}

// Columns writes the section that describes the columns.
func (w *Writer) Columns(description []byte) error {
	w.header.Minor = max(w.header.Minor, 2)
	return w.Section(Columns, description)
}

// Copies writes the section that lists the copies.
func (w *Writer) Copies(list []uint64) error {
	w.header.Minor = max(w.header.Minor, Minor)
	return w.Section(Copies, mapfile.Bytes(list))
}

// Finish writes the buffered bytes, then the header.
func (w *Writer) Finish(docs, words, tokens uint64) error {
	if len(w.header.Sections) != w.sections {
		panic(fmt.Sprintf("corpus: %d sections announced, %d written", w.sections, len(w.header.Sections)))
	}
	h := &w.header
	h.Docs, h.Words, h.Tokens, h.FileSize = docs, words, tokens, w.position
	if _, err := w.out.WriteAt(w.buffer, int64(w.position)-int64(len(w.buffer))); err != nil {
		return err
	}
	_, err := w.out.WriteAt(h.encode(), 0)
	return err
}
