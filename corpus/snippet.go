package corpus

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

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
