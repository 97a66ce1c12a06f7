package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
)

// TextOptions returns what [Corpus.Pipeline] holds. They are the zero value,
// and ok is false, when the input came tokenised and without phrases.
func (c *Corpus) TextOptions() (opts text.Options, ok bool, err error) {
	if len(c.pipeline) == 0 {
		return opts, false, nil
	}
	if err := json.Unmarshal(c.pipeline, &opts); err != nil {
		return opts, false, fmt.Errorf("the text options of the corpus cannot be read: %w", err)
	}
	return opts, true, nil
}

// tokenizers returns one tokenizer per worker, nil ones when the source cuts
// its documents into tokens itself. The first batch tells the language of text.
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

// findLanguage fills the languages of the text options, unless they are given or
// the vocabulary, which has no stop words to drop, is. Batches are the same for any
// number of threads.
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
		im.text.Languages = append([]string{"auto"}, text.DefaultLanguages()...)
	}
	t.Languages = im.text.Languages
}

// texts yields the documents of a batch of text, of very long ones the beginning.
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

// keepPipeline stores the text options that new input will need to be treated
// as this one was. It must be called before the source is closed.
func (im *importer) keepPipeline(phrases []string) error {
	if s, ok := im.src.(*corpusSource); ok {
		im.pipeline = bytes.Clone(s.corpus.pipeline)
		return nil
	}
	opts := im.text
	switch im.src.Content() {
	case source.ContentIDs:
		return nil
	case source.ContentTokens:
		opts = text.Options{Phrases: opts.Phrases}
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

// TextReport tells what became of text on its way to the vocabulary. It is empty
// for input of tokens or counts, but for the words dropped by frequency.
type TextReport struct {
	Languages  []string       // whose stop words were dropped, as text.Options has them
	Detected   bool           // the languages were found, not given
	Detection  text.Detection // what was found
	SampleDocs int64          // documents it was found in, the first of the input

	// The bounds that were applied: words in fewer than MinDF documents or in
	// more than MaxDF went. 0 where there was no bound. Chosen says that the
	// options left the choice to the import.
	MinDF, MaxDF             int64
	MinDFChosen, MaxDFChosen bool

	RareWords, RareTokens     int64    // dropped because of MinDF
	CommonWords, CommonTokens int64    // dropped because of MaxDF
	CommonList                []string // the most frequent of the common words
}

// commonListed bounds TextReport.CommonList.
const commonListed = 10
