package corpus

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/conveyor"
)

// NoWord stands for a word that a vocabulary does not have.
const NoWord = none

// textBlock is a block whose documents are handed out.
type textBlock struct {
	block
	words []uint32 // of one document
}

// EachText reads inputs, which must be text or tokens, and calls f with the words
// of every document in the order in which they stand there: ids of
// opts.Vocabulary, which must be given, and [NoWord] for all others. Calls for
// several documents run at once, in any order, each by a worker 0, …,
// opts.Threads-1 that has one call at a time. f must not keep words.
//
// Corpus files do not keep the order of words, so they are refused.
func EachText(ctx context.Context, inputs []string, opts ImportOptions, f func(worker int, words []uint32)) error {
	if opts.Vocabulary.Len() == 0 {
		return errors.New("EachText needs the vocabulary whose ids it is to give")
	}
	for _, path := range inputs {
		if IsCorpus(path) {
			return fmt.Errorf("%s is a corpus file, which does not keep the order of words: give the text that it was made from", path)
		}
	}
	opts.TempDir = cmp.Or(opts.TempDir, os.TempDir())
	src, err := openInputs(inputs, &opts)
	if err != nil {
		return err
	}
	if src.Content() == source.ContentIDs {
		return errors.Join(errors.New("this input has counts, which do not tell the order of words: give text or tokens"), src.Close())
	}
	im := newImporter(src, &opts)
	defer func() { im.spool.Close() }() // joining phrases replaces it
	defer im.run(PhaseRead)()
	if err := im.number(ctx); err != nil {
		return explainWrite(opts.TempDir, err)
	}
	return im.eachText(ctx, f)
}

// eachText hands out the documents of the spool with their final ids.
func (im *importer) eachText(ctx context.Context, f func(worker int, words []uint32)) error {
	im.enter(PhaseWrite, im.docs)
	c := conveyor.Conveyor[*textBlock]{Threads: im.opts.threads()}
	for range 2*c.Threads + 2 {
		c.Jobs = append(c.Jobs, new(textBlock))
	}
	spooled := im.spool.Reader()
	c.Fill = func(b *textBlock) error { return b.read(spooled) }
	c.Work = func(worker int, b *textBlock) error {
		b.each(im.final, func(words []uint32) { f(worker, words) })
		return nil
	}
	c.Drain = func(b *textBlock) error {
		im.advance(b.docs, 0)
		return nil
	}
	return c.Run(ctx)
}

// each calls f with every document.
func (b *textBlock) each(final []uint32, f func(words []uint32)) {
	rest := b.payload
	for range b.docs {
		var n, id uint64
		n, rest = uvarint(rest)
		b.words = b.words[:0]
		for range n {
			id, rest = uvarint(rest)
			if len(b.table) > 0 { // else the payload holds provisional ids
				id = uint64(b.table[id])
			}
			b.words = append(b.words, final[id])
		}
		f(b.words)
	}
}

// appendSnippet appends the beginning of text to dst, at most limit characters:
// every run of white space becomes one blank, and that around the text is left
// out. If text goes on behind it, the last character is "…".
func appendSnippet(dst, text []byte, limit int) []byte {
	text = bytes.TrimSpace(text)
	count := 0
	last := len(dst) // where the last of limit characters begins
	blank := false   // the character before was white space
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		char := text[:size]
		text = text[size:]
		if unicode.IsSpace(r) {
			if blank {
				continue
			}
			char = []byte(" ")
		}
		blank = unicode.IsSpace(r)
		if count == limit {
			return append(bytes.TrimRight(dst[:last], " "), "…"...)
		}
		if count++; count == limit {
			last = len(dst)
		}
		dst = append(dst, char...)
	}
	return dst
}

// WholeText as ImportOptions.Snippet keeps every text as a whole, compressed, beside a snippet of the usual
// length; see [Corpus.Text].
const WholeText = -1

// How a text is stored: its first byte.
const (
	textPlain = iota
	textZstd
)

var (
	textEncoder = sync.OnceValue(func() *zstd.Encoder {
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // fails for bad options alone
		return e
	})
	textDecoder = sync.OnceValue(func() *zstd.Decoder {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<30)) // likewise
		return d
	})
)

// appendText appends a text as the corpus file stores it: compressed where that makes it shorter.
func appendText(dst, text []byte) []byte {
	if len(text) == 0 {
		return dst
	}
	begin := len(dst)
	dst = textEncoder().EncodeAll(text, append(dst, textZstd))
	if len(dst)-begin <= len(text) {
		return dst
	}
	return append(append(dst[:begin], textPlain), text...)
}

// HasTexts says whether whole texts were kept.
func (c *Corpus) HasTexts() bool { return c.texts.Len() > 0 }

// Text returns the text of document d as the input had it, empty where it was not kept or is damaged.
func (c *Corpus) Text(d int) string {
	if c.texts.Len() == 0 {
		return ""
	}
	stored := c.texts.Bytes(d)
	switch {
	case len(stored) > 0 && stored[0] == textPlain:
		return string(stored[1:])
	case len(stored) > 0 && stored[0] == textZstd:
		text, err := textDecoder().DecodeAll(stored[1:], nil)
		if err == nil {
			return string(text)
		}
	}
	return ""
}
