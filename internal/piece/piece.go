// Package piece cuts long documents into pieces, which have the document's id and a number.
package piece

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Mark stands between the id of a document and the number of a piece of it, from 1.
const Mark = "\x1f"

// Cut returns the length of the first piece of a text, of about so many words: up to the end of a paragraph, else
// of a sentence, else of a word. What is left of a text is no shorter than half a piece.
func Cut(text []byte, words int) int {
	const paragraph, sentence, word = 2, 1, 0
	best := [3]int{} // the last end of each kind from three quarters to five quarters of a piece
	count, inside, han := 0, false, 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		blank := unicode.IsSpace(r)
		if wide := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana); wide && han%2 == 0 || !blank &&
			!inside && !wide {
			count++
		} else if wide {
			han++
		}
		inside = !blank
		if i += size; 2*count > 3*words {
			break
		}
		if 4*count < 3*words || 4*count > 5*words {
			continue
		}
		rest := text[i:]
		switch {
		case r == '\n' && bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r"), []byte("\n")):
			best[paragraph] = i
		case blank && i > size+1 && bytes.IndexByte([]byte(".!?\"')"), text[i-size-1]) >= 0 || r == '。' || r == '！' ||
			r == '？':
			best[sentence] = i
		case blank:
			best[word] = i
		}
	}
	if 2*count <= 3*words {
		return len(text)
	}
	for _, at := range []int{best[paragraph], best[sentence], best[word]} {
		if at > 0 {
			return at
		}
	}
	return len(text)
}
