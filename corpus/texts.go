package corpus

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/topoi-lda/topoi/corpus/internal/kept"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/conveyor"
)

// NoWord stands for a word that is not in the vocabulary.
const NoWord = none

// EachText reads inputs, which must be text or tokens, and calls f with the words of every document in
// reading order: ids of opts.Vocabulary, which is required, and [NoWord] for all other words. Calls for
// several documents run at once, in any order. Each is made by a worker 0, …, opts.Threads-1 that makes one
// call at a time. f must not keep words.
//
// EachText refuses corpus files, because they do not keep the order of words.
func EachText(ctx context.Context, inputs []string, opts ImportOptions, f func(worker int, words []uint32)) error {
	if opts.Vocabulary.Len() == 0 {
		return errors.New("EachText needs the vocabulary whose ids it is to give")
	}
	for _, path := range inputs {
		if IsCorpus(path) {
			return fmt.Errorf("%s is a corpus file, which does not keep the order of words: give the text it was made from", path)
		}
	}
	opts.TempDir = cmp.Or(opts.TempDir, os.TempDir())
	src, err := openInputs(inputs, &opts)
	if err != nil {
		return err
	}
	if src.Content() == source.ContentIDs {
		return errors.Join(errors.New("this input has counts, which do not keep the order of words: give text or tokens"), src.Close())
	}
	im := newImporter(src, &opts)
	defer func() { im.spool.Close() }() // a function, because joining phrases replaces the spool
	defer im.run(PhaseRead)()
	if err := im.number(ctx); err != nil {
		return explainWrite(opts.TempDir, err)
	}
	return im.eachText(ctx, f)
}

// eachText passes the documents of the spool with their final ids to f.
func (im *importer) eachText(ctx context.Context, f func(worker int, words []uint32)) error {
	return im.eachBlock(ctx, PhaseWrite, conveyor.Conveyor[*docBlock]{
		Work: func(worker int, b *docBlock) error {
			rest := b.payload
			for range b.docs {
				rest = b.next(rest)
				for i, id := range b.doc {
					b.doc[i] = im.final[id]
				}
				f(worker, b.doc)
			}
			return nil
		},
		Drain: func(b *docBlock) error {
			im.advance(b.docs, 0)
			return nil
		},
	})
}

// WholeText as the value of ImportOptions.Snippet keeps every text as a whole, compressed, in addition to a
// snippet of the usual length; see [Corpus.Text].
const WholeText = -1

// HasTexts reports whether whole texts were kept.
func (c *Corpus) HasTexts() bool { return c.texts.Len() > 0 }

// Text returns the text of document d as it is in the input. It is empty if the text was not kept or is damaged.
func (c *Corpus) Text(d int) string {
	if c.texts.Len() == 0 {
		return ""
	}
	return kept.Text(c.texts.Bytes(d))
}

// TextOptions returns the options that [Corpus.Pipeline] holds. ok is false, and they are the zero value,
// if the input was tokenised and has no phrases.
func (c *Corpus) TextOptions() (opts text.Options, ok bool, err error) {
	if len(c.pipeline) == 0 {
		return opts, false, nil
	}
	if err := json.Unmarshal(c.pipeline, &opts); err != nil {
		return opts, false, fmt.Errorf("the text options of the corpus cannot be read: %w", err)
	}
	return opts, true, nil
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

// TextReport describes what happened to text on its way to the vocabulary. For input of tokens or counts it
// holds only the words dropped by frequency.
type TextReport struct {
	Languages  []string       // languages whose stop words were dropped, as in text.Options
	Detected   bool           // whether the languages were detected, not given
	Detection  text.Detection // what was found
	SampleDocs int64          // number of documents in the sample, the first of the input

	// Bounds that were applied: words in fewer than MinDF documents or in more than MaxDF were dropped. 0
	// means no bound. Chosen reports that the options left the choice to the import.
	MinDF, MaxDF             int64
	MinDFChosen, MaxDFChosen bool

	RareWords, RareTokens     int64    // dropped because of MinDF
	CommonWords, CommonTokens int64    // dropped because of MaxDF
	CommonList                []string // the most frequent of the common words
}

// commonListed is the largest length of TextReport.CommonList.
const commonListed = 10
