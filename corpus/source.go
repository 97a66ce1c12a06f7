package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus/internal/intern"
	"github.com/topoi-lda/topoi/corpus/source"
)

// formatCorpus is the name of the corpus file's format in reports.
const formatCorpus = "topoi"

// corpusSource reads corpus files as a source: one, so that it can be pruned again or matched with another vocabulary,
// or several that are the parts of one input, in its order.
type corpusSource struct {
	all    []*Corpus
	part   int           // the current one
	table  *intern.Table // the words of all parts; nil for one, whose words keep their order
	ids    [][]uint32    // of the words of each part
	order  []place       // of the documents; nil: that of the parts
	size   int64         // size of the files in bytes
	next   int           // document of the current part, or of order
	words  []uint32      // of the current document
	counts []uint32
	fields []source.Field
}

// changes reports whether the options would change a corpus file that has the given words.
func (o *ImportOptions) changes(words Strings) bool {
	if o.DropEmpty || o.Phrases != nil || o.Duplicates != "" || o.Order == orderHash {
		return true
	}
	if o.Vocabulary.Len() > 0 {
		return !o.Vocabulary.Equal(words)
	}
	return o.MinDF > 0 || o.MaxDF > 0 || o.MinCF > 0 || o.MaxWords > 0
}

// openAsIs opens a corpus file and reports on it.
func openAsIs(path string) (*Corpus, *Report, error) {
	start := time.Now()
	c, err := Open(path)
	if err != nil {
		return nil, nil, err
	}
	report := &Report{
		Format: formatCorpus, Guessed: true, Bytes: int64(len(c.file.data.Data)),
		Docs: int64(c.NumDocs()), Words: int64(c.NumWords()), Tokens: int64(c.NumTokens()),
	}
	for d := range c.NumDocs() {
		if len(c.Doc(d)) == 0 {
			report.EmptyDocs++
		}
	}
	report.Seconds = time.Since(start).Seconds()
	return c, report, nil
}

// openParts opens corpus files that are the parts of one input.
func openParts(paths []string) (src *corpusSource, err error) {
	src = &corpusSource{}
	for _, path := range paths {
		c, err := Open(path)
		if err != nil {
			return nil, errors.Join(err, src.Close())
		}
		src.all = append(src.all, c)
		src.size += int64(len(c.file.data.Data))
		if first := src.all[0]; !bytes.Equal(c.pipeline, first.pipeline) {
			return nil, errors.Join(fmt.Errorf("the texts of %s and %s were cut into words differently: import all parts with the same options, Text.Languages among them", paths[0], path), src.Close())
		}
	}
	if len(src.all) > 1 {
		src.join()
	}
	return src, nil
}

// newCorpusSource returns a source that owns corpora.
func newCorpusSource(all []*Corpus) *corpusSource { return &corpusSource{all: all} }

// join gives the words of all parts numbers in common.
func (s *corpusSource) join() {
	if s.table != nil {
		return
	}
	s.table = intern.New(1 << 16)
	for _, c := range s.all {
		var ids []uint32
		for w := range c.NumWords() {
			word := c.words.Bytes(w)
			ids = append(ids, s.table.Intern(word, intern.Hash(word)))
		}
		s.ids = append(s.ids, ids)
	}
}

// byHash lets the source hand over its documents by the hash of their ids, and those that have the same id, or none, by
// that of all that is known of them. Documents that are alike in everything have the same hash, and it does not matter
// which of them is first. So the order does not depend on the parts in which the documents came, or on their order.
func (s *corpusSource) byHash() {
	s.join()
	var b []byte
	for p, c := range s.all {
		words := make([]uint64, c.NumWords())
		for w := range words {
			words[w] = xxh3.Hash(c.words.Bytes(w))
		}
		for d := range c.NumDocs() {
			x := place{part: uint32(p), doc: uint32(d)}
			if id := c.tags.lists()[0]; id.Len() > 0 && len(id.Bytes(d)) > 0 {
				x.id = xxh3.Hash(id.Bytes(d))
			}
			b = appendContent(b[:0], c, d, words)
			x.content = xxh3.Hash(b)
			b = appendColumns(b[:0], c, d)
			x.columns = xxh3.Hash(b)
			s.order = append(s.order, x)
		}
	}
	slices.SortFunc(s.order, before)
}

// advance returns the part and the number of the next document. ok is false after the last.
func (s *corpusSource) advance() (part, doc int, ok bool) {
	if s.order != nil {
		if s.next == len(s.order) {
			return 0, 0, false
		}
		x := s.order[s.next]
		s.next++
		return int(x.part), int(x.doc), true
	}
	for s.next == s.all[s.part].NumDocs() {
		if s.part+1 == len(s.all) {
			return 0, 0, false
		}
		s.part, s.next = s.part+1, 0
	}
	s.next++
	return s.part, s.next - 1, true
}

// Next returns the next document as words with counts.
func (s *corpusSource) Next(doc *source.Document) error {
	part, d, ok := s.advance()
	if !ok {
		return io.EOF
	}
	c := s.all[part]
	s.words, s.counts = s.words[:0], s.counts[:0]
	for _, w := range c.Doc(d) {
		if s.table != nil {
			w = s.ids[part][w]
		}
		if n := len(s.words); n > 0 && s.words[n-1] == w {
			s.counts[n-1]++
			continue
		}
		s.words = append(s.words, w)
		s.counts = append(s.counts, 1)
	}
	*doc = source.Document{Words: s.words, Counts: s.counts}
	lists := c.tags.lists()
	for i, into := range []*[]byte{&doc.ID, &doc.Label, &doc.Time, &doc.Title, &doc.Snippet} {
		if lists[i].Len() > 0 {
			*into = lists[i].Bytes(d)
		}
	}
	if c.HasTexts() {
		doc.Text = []byte(c.Text(d))
	}
	s.fields = s.fields[:0]
	for _, x := range c.columns {
		if x.Role == "" {
			s.fields = append(s.fields, source.Field{Name: x.Name, Value: x.list.Bytes(d)})
		}
	}
	doc.Columns = s.fields
	return nil
}

// Content reports that documents hold word ids.
func (s *corpusSource) Content() source.Content { return source.ContentIDs }

// Vocabulary returns the words of the corpus, or of all parts.
func (s *corpusSource) Vocabulary() ([]string, error) {
	if s.table != nil {
		return wordsOf(s.table).List(), nil
	}
	return s.all[0].words.List(), nil
}

// Close closes the files.
func (s *corpusSource) Close() (err error) {
	for _, c := range s.all {
		err = errors.Join(err, c.Close())
	}
	return err
}
