package source

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// PieceMark stands between the id of a document and the number of a piece of it, from 1.
const PieceMark = "\x1f"

// pieces is a document that is handed out piece by piece.
type pieces struct {
	doc   Document
	rest  []byte
	id    []byte
	count int // of this document
	docs  int64
}

// CutPiece returns the length of the first piece of a text, of about so many words: up to the end of a paragraph, else
// of a sentence, else of a word. What is left of a text is no shorter than half a piece.
func CutPiece(text []byte, words int) int {
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

// lines reads plain text with one document per line. A blank line is an empty
// document, so line n is always document n; documents have no ids.
type lines struct {
	plain
	in *input.Scanner
}

func openLines(_ string, in *input.Scanner, _ *Options) (Source, error) { return &lines{in: in}, nil }

func (l *lines) Next(doc *Document) (err error) {
	doc.Text, err = l.in.Checked(l.in.Next())
	return err
}
