package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/topoi-lda/topoi/corpus/internal/intern"
	"github.com/topoi-lda/topoi/corpus/source"
)

// formatCorpus is the name of the corpus file's format in reports.
const formatCorpus = "topoi"

// corpusSource reads corpus files as a source: one, so that it can be pruned again or matched with another vocabulary,
// or several that are the parts of one input, in its order.
type corpusSource struct {
	corpus *Corpus       // the current one
	rest   []*Corpus     // those after it
	parts  int           // how many there were
	table  *intern.Table // the words of all parts; nil for one
	ids    []uint32      // of the words of the current part
	size   int64         // size of the files in bytes
	next   int
	words  []uint32 // of the current document
	counts []uint32
	fields []source.Field
}

// changes reports whether the options would change a corpus file that has the given words.
func (o *ImportOptions) changes(words Strings) bool {
	if o.DropEmpty || o.Phrases != nil || o.Duplicates != "" {
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
	src = &corpusSource{parts: len(paths)}
	for _, path := range paths {
		c, err := Open(path)
		if err != nil {
			return nil, errors.Join(err, src.Close())
		}
		src.rest = append(src.rest, c)
		src.size += int64(len(c.file.data.Data))
		if first := src.rest[0]; !bytes.Equal(c.pipeline, first.pipeline) {
			return nil, errors.Join(fmt.Errorf("the texts of %s and %s were cut into words differently: import all parts with the same options, Text.Languages among them", paths[0], path), src.Close())
		}
	}
	if src.parts > 1 {
		src.table = intern.New(1 << 16)
	}
	src.advance()
	return src, nil
}

// advance goes on to the next part. The files stay open until Close, because the last document may still be in use.
func (s *corpusSource) advance() {
	s.corpus, s.rest, s.next = s.rest[0], append(s.rest[1:], s.rest[0]), 0
	if s.table == nil {
		return
	}
	s.ids = s.ids[:0]
	for w := range s.corpus.NumWords() {
		word := s.corpus.words.Bytes(w)
		s.ids = append(s.ids, s.table.Intern(word, intern.Hash(word)))
	}
}

// Next returns the next document as words with counts.
func (s *corpusSource) Next(doc *source.Document) error {
	for s.next == s.corpus.NumDocs() && s.parts > 1 {
		s.parts--
		s.advance()
	}
	c := s.corpus
	if s.next == c.NumDocs() {
		return io.EOF
	}
	s.words, s.counts = s.words[:0], s.counts[:0]
	for _, w := range c.Doc(s.next) {
		if s.table != nil {
			w = s.ids[w]
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
			*into = lists[i].Bytes(s.next)
		}
	}
	if c.HasTexts() {
		doc.Text = []byte(c.Text(s.next))
	}
	s.fields = s.fields[:0]
	for _, d := range c.columns {
		if d.Role == "" {
			s.fields = append(s.fields, source.Field{Name: d.Name, Value: d.list.Bytes(s.next)})
		}
	}
	doc.Columns = s.fields
	s.next++
	return nil
}

// Content reports that documents hold word ids.
func (s *corpusSource) Content() source.Content { return source.ContentIDs }

// Vocabulary returns the words of the corpus, or of all parts.
func (s *corpusSource) Vocabulary() ([]string, error) {
	if s.table != nil {
		return wordsOf(s.table).List(), nil
	}
	return s.corpus.words.List(), nil
}

// Close closes the files.
func (s *corpusSource) Close() (err error) {
	for _, c := range s.rest {
		err = errors.Join(err, c.Close())
	}
	return err
}
