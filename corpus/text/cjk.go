package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// script says how a run of text is divided into words.
type script int

const (
	alphabetic script = iota // by word boundaries
	unspaced                 // Thai, Lao, Khmer, Burmese: not divided, because that needs a dictionary
	han                      // pairs
	hiragana                 // pairs
	hangul                   // pairs
	katakana                 // at changes of script: a run is a foreign word
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

// follows reports whether r is part of the character before it.
func follows(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.M, r) || r == '\u200C' || r == '\u200D')
}

// counters are the units and measure words that follow a number: 2024年, 5万元.
const counters = "年月日时時分秒点點号號周週天岁歲元円块塊角千百万萬亿億倍度折平米级級版届屆期集" +
	"个個人名位次只隻台臺套款项項家条條张張件种種大" + "년월일시분초원명개번만억"

// particles are the Chinese characters that hardly ever belong to a content word, so that a word ends
// before one and begins after it: 中国的经济.
const particles = "的了吗嗎呢吧啊们們这這很也是"

// cjk appends the tokens of a run of Han, Hiragana or Hangul. Chinese is cut into words by the dictionary, other
// runs into overlapping pairs of characters. If the text is already divided into words, the whole run is one token.
//
// A pair of the end of one word and the beginning of the next means nothing. Two kinds of word boundary can be
// found without a dictionary: after a counter, if the run follows a number (年增 in 2024年增长), and around
// particles, if Chinese stop words are dropped anyway. Counters and particles become tokens of their own there.
func (p *Pipeline) cjk(dst [][]byte, run []byte, kind script, numbered bool) [][]byte {
	run = p.store(run)
	if p.cjkWords {
		return p.accept(dst, run)
	}
	if kind == han && p.byDictionary() {
		return p.chinese(dst, run)
	}
	begin := 0 // begin of the stretch that is cut into pairs
	for i := 0; i < len(run); {
		end := i + nextCharacter(run[i:])
		r, n := utf8.DecodeRune(run[i:])
		numbered = numbered && strings.ContainsRune(counters, r)
		if n == end-i && (numbered || p.particles && strings.ContainsRune(particles, r)) {
			dst = p.pairs(dst, run[begin:i])
			dst = p.accept(dst, run[i:end:end])
			begin = end
		}
		i = end
	}
	return p.pairs(dst, run[begin:])
}

// pairs appends the overlapping pairs of characters of run, or its only character.
func (p *Pipeline) pairs(dst [][]byte, run []byte) [][]byte {
	if len(run) == 0 {
		return dst
	}
	middle := nextCharacter(run)
	if middle == len(run) {
		return p.accept(dst, run[:middle:middle])
	}
	for begin := 0; middle < len(run); {
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

// How the Han characters of a document are cut.
type hanMode int

const (
	hanUnknown hanMode = iota // decided by the document's kana
	hanPairs
	hanWords // by the dictionary
)

// kanaPerHan is the largest number of Han characters for each Hiragana character in a document that is
// taken to be Japanese. Japanese prose has less than one.
const kanaPerHan = 10

// hanFor returns how Han is cut under the options. Japanese is not cut by a Chinese dictionary. If both may
// occur, each document decides.
func (r *rules) hanFor(set languageSet) hanMode {
	zh, ja := set&setOf("zh") != 0, set&setOf("ja") != 0
	switch {
	case r.options.CJK == CJKBigrams || ja && !zh:
		return hanPairs
	case zh && !ja:
		return hanWords
	}
	return hanUnknown
}

// hanOf returns how the Han characters of a document with text s are cut.
func hanOf(s []byte) hanMode {
	kana, chars := 0, 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		switch {
		case r >= 0x3041 && r < 0x3097:
			kana++
		case r >= firstHan && r <= lastHan:
			chars++
		}
		i += n
	}
	if kana > 0 && kanaPerHan*kana >= chars {
		return hanPairs
	}
	return hanWords
}

// byDictionary reports whether the Han characters of this document are cut by the dictionary. Most
// documents have none, so it is decided when the first one occurs.
func (p *Pipeline) byDictionary() bool {
	if p.hanHere == hanUnknown {
		p.hanHere = hanOf(p.document)
	}
	return p.hanHere == hanWords
}

// chinese appends the words of a run of Han characters, which is in the arena.
//
// Names are seldom in a dictionary and fall apart into single characters. Two or three single characters in
// a row, without a stop word among them, are taken for a name. More of them give all pairs, and a single
// one is a word. Words are as long as Options.MinLength requires.
func (p *Pipeline) chinese(dst [][]byte, run []byte) [][]byte {
	p.bounds = p.cutter.cut(p.bounds[:0], run)
	at := p.cutter.offsets
	begin, single := 0, 0 // begin of this word, and of the single characters before it
	for _, end := range p.bounds {
		word := run[at[begin]:at[end]:at[end]]
		if end-begin == 1 && p.stop[string(word)]&p.drop == 0 {
			begin = end
			continue
		}
		dst = p.singles(dst, run, single, begin)
		dst = p.hanWord(dst, word, end-begin)
		begin, single = end, end
	}
	return p.singles(dst, run, single, begin)
}

// singles appends the tokens made from single characters between begin and end.
func (p *Pipeline) singles(dst [][]byte, run []byte, begin, end int) [][]byte {
	at := p.cutter.offsets
	switch n := end - begin; {
	case n == 0:
		return dst
	case n <= 3:
		return p.hanWord(dst, run[at[begin]:at[end]:at[end]], n)
	}
	return p.pairs(dst, run[at[begin]:at[end]:at[end]])
}

// hanWord appends a word of n characters unless it is too short or too long.
func (p *Pipeline) hanWord(dst [][]byte, word []byte, n int) [][]byte {
	if n < p.min || n > p.max {
		return dst
	}
	return p.accept(dst, word)
}
