package corpus

import (
	"bytes"
	"encoding/json"
	"iter"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
)

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

// findLanguage sets the languages of the text options. It does nothing if they are given, or if a
// vocabulary is given, which contains no stop words to drop. Batches are the same for any number of
// threads, so the result is too.
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
		im.pipeline = bytes.Clone(s.corpus.pipeline)
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
