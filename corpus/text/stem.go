package text

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/romanian"
)

// stemCacheSize bounds the memory of a stem cache. The frequent words of a
// language fit many times over.
const stemCacheSize = 1 << 16

// stemCache remembers stems, because Snowball's stemmers allocate on every
// step and most tokens repeat. Keys are words of one language; a pipeline that
// guesses languages has a cache for each.
type stemCache map[string][]byte

// stemAll replaces words by their stems. Pairs of CJK characters pass through
// unchanged: no stemmer has rules for their scripts.
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

// stemRomanian stems Romanian, whose Snowball rules know s and t only with the
// cedilla of old keyboards. The stem has the comma that is right.
func stemRomanian(env *snowballstem.Env) bool {
	env.SetCurrent(withCedilla.Replace(env.Current()))
	ok := romanian.Stem(env)
	env.SetCurrent(withComma.Replace(env.Current()))
	return ok
}
