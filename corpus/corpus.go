// Package corpus holds the documents on which topic models are trained: D documents over a vocabulary of V
// words, with N tokens in all.
//
// A corpus is one file that is written once, whole or not at all, and memory-mapped afterwards ([Open]). [Import]
// makes such a file from raw text or from any of the usual corpus formats. It needs a bounded amount of memory,
// however large the input is. [Load] does the same and opens the result. [Generate] draws a synthetic corpus.
// [FromTexts], [FromTokens], [FromIDs] and [Builder] make small corpora in memory; [Corpus.Save] writes them.
//
// The tokens of a document are sorted by word id. Empty documents keep their number, so that document d of
// the input is document d of every output. Ids, labels and times of documents are kept as well.
//
// Package source reads the formats, and package text cuts text into tokens. This package numbers words,
// prunes them, finds phrases and stores the result. docs/formats.md has the grammar of the file.
package corpus

import (
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Corpus is a read-only collection of documents. It is safe for use by many goroutines. Slices returned by
// its methods belong to the corpus and must not be changed. If the corpus was opened from a file, they
// point into the memory map and are invalid after Close.
type Corpus struct {
	offsets []uint64 // D+1 values: document d is tokens[offsets[d]:offsets[d+1]]
	tokens  []uint32 // N word ids, sorted inside each document; nil for a selection

	words  Strings // V words, indexed by word id
	ids    Strings // D document ids, or empty when the input had none
	labels Strings // D labels, or empty when the input had none
	times  Strings // D times as written in the input, or empty

	titles   Strings // D titles, or empty when the input had none
	snippets Strings // D beginnings of the text, or empty when none were kept
	texts    Strings // D whole texts, compressed, or empty when none were kept
	columns  []columnData

	parts []uint64 // offsets of the pieces of documents; nil if documents are not cut into pieces

	pipeline []byte     // the text pipeline's options as JSON; empty if the input was tokenised
	first    int        // number of document 0 in the corpus that this one is a view of, see Docs
	whole    *Corpus    // that corpus; nil if this one is not a view
	selected *selection // the documents of a view made by Select; nil for all others

	fingerprint func() string    // see Fingerprint; computed at most once
	file        *mapfile.File    // the open file; nil for a corpus in memory
	path        string           // of that file
	sections    []format.Section // of that file
}

// newCorpus completes a corpus whose arrays are in place.
func newCorpus(c Corpus) *Corpus {
	p := &c
	p.fingerprint = sync.OnceValue(func() string { return format.Fingerprint(p.digests()) })
	return p
}

// NumDocs returns D, the number of documents, empty ones included.
func (c *Corpus) NumDocs() int { return len(c.offsets) - 1 }

// NumWords returns V, the size of the vocabulary.
func (c *Corpus) NumWords() int { return c.words.Len() }

// NumTokens returns N, the number of tokens in all documents.
func (c *Corpus) NumTokens() int { return int(c.offsets[len(c.offsets)-1] - c.offsets[0]) }

// Offsets returns the D+1 positions at which documents begin in Tokens.
func (c *Corpus) Offsets() []uint64 { return c.offsets }

// Tokens returns the N word ids of all documents, one document after the other. The first call on a
// selection copies its tokens; see [Corpus.Gather].
func (c *Corpus) Tokens() []uint32 {
	if c.selected != nil {
		return c.selected.all(c)
	}
	return c.tokens
}

// Doc returns the sorted word ids of document d.
func (c *Corpus) Doc(d int) []uint32 {
	if c.selected != nil {
		return c.selected.doc(c, d)
	}
	return c.tokens[c.offsets[d]:c.offsets[d+1]]
}

// Words returns the vocabulary, indexed by word id.
func (c *Corpus) Words() Strings { return c.words }

// Word returns the word with id w.
func (c *Corpus) Word(w int) string { return c.words.At(w) }

// HasIDs reports whether the input named its documents.
func (c *Corpus) HasIDs() bool { return c.ids.Len() > 0 }

// HasLabels reports whether the input has labels.
func (c *Corpus) HasLabels() bool { return c.labels.Len() > 0 }

// HasTimes reports whether the input has times.
func (c *Corpus) HasTimes() bool { return c.times.Len() > 0 }

// ID returns the user's id for document d. Without one it is the document's number, counted from 0, in decimal.
func (c *Corpus) ID(d int) string {
	if c.HasIDs() {
		if id := c.ids.Bytes(d); len(id) > 0 {
			return string(id)
		}
	}
	return strconv.Itoa(c.Number(d))
}

// Number returns the number that document d has in the corpus that c is a view of (see [Corpus.Whole]). It
// is d if c is not a view.
func (c *Corpus) Number(d int) int {
	if c.selected != nil {
		return int(c.selected.docs[d])
	}
	return c.first + d
}

// Label returns the label of document d, or "" if it has none.
func (c *Corpus) Label(d int) string { return atOrEmpty(c.labels, d) }

// Time returns the time of document d as the input wrote it, or "" if it has none.
func (c *Corpus) Time(d int) string { return atOrEmpty(c.times, d) }

// HasTitles reports whether the input has titles.
func (c *Corpus) HasTitles() bool { return c.titles.Len() > 0 }

// HasSnippets reports whether the corpus keeps the beginnings of the documents' texts.
func (c *Corpus) HasSnippets() bool { return c.snippets.Len() > 0 }

// Title returns the title of document d, or "" if it has none.
func (c *Corpus) Title(d int) string { return atOrEmpty(c.titles, d) }

// Snippet returns the beginning of the text of document d, to be shown to readers. It is the text of the
// input with every run of white space replaced by one blank; "…" at the end means that there is more text.
// It is empty if the corpus keeps no snippets.
func (c *Corpus) Snippet(d int) string { return atOrEmpty(c.snippets, d) }

func atOrEmpty(s Strings, i int) string {
	if s.Len() == 0 {
		return ""
	}
	return s.At(i)
}

// Pipeline returns the options of the text pipeline that cut the documents into tokens, as JSON, so that
// new text can be treated in the same way. It is empty if the input was tokenised.
func (c *Corpus) Pipeline() []byte { return c.pipeline }

// Fingerprint identifies the content: words, documents, ids, labels and times. It depends neither on the
// path of the file nor on the way the corpus was made. Two corpora with the same fingerprint train the same
// model. Text options, titles and snippets are not part of it, because they do not change a model.
//
// For a corpus opened from a file, the fingerprint is computed from the file's checksums. [Corpus.Verify]
// compares these with the content.
func (c *Corpus) Fingerprint() string { return c.fingerprint() }

// Close releases the memory map of a corpus opened from a file. The corpus
// and everything obtained from it must not be used afterwards.
func (c *Corpus) Close() error {
	if c.selected != nil {
		return c.selected.close()
	}
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}

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
		Format: formatCorpus, Guessed: true, Bytes: int64(len(c.file.Data)),
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
	lists := c.perDoc()
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
