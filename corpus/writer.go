package corpus

import (
	"encoding/json"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// fileWriter writes a corpus file.
type fileWriter struct{ *format.Writer }

func newFileWriter(out *wholefile.File, sections int) fileWriter {
	return fileWriter{format.NewWriter(out, sections)}
}

// strings writes the two sections of a list.
func (w fileWriter) strings(name string, s Strings) error {
	s = s.packed()
	return w.List(name, s.ends, s.bytes)
}

// columns writes the section that describes the columns, if there are any.
func (w fileWriter) columns(infos []columnInfo) error {
	if infos == nil {
		return nil
	}
	description, err := json.Marshal(infos)
	if err != nil {
		return err
	}
	return w.Columns(description)
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

// lists returns the lists of strings of a corpus, without absent ones.
func (c *Corpus) lists() []namedStrings {
	all := []namedStrings{{format.Words, c.words}}
	for _, l := range []namedStrings{
		{format.IDs, c.ids},
		{format.Labels, c.labels},
		{format.Times, c.times},
		{format.Titles, c.titles},
		{format.Snippets, c.snippets},
		{format.Texts, c.texts},
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
	if err := w.Section(format.Offsets, mapfile.Bytes(c.offsets)); err != nil {
		return err
	}
	for _, l := range lists {
		if err := w.strings(l.name, l.list); err != nil {
			return err
		}
	}
	if len(c.pipeline) > 0 {
		if err := w.Section(format.Pipeline, c.pipeline); err != nil {
			return err
		}
	}
	if err := w.columns(infos); err != nil {
		return err
	}
	return w.Finish(uint64(c.NumDocs()), uint64(c.NumWords()), uint64(c.NumTokens()))
}

// writeTokens writes the section of tokens piece by piece, so that the tokens of a mapped file do not all
// count as memory in use.
func (c *Corpus) writeTokens(w fileWriter) error {
	const piece = 1 << 20
	w.Begin(format.Tokens)
	for lo := 0; lo < c.NumTokens(); lo += piece {
		hi := min(c.NumTokens(), lo+piece)
		if _, err := w.Write(mapfile.Bytes(c.TokensBetween(lo, hi))); err != nil {
			return err
		}
		c.Release(lo, hi)
	}
	return w.End()
}

// digests returns the checksums that the content's sections have in a file.
func (c *Corpus) digests() map[string]format.Digest {
	m := map[string]format.Digest{
		format.Offsets: format.DigestOf(mapfile.Bytes(c.offsets)),
		format.Tokens:  format.DigestOf(mapfile.Bytes(c.Tokens())),
	}
	for _, l := range c.lists() {
		s := l.list.packed()
		m[l.name+format.SuffixEnds] = format.DigestOf(mapfile.Bytes(s.ends))
		m[l.name+format.SuffixBytes] = format.DigestOf(s.bytes)
	}
	return m
}
