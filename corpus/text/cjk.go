package text

import (
	"unicode"
	"unicode/utf8"
)

// script tells how a run of text is divided into words.
type script int

const (
	alphabetic script = iota // by word boundaries
	unspaced                 // Thai, Lao, Khmer, Burmese: not at all, short of a dictionary
	han                      // pairs
	hiragana                 // pairs
	hangul                   // pairs
	katakana                 // by the change of script: a run is a foreign word
)

// scriptOf returns the script of a code point. Marks and other characters that
// take the script of their neighbours are alphabetic here; see scriptRun.
func scriptOf(r rune) script {
	switch {
	case r < 0x0E00:
		return alphabetic
	case r < 0x1100:
		if (r < 0x0F00 || r >= 0x1000 && r < 0x10A0) && unicode.IsLetter(r) {
			return unspaced
		}
	case r < 0x1200:
		return hangul
	case r < 0x2E80:
		if (r >= 0x1780 && r < 0x1800 || r >= 0x1980 && r < 0x1AB0) && unicode.IsLetter(r) {
			return unspaced
		}
	case r >= 0x3041 && r < 0x3097 || r == 0x309D || r == 0x309E:
		return hiragana
	case r >= 0x30A1 && r < 0x30FB || r >= 0x30FC && r < 0x30FF || r >= 0x31F0 && r < 0x3200:
		return katakana
	case r >= 0xA960 && r < 0xA980 || r >= 0xAC00 && r < 0xD7FC:
		return hangul
	case unicode.Is(unicode.Han, r):
		return han
	}
	return alphabetic
}

// scriptRun returns the script that text begins with and the length of the run
// in bytes. Marks and joiners belong to what they follow, and so does the sign
// that lengthens a vowel (ー), which both kana use.
func scriptRun(text []byte) (script, int) {
	r, n := utf8.DecodeRune(text)
	first := scriptOf(r)
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		s := scriptOf(r)
		if s != first && !follows(r) && (r != 'ー' || first != hiragana) {
			break
		}
		n += size
	}
	return first, n
}

// follows says whether r is part of the character before it.
func follows(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.M, r) || r == '\u200C' || r == '\u200D')
}

// cjk appends the tokens of a run of Han, Hiragana or Hangul: its overlapping
// pairs of characters, the character itself if it stands alone, or the whole
// run when the text comes in words.
func (p *Pipeline) cjk(dst [][]byte, run []byte) [][]byte {
	run = p.store(run)
	first := nextCharacter(run)
	if p.cjkWords || first == len(run) {
		return p.accept(dst, run)
	}
	for begin, middle := 0, first; middle < len(run); {
		end := middle + nextCharacter(run[middle:])
		dst = p.accept(dst, run[begin:end:end])
		begin, middle = middle, end
	}
	return dst
}

// nextCharacter returns the length in bytes of the first character of text
// with the marks that follow it.
func nextCharacter(text []byte) int {
	_, n := utf8.DecodeRune(text)
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !follows(r) {
			break
		}
		n += size
	}
	return n
}
