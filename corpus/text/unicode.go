package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// unicode appends the tokens of any chunk of text. It is the specification of
// the ASCII fast path.
func (p *Pipeline) unicode(dst [][]byte, chunk []byte) [][]byte {
	text := p.normalize(chunk)
	for before := rune(0); len(text) > 0; {
		script, n := scriptRun(text)
		switch script {
		case alphabetic:
			dst = p.words(dst, text[:n])
		case unspaced:
			dst = p.plain(dst, composeAm(text[:n]))
		case katakana:
			dst = p.plain(dst, text[:n])
		default:
			dst = p.cjk(dst, text[:n], script, unicode.IsDigit(before))
		}
		before, _ = utf8.DecodeLastRune(text[:n])
		text = text[n:]
	}
	return dst
}

// words cuts normalised text at colons and at the word boundaries of UAX #29.
// The standard keeps letters around a colon together, which Swedish needs
// (EU:s); elsewhere it is a space that is missing.
func (p *Pipeline) words(dst [][]byte, text []byte) [][]byte {
	for part := range bytes.SplitSeq(text, []byte(":")) {
		p.boundary.SetText(part)
		for p.boundary.Next() {
			dst = p.plain(dst, p.boundary.Value())
		}
	}
	return dst
}

// plain stores a word of an alphabetic script and sends it on its way.
func (p *Pipeline) plain(dst [][]byte, word []byte) [][]byte {
	shape, wide := shapeOf(word)
	if shape&wordByte == 0 {
		return dst
	}
	return p.word(dst, p.store(word), shape, wide)
}

// composeAm puts together, in place, the Thai and Lao vowels that NFKC takes
// apart (ำ, ຳ), for so they are typed and looked for.
func composeAm(word []byte) []byte {
	for _, am := range []struct{ parts, whole string }{{"\u0E4D\u0E32", "\u0E33"}, {"\u0ECD\u0EB2", "\u0EB3"}} {
		out := word[:0]
		for rest := word; len(rest) > 0; {
			before, after, found := bytes.Cut(rest, []byte(am.parts))
			out = append(out, before...)
			if found {
				out = append(out, am.whole...)
			}
			rest = after
		}
		word = out
	}
	return word
}

// shapeOf returns the union of the classes of the characters of a word, and
// whether some are not ASCII.
func shapeOf(word []byte) (shape byte, wide bool) {
	for i := 0; i < len(word); {
		if c := word[i]; c < utf8.RuneSelf {
			shape |= asciiClass[c]
			i++
			continue
		}
		wide = true
		r, n := utf8.DecodeRune(word[i:])
		i += n
		switch {
		case unicode.IsLetter(r):
			shape |= letter
		case unicode.IsDigit(r):
			shape |= digit
		case connects(r):
			shape |= underscore
		}
	}
	return shape, wide
}
