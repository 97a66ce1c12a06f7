package text

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/romanian"
)

// stemCacheSize limits the memory of a stem cache. It is many times as large as the frequent words of a language.
const stemCacheSize = 1 << 16

// stemCache caches stems, because Snowball's stemmers allocate on every step and most tokens repeat. Keys
// are words of one language; a pipeline that guesses languages has a cache for each.
type stemCache map[string][]byte

// stemAll replaces words by their stems. Pairs of CJK characters stay as they are, because no stemmer has
// rules for their scripts.
func (p *Pipeline) stemAll(tokens [][]byte, lang int) {
	cache := p.stems[lang]
	if cache == nil {
		cache = make(stemCache)
		p.stems[lang] = cache
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

// word appends a normalised word to dst unless a rule drops it. The word is in the arena. shape is the
// union of its character classes; wide means that it contains non-ASCII characters.
func (p *Pipeline) word(dst [][]byte, word []byte, shape byte, wide bool) [][]byte {
	if shape&letter == 0 && (shape&digit == 0 || !p.options.KeepNumbers) {
		return dst
	}
	if shape&(underscore|apostrophe) != 0 {
		word = p.peel(word)
	}
	n := len(word)
	if wide {
		n = utf8.RuneCount(word)
		finalSigma(word)
	}
	if n < p.min || n > p.max {
		return dst
	}
	return p.accept(dst, word)
}

// finalSigma gives the last letter of a Greek word its proper form. Folding turns every sigma into a medial one.
func finalSigma(word []byte) {
	if r, n := utf8.DecodeLastRune(word); r == 'σ' && n < len(word) {
		copy(word[len(word)-n:], "ς")
	}
}

// peel removes what an apostrophe attaches to a word, an elided article before it (l'homme) or a possessive
// after it (dog's), and underscores and zero-width joiners around it. It repeats this until nothing is left
// to remove, so that peeling twice gives the same as peeling once.
func (p *Pipeline) peel(word []byte) []byte {
	for {
		before := len(word)
		word = bytes.TrimFunc(word, connects)
		word = bytes.TrimSuffix(word, []byte("'s"))
		if i := bytes.IndexByte(word, '\''); i >= 0 && p.elisions[string(word[:i])] {
			word = word[i+1:]
		}
		if len(word) == before {
			return word
		}
	}
}

// connects reports whether r joins parts of words, as an underscore does, and so means nothing at an end.
func connects(r rune) bool {
	return r == '_' || r >= 0x200C && (r <= 0x200D || unicode.Is(unicode.Pc, r))
}
