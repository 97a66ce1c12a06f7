package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/corpus/internal/intern"
	"github.com/topoi-lda/topoi/corpus/internal/limits"
	"github.com/topoi-lda/topoi/corpus/internal/spool"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// importer is one import in progress. Its methods are the passes: gather reads the source into the spool
// and counts words, choose decides on the vocabulary, emit writes the corpus.
type importer struct {
	opts *ImportOptions
	src  source.Source

	// Filled by gather.
	spool   *spool.Spool  // blocks of documents with provisional word ids
	words   *intern.Table // provisional ids of text and tokens
	counts  []count       // by provisional id, or by the given id if the format has ids
	docs    int64
	tokens  int64
	tagged  tagSet
	columns columnSet
	largest wordUse  // the largest word id of a format with word ids
	table   []uint32 // memory for countWords

	text     text.Options // opts.Text with the languages that were found
	pipeline []byte       // the text options as JSON; empty if the input is not text

	// Filled by choose.
	vocabulary Strings  // final id to word
	final      []uint32 // provisional id to final id, or none
	monotone   bool     // final ids rise with provisional ids

	finder *copies.Finder // nil if copies are not looked for
	copies copies.Groups  // set by findCopies

	report Report
	meter
}

// closeFiles removes the temporary files.
func closeFiles(im *importer) {
	im.spool.Close() // joining phrases and dropping copies replace it
	im.finder.Close()
}

// wordUse is a word id with a document that contains it, for messages.
type wordUse struct {
	word uint32
	doc  int64
	seen bool
}

// none marks words that have no final id.
const none = ^uint32(0)

func newImporter(src source.Source, opts *ImportOptions) *importer {
	im := &importer{opts: opts, src: src, text: opts.Text, spool: spool.New(opts.TempDir), words: intern.New(1 << 16)}
	im.meter = meter{tell: opts.Progress, bytes: func() (read, total int64) { return limits.BytesRead(src) }}
	return im
}

// wordsOf returns the words of a table, by their ids.
func wordsOf(table *intern.Table) Strings {
	ends, bytes := table.Words()
	return Strings{ends: ends, bytes: bytes}
}

// outOfVocabulary returns the error for a format whose word ids exceed its vocabulary.
func (u wordUse) outOfVocabulary(words int) error {
	return fmt.Errorf("document %d (counted from 0) has word id %d (counted from 0), "+
		"but the vocabulary has only %d words; give the vocabulary that belongs to the documents", u.doc, u.word, words)
}

// noWords returns the error that says why a corpus would be empty.
func (im *importer) noWords() error {
	switch {
	case im.docs == 0:
		return fmt.Errorf("%w: the input has no documents", ErrNoWords)
	case im.tokens > 0:
		return fmt.Errorf("%w: all %d were dropped by frequency; allow rarer or more frequent words", ErrNoWordLeft,
			im.report.DroppedWords)
	case im.src.Content() == source.ContentText:
		return fmt.Errorf("%w: nothing is left of %s after numbers, stop words and the like were dropped; check that the right column or field is read", ErrNoWords, human.Of(im.docs, "document"))
	}
	return fmt.Errorf("%w in any of %s", ErrNoWords, human.Of(im.docs, "document"))
}

// describe adds what the source knows about itself to the report.
func (im *importer) describe() {
	im.report.Bytes, _ = limits.BytesRead(im.src)
	switch r := im.src.(type) {
	case *source.Reader:
		im.report.Format, im.report.Guessed = r.Format().Name, r.Guessed()
		im.report.RepeatedIDs = int64(r.Repeats())
		im.report.Input, im.report.Wholes = r.Taken(), r.Wholes()
	case *corpusSource:
		im.report.Format, im.report.Guessed, im.report.Bytes = formatCorpus, true, r.size
	}
}

// explainWrite adds the output's name to errors of writing. It returns other errors as they are.
func explainWrite(out string, err error) error {
	if w, ok := errors.AsType[*writeError](err); ok {
		return wholefile.Explain(out, w.err)
	}
	return err
}

// writeError marks an error that occurred while writing the output or a temporary file.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }

func (e *writeError) Unwrap() error { return e.err }

// writing marks err, if any, as a writeError.
func writing(err error) error {
	if err == nil {
		return nil
	}
	return &writeError{err}
}

// roles returns the columns that are kept as labels and times, with the names that the input gives them.
func (im *importer) roles() []columnInfo {
	var roles []columnInfo
	switch r := im.src.(type) {
	case *source.Reader:
		kinds := map[string]column.Kind{"label": column.Category, "time": column.Date}
		for _, c := range r.Taken().Columns {
			if kind, has := kinds[c.Use]; has && c.Name != c.Use &&
				im.tagged[map[string]int{"label": tagLabel, "time": tagTime}[c.Use]] {
				roles = append(roles, columnInfo{Name: c.Name, Kind: kind, Role: c.Use})
				delete(kinds, c.Use)
			}
		}
	case *corpusSource:
		for _, d := range r.all[len(r.all)-1].columns {
			if d.Role != "" {
				roles = append(roles, d.columnInfo)
			}
		}
	}
	return roles
}

// tokenizers returns one tokenizer per worker. They are nil if the source gives tokens. The language of
// text is detected from the first batch.
func (im *importer) tokenizers(threads int, first *batch) ([]tokenizer, error) {
	cutters := make([]tokenizer, threads)
	if im.src.Content() != source.ContentText {
		return cutters, nil
	}
	im.findLanguage(first)
	p, err := text.New(im.text)
	if err != nil {
		return nil, err
	}
	for i := range cutters {
		cutters[i] = p.Clone()
	}
	return cutters, nil
}

// findLanguage sets the languages of the text options. It does nothing if they are given, or if a vocabulary is
// given, which contains no stop words to drop. Batches are the same for any number of threads, so the result is too.
func (im *importer) findLanguage(first *batch) {
	t := &im.report.Text
	t.Languages = im.text.Languages
	if len(im.text.Languages) > 0 || im.opts.Vocabulary.Len() > 0 {
		return
	}
	found := text.Detect(first.texts())
	t.Detected, t.Detection, t.SampleDocs = true, found, int64(len(first.docs))
	im.text.Languages = found.Languages
	if len(found.Languages) == 0 {
		im.text.Languages = append([]string{"auto"}, text.Options{}.WithDefaults().Languages...)
	}
	t.Languages = im.text.Languages
}

// texts yields the documents of a batch of text; of very long ones it yields the beginning.
func (b *batch) texts() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		begin := 0
		for _, doc := range b.docs {
			if !yield(b.arena[begin:min(doc.arena, begin+batchBytes)]) {
				return
			}
			begin = doc.arena
		}
	}
}

// keepPipeline stores the text options with which new input can be treated as this one was. It must be
// called before the source is closed.
func (im *importer) keepPipeline(phrases []string) error {
	if s, ok := im.src.(*corpusSource); ok {
		im.pipeline = bytes.Clone(s.all[0].pipeline)
		return nil
	}
	opts := im.text
	switch im.src.Content() {
	case source.ContentIDs:
		return nil
	case source.ContentTokens:
		opts = text.Options{Phrases: opts.Phrases}
	case source.ContentText:
		opts.Pieces = im.opts.Source.Pieces
	}
	if len(phrases) > 0 {
		opts.Phrases = phrases
	}
	if im.src.Content() == source.ContentTokens && len(opts.Phrases) == 0 {
		return nil
	}
	var err error
	im.pipeline, err = json.Marshal(opts)
	return err
}
