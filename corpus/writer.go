package corpus

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/zeebo/xxh3"
)

// fileWriter writes a corpus file front to back, one section after the other,
// and the header last. The number of sections is fixed at the start because
// the table precedes them.
type fileWriter struct {
	out      io.WriterAt
	position uint64 // where the next byte goes
	header   header
	sections int // room in the table
	hash     *xxh3.Hasher
	buffer   []byte
}

const writeBuffer = 1 << 20

func newFileWriter(out io.WriterAt, sections int) *fileWriter {
	return &fileWriter{
		out:      out,
		position: align(tableEnd(sections)),
		header:   header{major: majorVersion},
		sections: sections,
		hash:     xxh3.New(),
		buffer:   make([]byte, 0, writeBuffer),
	}
}

// begin starts a section. What is written until end belongs to it.
func (w *fileWriter) begin(name string) {
	if len(w.header.sections) == w.sections || len(name) > nameSize {
		panic("corpus: no room for section " + name)
	}
	w.hash.Reset()
	w.header.sections = append(w.header.sections, section{name: name, offset: w.position})
}

// Write appends to the section begun last.
func (w *fileWriter) Write(p []byte) (int, error) {
	w.hash.Write(p)
	w.header.sections[len(w.header.sections)-1].size += uint64(len(p))
	return len(p), w.append(p)
}

// append writes p at the end of the file through the buffer.
func (w *fileWriter) append(p []byte) error {
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

// end completes the section and pads to the next boundary.
func (w *fileWriter) end() error {
	w.header.sections[len(w.header.sections)-1].digest = w.hash.Sum128().Bytes()
	var zeros [alignment]byte
	return w.append(zeros[:align(w.position)-w.position])
}

// section writes a whole section.
func (w *fileWriter) section(name string, content []byte) error {
	w.begin(name)
	if _, err := w.Write(content); err != nil {
		return err
	}
	return w.end()
}

// beginList notes that the file holds a list. A file has the lowest minor version
// that describes it, so that one without new sections is the same in every version.
func (w *fileWriter) beginList(name string) {
	w.header.minor = max(w.header.minor, minorSince[name])
}

// strings writes the two sections of a list.
func (w *fileWriter) strings(name string, s Strings) error {
	w.beginList(name)
	s = s.packed()
	if err := w.section(name+suffixEnds, mapfile.Bytes(s.ends)); err != nil {
		return err
	}
	return w.section(name+suffixBytes, s.bytes)
}

// columns writes the section that describes the columns, if there are any.
func (w *fileWriter) columns(infos []columnInfo) error {
	if infos == nil {
		return nil
	}
	w.header.minor = max(w.header.minor, minorVersion)
	description, err := json.Marshal(infos)
	if err != nil {
		return err
	}
	return w.section(sectionColumns, description)
}

// finish writes what is buffered, then the header.
func (w *fileWriter) finish(docs, words, tokens uint64) error {
	if len(w.header.sections) != w.sections {
		panic(fmt.Sprintf("corpus: %d sections announced, %d written", w.sections, len(w.header.sections)))
	}
	h := &w.header
	h.docs, h.words, h.tokens, h.fileSize = docs, words, tokens, w.position
	if _, err := w.out.WriteAt(w.buffer, int64(w.position)-int64(len(w.buffer))); err != nil {
		return err
	}
	_, err := w.out.WriteAt(h.encode(), 0)
	return err
}

// Save writes the corpus to path, whole or not at all.
func (c *Corpus) Save(path string) error {
	f, err := wholefile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := c.write(f); err != nil {
		return wholefile.Explain(path, err)
	}
	return f.Commit()
}

// namedStrings is a list of strings with the name of its sections.
type namedStrings struct {
	name string
	list Strings
}

// lists returns the lists of strings a corpus holds, absent ones left out.
func (c *Corpus) lists() []namedStrings {
	all := []namedStrings{{sectionWords, c.words}}
	for _, l := range []namedStrings{
		{sectionIDs, c.ids},
		{sectionLabels, c.labels},
		{sectionTimes, c.times},
		{sectionTitles, c.titles},
		{sectionSnippets, c.snippets},
		{sectionTexts, c.texts},
	} {
		if l.list.Len() > 0 {
			all = append(all, l)
		}
	}
	for i, d := range c.columns {
		if d.Role == "" {
			all = append(all, namedStrings{columnSection(i), d.list})
		}
	}
	return all
}

func (c *Corpus) write(out *wholefile.File) error {
	lists := c.lists()
	count := 2 + 2*len(lists)
	if len(c.pipeline) > 0 {
		count++
	}
	infos := c.columnInfos()
	if infos != nil {
		count++
	}
	w := newFileWriter(out, count)
	if err := c.writeTokens(w); err != nil {
		return err
	}
	if err := w.section(sectionOffsets, mapfile.Bytes(c.offsets)); err != nil {
		return err
	}
	for _, l := range lists {
		if err := w.strings(l.name, l.list); err != nil {
			return err
		}
	}
	if len(c.pipeline) > 0 {
		if err := w.section(sectionPipeline, c.pipeline); err != nil {
			return err
		}
	}
	if err := w.columns(infos); err != nil {
		return err
	}
	return w.finish(uint64(c.NumDocs()), uint64(c.NumWords()), uint64(c.NumTokens()))
}

// writeTokens writes the section of tokens piece by piece, so that those of a mapped file
// do not all count as memory in use.
func (c *Corpus) writeTokens(w *fileWriter) error {
	const piece = 1 << 20
	w.begin(sectionTokens)
	for lo := 0; lo < c.NumTokens(); lo += piece {
		hi := min(c.NumTokens(), lo+piece)
		if _, err := w.Write(mapfile.Bytes(c.TokensBetween(lo, hi))); err != nil {
			return err
		}
		c.Release(lo, hi)
	}
	return w.end()
}

// digests returns the checksums that the content's sections have in a file.
func (c *Corpus) digests() map[string]digest {
	m := map[string]digest{
		sectionOffsets: digestOf(mapfile.Bytes(c.offsets)),
		sectionTokens:  digestOf(mapfile.Bytes(c.Tokens())),
	}
	for _, l := range c.lists() {
		s := l.list.packed()
		m[l.name+suffixEnds] = digestOf(mapfile.Bytes(s.ends))
		m[l.name+suffixBytes] = digestOf(s.bytes)
	}
	return m
}
