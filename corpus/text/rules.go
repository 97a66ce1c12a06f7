package text

import (
	"regexp"
	"unicode/utf8"
)

// rules are Options made ready for use.
type rules struct {
	options   Options
	regexp    *regexp.Regexp // nil to use word boundaries
	min, max  int            // bounds on the length of a word in code points
	cjkWords  bool
	han       hanMode // how Han is cut; unknown: by the document
	turkish   bool    // I is the capital of ı
	persian   bool    // Arabic yeh and kaf are Persian ones
	particles bool    // Chinese particles separate words
	today     bool    // current edition: keep ß, remove links without a scheme and names after @

	stop     map[string]languageSet // the lists that contain each token
	drop     languageSet            // a token on one of these lists is dropped at once
	guess    languageSet            // the languages a document may be in; empty if they are not guessed
	guessed  bool                   // drop the stop words of the guessed language
	main     languageSet            // the languages of documents that are not clearly in another language
	elisions map[string]bool        // words that are cut off before an apostrophe
	stem     int                    // index of the language to stem in, or -1
	phrases  map[string]bool        // pairs, "new york"
	heads    map[string]bool        // first tokens of pairs
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
