package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// word appends a normalised word to dst, unless a rule drops it. The word
// lies in the arena. Its shape is the union of the classes of its characters;
// wide says that some are not ASCII.
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

// finalSigma gives the last letter of a Greek word its proper form: folding
// has made every sigma a medial one.
func finalSigma(word []byte) {
	if r, n := utf8.DecodeLastRune(word); r == 'σ' && n < len(word) {
		copy(word[len(word)-n:], "ς")
	}
}

// peel takes from a word what hangs on it by an apostrophe, an elided article
// before (l'homme) or a possessive behind (dog's), and underscores and zero-width joiners around it.
// It goes on until nothing is left to take, so that peeling twice is peeling
// once.
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

// connects says whether r joins parts of words (an underscore and its like)
// and so means nothing at an end.
func connects(r rune) bool {
	return r == '_' || r >= 0x200C && (r <= 0x200D || unicode.Is(unicode.Pc, r))
}
