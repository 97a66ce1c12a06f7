// Package kept stores the texts of documents in a corpus file, so that they can be shown.
package kept

import (
	"bytes"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// AppendSnippet appends the beginning of text to dst, at most limit characters. Every run of white space becomes
// one blank, and white space around the text is left out. If there is more text, the last character is "…".
func AppendSnippet(dst, text []byte, limit int) []byte {
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

// The first byte of a stored text says how it is stored.
const (
	textPlain = iota
	textZstd
)

var (
	textEncoder = sync.OnceValue(func() *zstd.Encoder {
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // fails only for bad options
		return e
	})
	textDecoder = sync.OnceValue(func() *zstd.Decoder {
		// fails only for bad options
		d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<30))
		return d
	})
)

// AppendText appends a text as the corpus file stores it: compressed if that makes it shorter.
func AppendText(dst, text []byte) []byte {
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

// Text returns a text that AppendText has stored. It is empty if the stored text is damaged.
func Text(stored []byte) string {
	switch {
	case len(stored) > 0 && stored[0] == textPlain:
		return string(stored[1:])
	case len(stored) > 0 && stored[0] == textZstd:
		if text, err := textDecoder().DecodeAll(stored[1:], nil); err == nil {
			return string(text)
		}
	}
	return ""
}

// Join joins n stored texts into one stored text.
func Join(n int, stored func(i int) []byte) string {
	packed := []byte{textZstd}
	for i := range n {
		text := stored(i)
		if len(text) == 0 || text[0] != textZstd {
			plain := []byte{textPlain}
			for i := range n {
				plain = append(plain, Text(stored(i))...)
			}
			return string(plain)
		}
		packed = append(packed, text[1:]...) // consecutive frames decode to one text
	}
	return string(packed)
}
