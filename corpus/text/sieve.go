package text

import (
	"bytes"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// Limits for the language of a document. Of 100 words of prose in a language, 25 to 50 are on its stop list; of
// technical text with code, 12 to 30. A language without a list reaches 13 on that of its nearest relative
// (Macedonian on the Bulgarian list), and 6 on the English one.
const (
	minCoverage   = 0.1 // share of words that are stop words of the language
	minKinds      = 4   // smallest number of different stop words: "dog" is one in Danish
	foreignVotes  = 8   // smallest number of stop words that decides a document's language
	foreignFactor = 1.5 // stop words of its own language for one of the sample's
)

// sieve keeps the words of a text that no rule drops.
type sieve struct {
	*rules
	arena  []byte        // tokens point into it
	pair   []byte        // key for looking up a word or a phrase
	lists  []languageSet // the stop lists of each word, if the language is guessed
	quick  bool          // the document is taken to be in a main language
	mains  int           // words on the lists of main languages, while quick
	others int           // words on other lists only, while quick
}

// word appends a normalised word to dst unless a rule drops it. The word is in the arena. shape is the
// union of its character classes; wide means that it contains non-ASCII characters.
func (p *sieve) word(dst [][]byte, word []byte, shape byte, wide bool) [][]byte {
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
func (p *sieve) peel(word []byte) []byte {
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

// listsOf returns the stop lists that contain a word.
func (p *sieve) listsOf(word []byte) languageSet {
	stop := p.stop
	if len(word) > 0 && word[0] >= 0xE3 && word[0] <= 0xE9 { // Han, and kana
		stop = p.stopAll()
	}
	if p.options.Case != caseKeep || len(stop) == 0 {
		return stop[string(word)]
	}
	p.pair = lower(p.pair[:0], word)
	return stop[string(p.pair)]
}

// accept appends word to dst unless it is a stop word. The word is in the arena and has its final form
// except for stemming.
func (p *sieve) accept(dst [][]byte, word []byte) [][]byte {
	lists := p.listsOf(word)
	if p.quick {
		return p.acceptQuickly(dst, word, lists)
	}
	if lists&p.drop != 0 && p.guess == 0 {
		return dst
	}
	if p.guess != 0 {
		p.lists = append(p.lists, lists)
	}
	return append(dst, word)
}

// store copies b to the arena. The arena may move when it grows; earlier tokens keep the old one alive.
func (p *sieve) store(b []byte) []byte {
	begin := len(p.arena)
	p.arena = append(p.arena, b...)
	return p.arena[begin:len(p.arena):len(p.arena)]
}

// acceptQuickly is accept for a document in a main language. It counts stop words, to notice if the
// document may be in another language.
func (p *sieve) acceptQuickly(dst [][]byte, word []byte, lists languageSet) [][]byte {
	switch {
	case lists == 0:
		return append(dst, word)
	case lists&p.main != 0:
		p.mains++
		return dst
	case lists&^userWords != 0:
		p.others++
	}
	if lists&p.drop != 0 {
		return dst
	}
	return append(dst, word)
}

// doubtful reports whether clearly could hold for some language, by the number of stop words counted.
func (p *sieve) doubtful() bool {
	return float64(p.others) >= (foreignFactor-1)*float64(p.mains) && p.mains+p.others >= foreignVotes
}

// settle guesses the language of the document whose words are dst[start:]; p.lists holds the stop lists of each
// word. It removes the stop words and returns the language to stem in, or -1. The language is the one with most
// stop words in the document. The first in the table wins a tie. Without any stop word there is no language.
func (p *sieve) settle(dst [][]byte, start int) ([][]byte, int) {
	var votes [64]int32
	for _, lists := range p.lists {
		(lists & p.guess).vote(&votes)
	}
	best, most := -1, int32(0)
	for l, n := range votes[:len(languages)] {
		if n > most {
			best, most = l, n
		}
	}
	drop, stem := p.drop, p.stem
	if p.main != 0 && !p.clearly(best, most, dst[start:]) {
		drop |= p.main
		best = -1
	}
	if best >= 0 {
		if p.guessed {
			drop |= 1 << best
		}
		if languages[best].stem != nil {
			stem = best
		}
	}
	kept := dst[:start]
	for i, word := range dst[start:] {
		if p.lists[i]&drop == 0 {
			kept = append(kept, word)
		}
	}
	return kept, stem
}

// clearly reports whether a document with the given number of stop words of a language is clearly in that
// language rather than in one of the main languages.
func (p *sieve) clearly(lang int, votes int32, words [][]byte) bool {
	if lang < 0 || votes < foreignVotes || float64(votes) < minCoverage*float64(len(words)) {
		return false
	}
	main := int32(0)
	for _, lists := range p.lists {
		if lists&p.main != 0 {
			main++
		}
	}
	if float64(votes) < foreignFactor*float64(main) {
		return false
	}
	kinds := make(map[string]bool)
	for i, word := range words {
		if p.lists[i]&(1<<lang) != 0 {
			kinds[string(word)] = true
		}
	}
	return len(kinds) >= minKinds
}

// vote adds one vote for every language of the set.
func (s languageSet) vote(votes *[64]int32) {
	for rest := s; rest != 0; rest &= rest - 1 {
		votes[bits.TrailingZeros64(uint64(rest))]++
	}
}
