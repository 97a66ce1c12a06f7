package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

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

// finish writes the text options, the copies and the description of the columns, if there are any, and the header.
func (w fileWriter) finish(pipeline []byte, copies []uint64, infos []columnInfo, docs, words, tokens uint64) error {
	if len(pipeline) > 0 {
		if err := w.Section(format.Pipeline, pipeline); err != nil {
			return err
		}
	}
	if copies != nil {
		if err := w.Copies(copies); err != nil {
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
	if c.copyList != nil {
		count++
	}
	infos := c.tags.columnInfos()
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
	return w.finish(c.pipeline, c.copyList, infos, uint64(c.NumDocs()), uint64(c.NumWords()), uint64(c.NumTokens()))
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

// linkBytes is the size from which SaveLinked prefers a link to a copy. Small files are copied, because a
// copy does not change with the original.
const linkBytes = 256 << 20

// SaveLinked does what Save does. If c is a large file, it makes a hard link to that file instead of a copy,
// if the file system supports links. That is safe because corpus files are never changed, only replaced.
func (c *Corpus) SaveLinked(path string) error { return saveLinked(c, path, linkBytes) }

func saveLinked(c *Corpus, path string, threshold int) error {
	if c.file == nil || len(c.file.data.Data) < threshold || os.Link(c.file.path, path) != nil {
		return c.Save(path)
	}
	if change, _ := c.file.data.ChangedAt(path); change == mapfile.Same {
		return nil // Open has verified the content
	}
	// Another file may have taken the name since c was opened, or the file may have been changed. Open
	// verifies that it holds what its fingerprint says.
	linked, err := Open(path)
	if err == nil && linked.file.same(c.file) {
		return linked.Close()
	}
	if err == nil {
		err = linked.Close()
	}
	if removeErr := os.Remove(path); removeErr != nil {
		return errors.Join(err, removeErr)
	}
	return c.Save(path)
}

// LinkedBytes returns how many bytes SaveLinked needs in a directory. It is 0 if SaveLinked will make a link.
func (c *Corpus) LinkedBytes(dir string) uint64 {
	if c.file == nil {
		return fileBytes(c)
	}
	size := uint64(len(c.file.data.Data))
	if size < linkBytes {
		return size
	}
	probe := filepath.Join(dir, fmt.Sprintf(".topoi-probe-%08x", rand.Uint32())) // a random name avoids collisions
	if os.Link(c.file.path, probe) != nil {
		return size
	}
	_ = os.Remove(probe) // made just above
	return 0
}

// fileBytes returns the size of a file that holds c, without header and padding.
func fileBytes(c *Corpus) uint64 {
	size := 4*uint64(c.NumTokens()) + 8*uint64(len(c.offsets)) + uint64(len(c.pipeline))
	for _, l := range sectionsOf(c) {
		size += 8 * uint64(l.list.Len())
		for i := range l.list.Len() {
			size += uint64(len(l.list.Bytes(i)))
		}
	}
	return size
}
