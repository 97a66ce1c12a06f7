package text

import (
	"regexp"
	"unicode"
	"unicode/utf8"
)

// rules are Options made ready for use.
type rules struct {
	options   Options
	regexp    *regexp.Regexp // nil to use word boundaries
	min, max  int            // bounds on the length of a word in code points
	cjkWords  bool
	eojeols   bool    // Hangul is words between spaces, not pairs
	han       hanMode // how Han is cut; unknown: by the document
	turkish   bool    // I is the capital of ı
	persian   bool    // Arabic yeh and kaf are Persian ones
	particles bool    // Chinese particles separate words
	today     bool    // current edition: keep ß, remove links without a scheme and names after @

	stop     stopSet // without words of Han characters
	stopAll  func() stopSet
	drop     languageSet     // a token on one of these lists is dropped at once
	guess    languageSet     // the languages a document may be in; empty if they are not guessed
	guessed  bool            // drop the stop words of the guessed language
	main     languageSet     // the languages of documents that are not clearly in another language
	elisions map[string]bool // words that are cut off before an apostrophe
	stem     int             // index of the language to stem in, or -1
	phrases  map[string]bool // pairs, "new york"
	heads    map[string]bool // first tokens of pairs
}

// stopSet holds the lists that contain each token.
type stopSet map[string]languageSet

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
	case r.options.CJK == cjkBigrams || ja && !zh:
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

// script describes how a run of text is divided into words.
type script int

const (
	alphabetic script = iota // by word boundaries
	unspaced                 // Thai, Lao, Khmer, Burmese: not divided, because that needs a dictionary
	han                      // pairs
	hiragana                 // pairs
	hangul                   // what is between spaces, without particles
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

// scriptRun returns the script that text begins with and the length of the run in bytes. Marks and joiners belong to
// what they follow, and so does the sign that lengthens a vowel (ー), which both kana use.
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

// nextCharacter returns the length in bytes of the first character of text with the marks that follow it.
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

// Classes of ASCII bytes for word boundaries, after the Word_Break property of UAX #29, except that a colon
// separates words (see words). They also describe the shape of a word: the kinds of characters it contains.
const (
	letter     = 1 << iota // ALetter; in a shape, any letter
	digit                  // Numeric; in a shape, any decimal digit
	underscore             // ExtendNumLet; in a shape, also zero-width joiners
	apostrophe             // Single_Quote
	midLetter              // joins two letters: . '
	midNumber              // joins two numbers: . ' , ;
)

const wordByte = letter | digit | underscore

// asciiClass holds the classes of each byte, asciiLower its lower case.
var asciiClass, asciiLower = func() (class, lower [256]byte) {
	for c := range 256 {
		lower[c] = byte(c)
		switch {
		case 'a' <= c && c <= 'z':
			class[c] = letter
		case 'A' <= c && c <= 'Z':
			class[c] = letter
			lower[c] = byte(c) + 'a' - 'A'
		case '0' <= c && c <= '9':
			class[c] = digit
		}
	}
	class['_'] = underscore
	class['.'] = midLetter | midNumber
	class['\''] = midLetter | midNumber | apostrophe
	class[','] = midNumber
	class[';'] = midNumber
	return
}()

func isAlphanumeric(c byte) bool { return asciiClass[c]&(letter|digit) != 0 }

// The range of characters in the dictionary.
const (
	firstHan = 0x4E00
	lastHan  = 0x9FFF
)
