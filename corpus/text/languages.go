package text

import (
	"embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// Names that mean no language and any language.
const (
	languageNone = "none"
	languageAuto = "auto"
)

// Language describes one language of the pipeline.
type Language struct {
	Code    string // ISO 639 code, as in Options.Languages
	Name    string // English name, lower case; also accepted in Options.Languages
	Stemmer bool   // whether Options.Stem has an effect
}

// language is a row of the table of languages.
type language struct {
	code, name string
	stem       func(*snowballstem.Env) bool // nil if there is no stemmer
	elisions   string                       // words that lose a vowel before an apostrophe
}

// languageSet is a set of languages: bit i stands for languages[i]. The top bit stands for the user's own stop words.
type languageSet uint64

const userWords languageSet = 1 << 63

// languages is the table of languages in the order of their codes. The order decides ties when a document's
// language is guessed.
var languages = []language{
	{code: "ar", name: "arabic", stem: arabic.Stem},
	{code: "bg", name: "bulgarian"},
	{code: "ca", name: "catalan", elisions: "d l m n s t"},
	{code: "ckb", name: "sorani"},
	{code: "cs", name: "czech"},
	{code: "da", name: "danish", stem: danish.Stem},
	{code: "de", name: "german", stem: german.Stem},
	{code: "el", name: "greek"},
	{code: "en", name: "english", stem: english.Stem},
	{code: "es", name: "spanish", stem: spanish.Stem},
	{code: "eu", name: "basque"},
	{code: "fa", name: "persian"},
	{code: "fi", name: "finnish", stem: finnish.Stem},
	{code: "fr", name: "french", stem: french.Stem, elisions: "c d j l m n s t qu jusqu lorsqu presqu puisqu quoiqu"},
	{code: "ga", name: "irish", stem: irish.Stem, elisions: "b d m"},
	{code: "gl", name: "galician"},
	{code: "hi", name: "hindi"},
	{code: "hr", name: "croatian"},
	{code: "hu", name: "hungarian", stem: hungarian.Stem},
	{code: "hy", name: "armenian"},
	{code: "id", name: "indonesian"},
	{
		code: "it", name: "italian", stem: italian.Stem,
		elisions: "c d l m s t v un gl all coll dall dell nell sull agl dagl degl negl sugl",
	},
	{code: "ja", name: "japanese"},
	{code: "ko", name: "korean"},
	{code: "nl", name: "dutch", stem: dutch.Stem},
	{code: "no", name: "norwegian", stem: norwegian.Stem},
	{code: "pl", name: "polish"},
	{code: "pt", name: "portuguese", stem: portuguese.Stem},
	{code: "ro", name: "romanian", stem: stemRomanian},
	{code: "ru", name: "russian", stem: russian.Stem},
	{code: "sv", name: "swedish", stem: swedish.Stem},
	{code: "tr", name: "turkish", stem: turkish.Stem},
	{code: "zh", name: "chinese"},
}

// defaultLanguage is the index of the default language.
var defaultLanguage = lookupLanguage("en")

// Languages lists the languages that have stop words, by code.
func Languages() []Language {
	list := make([]Language, len(languages))
	for i := range languages {
		list[i] = describe(i)
	}
	return list
}

// describe returns a language of the table.
func describe(l int) Language {
	lang := languages[l]
	return Language{Code: lang.code, Name: lang.name, Stemmer: lang.stem != nil}
}

// lookupLanguage returns the index of a language given by code or name in any case, or -1.
func lookupLanguage(name string) int {
	name = strings.ToLower(name)
	return slices.IndexFunc(languages, func(l language) bool { return l.code == name || l.name == name })
}

// languageNames lists every name that Options.Languages accepts.
func languageNames() []string {
	names := []string{languageAuto, languageNone}
	for _, l := range languages {
		names = append(names, l.code, l.name)
	}
	return names
}

// stemmerCodes lists the codes of the languages that have a stemmer.
func stemmerCodes() []string {
	var codes []string
	for _, l := range languages {
		if l.stem != nil {
			codes = append(codes, l.code)
		}
	}
	return codes
}

// setOf returns the set of the named languages.
func setOf(names ...string) languageSet {
	var set languageSet
	for _, name := range names {
		set |= 1 << lookupLanguage(name)
	}
	return set
}

// firstStemmer returns the index of the first of the languages that has a stemmer, or -1.
func firstStemmer(names []string) int {
	for _, name := range names {
		if l := lookupLanguage(name); languages[l].stem != nil {
			return l
		}
	}
	return -1
}

// withStemmers returns the languages of the set that have a stemmer.
func (s languageSet) withStemmers() languageSet {
	var with languageSet
	for i, l := range languages {
		if l.stem != nil {
			with |= s & (1 << i)
		}
	}
	return with
}

//go:generate go -C _generate test . -update -count 1

// stopwords holds lists of stop words, with one line per language: its code and its words. stopwords.txt has those
// of bleve's analysis library, which are generated instead of imported: see _generate/stopwords_test.go.
// stopwords_own.txt has languages that the library lacks, and words missing from its lists; the second edition added
// stopwords_added.txt, the third stopwords_third.txt with inflected forms, the fourth Korean words without particles in
// stopwords_fourth.txt.
//
//go:embed stopwords*.txt
var stopwords embed.FS

// editions returns the words of each language, with the same indices as languages, by Options.Edition.
var editions = [...]func() [][]string{
	edition("_added", "_third", "_fourth"), edition(), edition("_added"),
	edition("_added", "_third"),
}

// edition reads the lists with the given additions on first use.
func edition(added ...string) func() [][]string {
	return sync.OnceValue(func() [][]string {
		text := ""
		for _, name := range append([]string{"", "_own"}, added...) {
			b, err := stopwords.ReadFile("stopwords" + name + ".txt")
			if err != nil {
				panic("text: " + err.Error())
			}
			text += string(b)
		}
		return parseLists(text)
	})
}

// parseLists parses lines with a language's code and its words.
func parseLists(text string) [][]string {
	lists := make([][]string, len(languages))
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		l := lookupLanguage(fields[0])
		if l < 0 {
			panic("text: stop words for unknown language " + fields[0])
		}
		lists[l] = append(lists[l], fields[1:]...)
	}
	return lists
}

var (
	withCedilla = strings.NewReplacer("ș", "ş", "ț", "ţ")
	withComma   = strings.NewReplacer("ş", "ș", "ţ", "ț")
)

// stemRomanian stems Romanian. Its Snowball rules know s and t only with the cedilla of old keyboards; the
// stem has the correct comma.
func stemRomanian(env *snowballstem.Env) bool {
	env.SetCurrent(withCedilla.Replace(env.Current()))
	ok := romanian.Stem(env)
	env.SetCurrent(withComma.Replace(env.Current()))
	return ok
}

// stemCacheSize limits the memory of a stem cache. It is many times as large as the frequent words of a language.
const stemCacheSize = 1 << 16

// stemCache caches stems, because Snowball's stemmers allocate on every step and most tokens repeat. Keys
// are words of one language; a pipeline that guesses languages has a cache for each.
type stemCache map[string][]byte

// stemmer replaces words by their stems. Its caches are by index of the language.
type stemmer map[int]stemCache

// stem replaces words of a language by their stems. Pairs of CJK characters stay as they are, because no
// stemmer has rules for their scripts.
func (s stemmer) stem(tokens [][]byte, lang int) {
	cache := s[lang]
	if cache == nil {
		cache = make(stemCache)
		s[lang] = cache
	}
	env := snowballstem.NewEnv("")
	for i, word := range tokens {
		stem, ok := cache[string(word)]
		if !ok {
			if len(cache) >= stemCacheSize {
				clear(cache)
			}
			env.SetCurrent(string(word))
			languages[lang].stem(env)
			stem = []byte(env.Current())
			if len(stem) == 0 || !utf8.Valid(stem) {
				stem = []byte(string(word))
			}
			cache[string(word)] = stem
		}
		tokens[i] = stem
	}
}
