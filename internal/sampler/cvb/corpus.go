package cvb

import (
	"fmt"
	"math"
)

// Corpus is what responsibilities are computed for. It does not change.
type Corpus struct {
	Offsets []uint64 // D+1 positions, the first one 0; document d is Words[Offsets[d]:Offsets[d+1]]
	Words   []uint32 // N word ids, sorted inside each document
	V       int      // words in the vocabulary
	K       int      // topics
	Seed    uint64   // key of all randomness
	Groups  int      // P, of documents and of words; 0: chosen from the corpus and K
	Threads int      // goroutines to use; never changes a result
}

func (c *Corpus) docs() int   { return len(c.Offsets) - 1 }
func (c *Corpus) tokens() int { return int(c.Offsets[c.docs()]) }

// MaxTopics is the largest K: the largest of K responsibilities is then at least
// 3 units, so that none of a pair's tokens can be lost to rounding.
const MaxTopics = 2048

// mostTokens is how many tokens one document, or one word, may have: their counts
// in units of 1/One, with what rounding adds, must fit 32 bits.
const mostTokens = math.MaxInt32 / (One + One/32)

// check returns why the corpus is not one for responsibilities, or nil.
func (c *Corpus) check() error {
	if c.K > MaxTopics {
		return fmt.Errorf("zero-order cvb takes at most %d topics, not %d: choose sampler batch or warp", MaxTopics, c.K)
	}
	if c.tokens() > math.MaxUint32 {
		return fmt.Errorf("zero-order cvb takes at most %d tokens, and the corpus has %d: choose sampler batch or warp", uint32(math.MaxUint32), c.tokens())
	}
	frequency := make([]uint32, c.V)
	for d := range c.docs() {
		if n := c.Offsets[d+1] - c.Offsets[d]; n > mostTokens {
			return fmt.Errorf("zero-order cvb takes documents of at most %d tokens, and document %d has %d: choose sampler batch or warp", mostTokens, d, n)
		}
	}
	for _, w := range c.Words {
		frequency[w]++
		if frequency[w] > mostTokens {
			return fmt.Errorf("zero-order cvb takes words that occur at most %d times, and word %d occurs more often: prune frequent words, or choose sampler batch or warp", mostTokens, w)
		}
	}
	return nil
}

// eachPair calls f for every distinct word of document d, with the first of its
// tokens and their number.
func (c *Corpus) eachPair(d int, f func(word uint32, token, count int)) {
	begin, end := int(c.Offsets[d]), int(c.Offsets[d+1])
	for i := begin; i < end; {
		j := i + 1
		for j < end && c.Words[j] == c.Words[i] {
			j++
		}
		f(c.Words[i], i, j-i)
		i = j
	}
}

// pairs counts the pairs of all documents, and of every document and word.
func (c *Corpus) pairs() (all int, ofDoc, ofWord []int) {
	ofDoc, ofWord = make([]int, c.docs()), make([]int, c.V)
	for d := range ofDoc {
		c.eachPair(d, func(w uint32, _, _ int) {
			ofDoc[d]++
			ofWord[w]++
		})
		all += ofDoc[d]
	}
	return all, ofDoc, ofWord
}

// Bytes returns how much memory responsibilities of the corpus take: kpad bytes
// and a place for every pair, 4·kpad for every document and word, and what is
// needed to draw topics. Without Words it is what the tokens could take at most.
func Bytes(c *Corpus) uint64 {
	all := c.tokens() // at most
	if c.Words != nil {
		all, _, _ = c.pairs()
	}
	return c.bytesOf(all)
}

// bytesOf is Bytes if the corpus has so many pairs.
func (c *Corpus) bytesOf(pairs int) uint64 {
	kpad := uint64(padded(c.K))
	return uint64(pairs)*(kpad+20) + 4*kpad*uint64(c.docs()+2*c.V) + 4*uint64(c.tokens())
}

// padded rounds K up to whole groups of lanes.
func padded(k int) int { return (k + lanes - 1) / lanes * lanes }
