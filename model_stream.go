package topoi

import (
	"io"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// streamed is a state that is read piece by piece.
type streamed interface {
	AppendRow(dst []TopicCount, w int) []TopicCount
	EachTopics(f func(begin int, z []uint32) error) error
	Err() error
}

// stream writes the arrays of m, whose rows and topics are still those of s, into
// dir and opens them there. The directory has no manifest: it is no model yet.
func (m *Model) stream(dir string, s streamed) (*Model, error) {
	f := &manifestFile{Format: modelFormat, Manifest: m.manifest, Arrays: m.manifest.arraySpecs()}
	f.FormatVersion = m.manifest.version()
	m.ends = make([]uint64, m.NumWords())
	for _, name := range []string{arrayRows, ""} { // the ends of rows are known when rows have been written
		for i := range f.Arrays {
			a := &f.Arrays[i]
			if a.Checksum != "" || name != "" && a.Name != name {
				continue
			}
			if err := m.streamArray(filepath.Join(dir, a.Name), a, s); err != nil {
				return nil, err
			}
		}
	}
	stored := &storedModel{dir: dir, manifest: f, docs: func() (*corpus.Corpus, error) { return m.docs, nil }}
	opened, err := stored.open()
	if err == nil {
		opened.corpus, opened.docs, opened.heldout = m.corpus, m.docs, m.heldout
	}
	return opened, err
}

// streamArray writes one array and completes its description.
func (m *Model) streamArray(path string, a *arrayInfo, s streamed) error {
	err := a.write(path, func(put func([]byte) error) error {
		switch a.Name {
		case arrayRows:
			return m.eachRow(s, put)
		case arrayTopics, arrayTopicsWide:
			return s.EachTopics(func(_ int, z []uint32) error {
				return topics.List{Wide: z}.EachChunk(m.NumTopics(), put)
			})
		}
		return m.eachChunk(a.Name, put)
	})
	if err != nil {
		return wholefile.Explain(path, err)
	}
	return nil
}

// eachRow calls f with the bytes of all rows, some at a time, and notes where
// they end.
func (m *Model) eachRow(s streamed, f func([]byte) error) error {
	var rows []TopicCount
	end := uint64(0)
	for w := range m.ends {
		before := len(rows)
		rows = s.AppendRow(rows, w)
		end += uint64(len(rows) - before)
		m.ends[w] = end
		if len(rows) >= 1<<16 || w == len(m.ends)-1 {
			if err := f(counts.BytesOf(rows)); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return s.Err()
}

// copyArray copies the file of an array of a model that was opened from a
// directory, without reading it into memory.
func (s *storedModel) copyArray(path, name string) error {
	from, err := os.Open(filepath.Join(s.dir, name))
	if err != nil {
		return err
	}
	defer from.Close()
	return writeSynced(path, func(w *os.File) error {
		_, err := io.Copy(w, from)
		return err
	})
}
