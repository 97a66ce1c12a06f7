package batch

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// The draw from lists. A token of word w in document d, whose topic was z, draws
//
//	p(k) ∝ (n_dk + α_k) · (n_wk + β) / (n_k + Vβ)
//
// in three parts, with the token itself out of n_dk and n_wk:
//
//	match   Σ n_dk inv_k · n_wk       over the document's topics that the word has too
//	word    Σ α_k inv_k · (n_wk + β)  over all topics: sums made once a round
//	rest    β Σ n_dk inv_k            over the document's topics: a sum kept up to date
//
// inv_k = 1/(n_k + Vβ). A document is a list of (topic, n_dk). Whether a word may have a topic
// is told by one of 1024 bits: topics whose number is the same modulo 1024 share one.
//
//  1. The entries of the list whose bit is set are the matches, in the list's order. Their weights are
//     float32(n_dk)·inv_k·float32(n_wk); own counts are taken off before. They are made into prefix sums
//     in runs of 16, the last one filled up with zeros: by four doubling steps (shift by 1, 2, 4, 8), then the
//     last sum of the run before is added to all. The last of all is M.
//  2. The word part is W = S_w - α_z inv_z, the rest R = float32(Σ n_dk Q_k)·β/2^e, where Q_k = inv_k 2^e
//     are whole numbers, so that the sum does not depend on the order of changes.
//  3. With t = u·((M + W) + R): if t < M, the match is the number of prefix sums, the last excepted,
//     that are ≤ t.
//  4. Else with r = t - M, if r < W: the word's topics stand in groups of 32, whose running sums S_g
//     were made with the round. The group is the number of S_g, the last excepted, that are ≤ r, α_z inv_z being
//     taken off those that contain z. With r less the sum before it, the lane is the number of prefix
//     sums (draw32.Prefix) of the weights α_k inv_k·(float32(n_wk) + β) of the group, the last excepted, that are ≤ r.
//  5. Else with r - W, the entry of the list is found as in 3 from the weights float32(n_dk)·inv_k·β of the whole list.
//
// Then the topic's entry is counted up, or a new one appended to the list, and that of z counted down; an entry that
// has come to 0 is replaced by the last. All arithmetic is float32 without fused multiply-add.

// listArgs is the work of drawLists: tokens of a few words in one block.
type listArgs struct {
	topics  int           // K
	docs    *docLists     // of the block, kept up to date
	round   *listRound    // what is frozen
	words   []listWord    // the words of the tokens
	next    []listWord    // words that will be wanted soon: a hint
	of      []uint16      // the word of each token, as its place in words
	doc     []uint16      // the document of each token
	z       []uint16      // the topic of each token, replaced
	random  []uint32      // 32 random bits per token
	order   []uint16      // the tokens in the order in which to draw them
	quads   int           // so many times, the next four tokens of order are of four documents
	scratch *matchScratch // of the goroutine
	find    matchFinder   // a faster findMatches; nil: none
}

// matchFinder is findMatches.
type matchFinder func(a *listArgs, list []uint32, w *listWord, old uint32) (sums []float32, all float32)

const (
	maskBits  = 1024 // bits that tell a word's topics
	maskWords = maskBits / 32
	matchRun  = 16 // matches whose prefix sums are made at once
	slotsOf   = 8  // tokens that the assembly draws together
)

// matchScratch is room for the matches of slotsOf draws.
type matchScratch struct {
	at     []uint32  // places in the document's list
	entry  []uint32  // their entries; of the assembly
	prefix []float32 // prefix sums of their weights
}

func newMatchScratch(k int) *matchScratch {
	n := slotsOf * ((k+matchRun-1)&^(matchRun-1) + 2*matchRun)
	return &matchScratch{make([]uint32, n), make([]uint32, n), make([]float32, n)}
}

// drawListsGo draws tokens one after the other. It is the specification of the assembly versions.
func drawListsGo(a *listArgs) {
	for _, i := range a.order {
		a.draw(int(i))
	}
}

// draw draws one token.
func (a *listArgs) draw(i int) {
	switch {
	case a.docs.wide != nil:
		drawListed(a, a.docs.wide, i, findMatches)
	case a.find != nil:
		drawListed(a, a.docs.entries, i, a.find)
	default:
		drawListed(a, a.docs.entries, i, findMatches)
	}
}

// drawListed is draw for one width of entries.
func drawListed[E uint32 | uint64](a *listArgs, entries []E, i int, find func(a *listArgs, list []E, w *listWord, old uint32) ([]float32, float32)) {
	d, w, old := int(a.doc[i]), &a.words[a.of[i]], uint32(a.z[i])
	first := int(a.docs.first[d])
	list := entries[first : first+int(a.docs.length[d])]
	f := a.round
	match, all := find(a, list, w, old)
	last := len(match) - 1
	word := w.total - f.smooth[old]
	rest := float32(a.docs.sums[d]-f.whole[old]) * f.restScale
	t := rng.Float32(a.random[i]) * ((all + word) + rest)

	var at int
	var k uint32
	if t < all {
		at = int(a.scratch.at[countUpTo(match[:last], t)])
		k = uint32(list[at] & topicOf)
	} else if r := t - all; r < word {
		k = pickWord(a, w, old, r)
		at = findTopic(list, k)
	} else {
		at = pickRest(a, list, old, r-word)
		k = uint32(list[at] & topicOf)
	}
	a.z[i] = uint16(k)
	a.docs.sums[d] += f.whole[k] - f.whole[old]
	list = list[:max(len(list), at+1)]
	list[at] = (list[at]&^topicOf + oneOf) | E(k)
	a.docs.length[d] = uint32(len(takeOut(list, old)))
}

// takeOut counts a topic of the list down, which it has.
func takeOut[E uint32 | uint64](list []E, k uint32) []E {
	at, last := findTopic(list, k), len(list)-1
	list[at] -= oneOf
	if list[at] < oneOf {
		list[at] = list[last]
		list[last] = 0
		return list[:last]
	}
	return list
}

// findTopic returns the place of a topic in a list, or its length.
func findTopic[E uint32 | uint64](list []E, k uint32) int {
	for i, e := range list {
		if uint32(e&topicOf) == k {
			return i
		}
	}
	return len(list)
}

// findMatches finds the matches of a token and returns the prefix sums of their weights, and M. There is
// one match at least: the topic that the token has.
func findMatches[E uint32 | uint64](a *listArgs, list []E, w *listWord, old uint32) (sums []float32, all float32) {
	s, n := a.scratch, 0
	for i, e := range list {
		k := uint32(e & topicOf)
		if w.bits[k/32%maskWords]>>(k%32)&1 == 0 {
			continue
		}
		doc, word := uint32(e>>16), a.round.rows.at(w.word, k)
		if k == old {
			doc, word = doc-1, word-1
		}
		s.at[n], s.prefix[n] = uint32(i), float32(float32(doc)*a.round.inv[k])*float32(word)
		n++
	}
	all = prefixRuns(s.prefix, n)
	return s.prefix[:n], all
}

// prefixRuns replaces the first n weights by their prefix sums, in runs of 16, and returns the last sum of
// the last run.
func prefixRuns(p []float32, n int) float32 {
	clear(p[n : (n+matchRun-1)&^(matchRun-1)])
	before := float32(0)
	for first := 0; first < n; first += matchRun {
		run := (*[matchRun]float32)(p[first:])
		for _, s := range [4]int{1, 2, 4, 8} {
			for i := matchRun - 1; i >= s; i-- {
				run[i] += run[i-s]
			}
		}
		for i := range run {
			run[i] += before
		}
		before = run[matchRun-1]
	}
	return before
}

// countUpTo returns how many of the sums are at most t.
func countUpTo(sums []float32, t float32) int {
	n := 0
	for _, s := range sums {
		if s <= t {
			n++
		}
	}
	return n
}

// pickWord finds the topic at r of the word part (step 4).
func pickWord(a *listArgs, w *listWord, old uint32, r float32) uint32 {
	f := a.round
	sums := unsafe.Slice(w.sums, f.groups)
	without := func(g int) float32 {
		if g >= int(old/draw32.Lanes) {
			return sums[g] - f.smooth[old]
		}
		return sums[g]
	}
	g := 0
	for i := range f.groups - 1 {
		if without(i) <= r {
			g++
		}
	}
	if g > 0 {
		r -= without(g - 1)
	}
	var p [draw32.Lanes]float32
	first := uint32(g * draw32.Lanes)
	for l := range p {
		k := first + uint32(l)
		n := f.rows.at(w.word, k)
		if k == old {
			n--
		}
		p[l] = f.smooth[k] * (float32(n) + f.beta)
	}
	draw32.Prefix(&p)
	return first + uint32(countUpTo(p[:min(draw32.Lanes, a.topics-int(first))-1], r))
}

// pickRest finds the entry of the list at r of the rest (step 5).
func pickRest[E uint32 | uint64](a *listArgs, list []E, old uint32, r float32) int {
	p := a.scratch.prefix
	for i, e := range list {
		k, n := uint32(e&topicOf), uint32(e>>16)
		if k == old {
			n--
		}
		p[i] = float32(float32(n)*a.round.inv[k]) * a.round.beta
	}
	prefixRuns(p, len(list))
	return countUpTo(p[:len(list)-1], r)
}
