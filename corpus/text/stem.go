package text

import (
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
)

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
