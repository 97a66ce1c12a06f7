package text

import (
	"unicode"
	"unicode/utf8"
)

// matches appends what the user's expression matches in the normalised text.
func (p *segmenter) matches(dst [][]byte, s []byte) [][]byte {
	text := p.prepare(s)
	switch p.options.TokenRegexp {
	case notBlank:
		return p.fields(dst, text)
	case malletWord:
		return p.malletWords(dst, text)
	}
	for _, at := range p.regexp.FindAllIndex(text, -1) {
		dst = p.match(dst, text[at[0]:at[1]])
	}
	return dst
}

// Two expressions have loops of their own, which are several times as fast: that of text which is already
// cut into words, and MALLET's.
const (
	notBlank   = `\S+`
	malletWord = `\p{L}[\p{L}\p{P}]+\p{L}`
)

// fields appends the text between white space, which in RE2 is that of ASCII.
func (p *segmenter) fields(dst [][]byte, text []byte) [][]byte {
	for i := 0; i < len(text); {
		begin := i
		for i < len(text) && !blank(text[i]) {
			i++
		}
		dst = p.match(dst, text[begin:i])
		for i < len(text) && blank(text[i]) {
			i++
		}
	}
	return dst
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

// malletWords appends what malletWord matches: in every run of letters and punctuation the part from the
// first to the last letter, if that has three characters or more.
func (p *segmenter) malletWords(dst [][]byte, text []byte) [][]byte {
	begin, end, n, inside := -1, 0, 0, 0 // of the word; number of its characters, and of those up to end
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		switch {
		case unicode.IsLetter(r):
			if begin < 0 {
				begin, n = i, 0
			}
			n++
			end, inside = i+size, n
		case unicode.IsPunct(r):
			n++
		default:
			if begin >= 0 && inside >= 3 {
				dst = p.match(dst, text[begin:end])
			}
			begin = -1
		}
		i += size
	}
	if begin >= 0 && inside >= 3 {
		dst = p.match(dst, text[begin:end])
	}
	return dst
}

// match appends a word if its length is within the limits.
func (p *segmenter) match(dst [][]byte, word []byte) [][]byte {
	n := utf8.RuneCount(word)
	if n == 0 || n < p.min || n > p.max {
		return dst
	}
	word = p.store(word)
	if !p.options.plain() {
		finalSigma(word)
	}
	return p.accept(dst, word)
}
