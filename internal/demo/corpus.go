// Package demo makes a small corpus that a person can read: documents drawn
// from a dozen themes written by hand. Trained on it, a topic model should
// find the themes again, and [Match] shows which topic is which theme.
package demo

import (
	"sort"

	"github.com/topoi-lda/topoi/internal/rng"
)

// Topics is the number of topics to train: a few more than there are themes.
// With exactly as many, a sampler often ends with two themes in one topic and
// one theme in two, and never finds out; with some to spare every theme gets a
// topic of its own.
const Topics = 16

// Shape of the corpus. Training it takes a second or two.
const (
	numDocs   = 2000
	minLength = 60 // tokens of a document
	maxLength = 100

	// commonShare is the chance in percent that a token is a common word.
	commonShare = 12
)

// What a random number is for; the counter is (document, position, purpose, 0).
const (
	forShape  rng.Purpose = iota // position 0: length, 1: number of themes
	forThemes                    // position: which of the document's themes
	forTokens
)

// Corpus returns 2,000 documents as lists of words, and the themes they are
// drawn from. The same seed gives the same documents on every machine.
//
// A document has one, two or three themes (20, 35 and 45 percent), which share
// its tokens in the proportion 1, 3:2 or 3:2:1. Each token is a common word or a word of one of
// the themes; the r-th word of a list (from 0) has a weight of about
// 1/(r + 4), so that a few words carry a theme and many colour it.
func Corpus(seed uint64) (docs [][]string, themes []Theme) {
	themes = Themes()
	lists := make([]wordList, len(themes))
	for i, t := range themes {
		lists[i] = makeWordList(t.Words)
	}
	g := generator{rng.NewKey(seed), lists, makeWordList(commonWords)}
	docs = make([][]string, numDocs)
	for d := range docs {
		docs[d] = g.document(uint32(d))
	}
	return docs, themes
}

// MainThemes returns for every document of Corpus the theme that has most of its tokens.
func MainThemes(seed uint64) []int {
	g := generator{key: rng.NewKey(seed), themes: make([]wordList, len(Themes()))}
	main := make([]int, numDocs)
	for d := range main {
		main[d] = g.mixture(uint32(d))[0]
	}
	return main
}

// generator draws documents.
type generator struct {
	key    rng.Key
	themes []wordList
	common wordList
}

// document draws document d.
func (g *generator) document(d uint32) []string {
	mixture := g.mixture(d)
	x := g.key.Block(d, 0, uint32(forShape), 0)
	words := make([]string, minLength+rng.Below(x[0], maxLength-minLength+1))
	for i := range words {
		x := g.key.Block(d, uint32(i), uint32(forTokens), 0)
		list := g.common
		if rng.Below(x[0], 100) >= commonShare {
			list = g.themes[mixture[rng.Below(x[1], uint32(len(mixture)))]]
		}
		words[i] = list.draw(x[2])
	}
	return words
}

// mixture draws the themes of document d, each repeated as often as its share
// says.
func (g *generator) mixture(d uint32) []int {
	first := g.theme(d, 0)
	second := g.theme(d, 1)
	third := g.theme(d, 2)
	x := g.key.Block(d, 1, uint32(forShape), 0)
	switch percent := rng.Below(x[0], 100); {
	case percent < 20:
		return []int{first}
	case percent < 55:
		return []int{first, first, first, second, second}
	default:
		return []int{first, first, first, second, second, third}
	}
}

// theme draws the n-th theme of document d. Two draws may give the same theme,
// which then has both shares.
func (g *generator) theme(d, n uint32) int {
	x := g.key.Block(d, n, uint32(forThemes), 0)
	return int(rng.Below(x[0], uint32(len(g.themes))))
}

// wordList draws words by weight. Weights are integers: no rounding can differ
// from machine to machine.
type wordList struct {
	words []string
	ends  []uint32 // ends[r] is the sum of the weights of words 0, …, r
}

func makeWordList(words []string) wordList {
	list := wordList{words, make([]uint32, len(words))}
	sum := uint32(0)
	for r := range words {
		sum += 10_000 / uint32(r+4)
		list.ends[r] = sum
	}
	return list
}

// draw returns the word that a random number picks.
func (l wordList) draw(x uint32) string {
	at := rng.Below(x, l.ends[len(l.ends)-1])
	return l.words[sort.Search(len(l.ends), func(r int) bool { return at < l.ends[r] })]
}
