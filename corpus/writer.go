package corpus

import (
	"encoding/json"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// fileWriter writes a corpus file.
type fileWriter struct{ *format.Writer }

// strings writes the two sections of a list.
func (w fileWriter) strings(name string, s Strings) error {
	s = s.packed()
	return w.List(name, s.ends, s.bytes)
}

// finish writes the text options and the description of the columns, if there are any, and the header.
func (w fileWriter) finish(pipeline []byte, infos []columnInfo, docs, words, tokens uint64) error {
	if len(pipeline) > 0 {
		if err := w.Section(format.Pipeline, pipeline); err != nil {
			return err
		}
	}
	if infos != nil {
		description, err := json.Marshal(infos)
		if err == nil {
			err = w.Columns(description)
		}
		if err != nil {
			return err
		}
	}
	return w.Finish(docs, words, tokens)
}

// Save writes the corpus to path, whole or not at all.
func (c *Corpus) Save(path string) error {
	f, err := wholefile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := writeCorpus(c, f); err != nil {
		return wholefile.Explain(path, err)
	}
	return f.Commit()
}

func writeCorpus(c *Corpus, out *wholefile.File) error {
	lists := sectionsOf(c)
	count := 2 + 2*len(lists)
	if len(c.pipeline) > 0 {
		count++
	}
	infos := c.Tags.columnInfos()
	if infos != nil {
		count++
	}
	w := fileWriter{format.NewWriter(out, count)}
	if err := w.tokens(c); err != nil {
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
	return w.finish(c.pipeline, infos, uint64(c.NumDocs()), uint64(c.NumWords()), uint64(c.NumTokens()))
}

// tokens writes the section of tokens piece by piece, so that the tokens of a mapped file do not all
// count as memory in use.
func (w fileWriter) tokens(c *Corpus) error {
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
