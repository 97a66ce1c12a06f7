package corpus

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

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
