package corpus

import (
	"io"
	"time"

	"github.com/topoi-lda/topoi/corpus/source"
)

// formatCorpus is the name of the corpus file's format in reports.
const formatCorpus = "topoi"

// corpusSource reads a corpus file as a source, so that it can be pruned again or matched with another vocabulary.
type corpusSource struct {
	corpus *Corpus
	size   int64 // size of the file in bytes
	next   int
	words  []uint32 // of the current document
	counts []uint32
	fields []source.Field
}

// changes reports whether the options would change a corpus file that has the given words.
func (o *ImportOptions) changes(words Strings) bool {
	if o.DropEmpty || o.Phrases != nil {
		return true
	}
	if o.Vocabulary.Len() > 0 {
		return !o.Vocabulary.equal(words)
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

// Next returns the next document as words with counts.
func (s *corpusSource) Next(doc *source.Document) error {
	c := s.corpus
	if s.next == c.NumDocs() {
		return io.EOF
	}
	s.words, s.counts = s.words[:0], s.counts[:0]
	for _, w := range c.Doc(s.next) {
		if n := len(s.words); n > 0 && s.words[n-1] == w {
			s.counts[n-1]++
			continue
		}
		s.words = append(s.words, w)
		s.counts = append(s.counts, 1)
	}
	*doc = source.Document{Words: s.words, Counts: s.counts}
	lists := c.Tags.lists()
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

// Vocabulary returns the corpus's words.
func (s *corpusSource) Vocabulary() ([]string, error) { return s.corpus.words.List(), nil }

// Close closes the corpus.
func (s *corpusSource) Close() error { return s.corpus.Close() }
