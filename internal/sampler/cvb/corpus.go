package cvb

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Corpus is the input of State. It does not change.
type Corpus struct {
	Offsets []uint64 // D+1 positions, the first one 0; document d is Words[Offsets[d]:Offsets[d+1]]
	Words   []uint32 // N word ids, sorted inside each document
	V       int      // words in the vocabulary
	K       int      // topics
	Seed    uint64   // key of all randomness
	Groups  int      // P, groups of documents and of words; 0: chosen from the corpus and K
	Threads int      // goroutines to use; never changes a result

	Pseudo *counts.Pseudo // m_wk, added to the expected n_wk; may be nil
}

func (c *Corpus) docs() int   { return len(c.Offsets) - 1 }
func (c *Corpus) tokens() int { return int(c.Offsets[c.docs()]) }

// MaxTopics is the largest K. The largest of K responsibilities is then at least 3 units, so that rounding
// cannot make all of a pair's responsibilities 0.
const MaxTopics = 2048

// mostTokens is the largest number of tokens of one document or word. Their counts in units of 1/One,
// rounding included, must fit 32 bits.
const mostTokens = math.MaxInt32 / (One + One/32)

// check returns an error if the corpus is too large for the zero-order form.
func (c *Corpus) check() error {
	if c.K > MaxTopics {
		return fmt.Errorf("zero-order cvb takes at most %d topics, not %d: choose sampler batch or warp", MaxTopics,
			c.K)
	}
	if c.tokens() > math.MaxUint32 {
		return fmt.Errorf("zero-order cvb takes at most %d tokens, and the corpus has %d: choose sampler batch or warp",
			uint32(math.MaxUint32), c.tokens())
	}
	frequency := make([]uint64, c.V)
	for w := range c.Pseudo.Words() {
		frequency[w] = c.Pseudo.WordTokens(w)
		if frequency[w] > mostTokens {
			return &sampler.WordError{
				Word: w,
				Text: fmt.Sprintf("zero-order cvb takes at most %d pseudo-counts of a word, and %%s has %d: "+
					"give them less weight, or choose sampler auto, batch or warp", mostTokens, frequency[w]),
			}
		}
	}
	for d := range c.docs() {
		if n := c.Offsets[d+1] - c.Offsets[d]; n > mostTokens {
			return fmt.Errorf("zero-order cvb takes documents of at most %d tokens, and document %d has %d: choose sampler batch or warp", mostTokens, d, n)
		}
	}
	for _, w := range c.Words {
		frequency[w]++
		if frequency[w] > mostTokens {
			return &sampler.WordError{
				Word: int(w),
				Text: fmt.Sprintf("zero-order cvb takes words that occur at most %d times, and %%s occurs more often: "+
					"prune frequent words, or choose sampler auto, batch or warp", mostTokens),
			}
		}
	}
	return nil
}

// eachPair calls f for every distinct word of document d, with the first of its tokens and their number.
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

// pairs returns the number of pairs in all, of every document and of every word.
func (c *Corpus) pairs() (all int, ofDoc, ofWord []int) {
	ofDoc, ofWord = make([]int, c.docs()), make([]int, c.V)
	spans := c.spans()
	inSpan := make([][]uint32, len(spans)) // pairs of every word
	_ = parallel.Do(context.Background(), c.Threads, len(spans), func(_, i int) {
		words := make([]uint32, c.V)
		for d := spans[i].first; d < spans[i].last; d++ {
			c.eachPair(d, func(w uint32, _, _ int) {
				ofDoc[d]++
				words[w]++
			})
		}
		inSpan[i] = words
	})
	for _, words := range inSpan {
		for w, n := range words {
			ofWord[w] += int(n)
			all += int(n)
		}
	}
	return all, ofDoc, ofWord
}

// span is a run of documents.
type span struct{ first, last int }

// spans cuts the documents into runs of about equal numbers of tokens, at most one for each thread. There are
// so few that V numbers for every run are far fewer than the tokens.
func (c *Corpus) spans() []span {
	n := max(1, min(c.Threads, c.tokens()/4/max(1, c.V)))
	list := make([]span, n)
	first := 0
	for i := range list {
		end := uint64(c.tokens()) * uint64(i+1) / uint64(n)
		last, _ := slices.BinarySearch(c.Offsets[:c.docs()], end)
		if i == n-1 {
			last = c.docs()
		}
		list[i] = span{first, max(first, last)}
		first = list[i].last
	}
	return list
}

// Bytes returns the memory of a State for the corpus: kpad bytes and a place for every pair, 4·kpad bytes for
// every document and word, and what drawing topics needs. Without Words it assumes a pair for every token.
func Bytes(c *Corpus) uint64 {
	all := c.tokens() // at most
	if c.Words != nil {
		all, _, _ = c.pairs()
	}
	return c.bytesOf(all)
}

// bytesOf is Bytes for a corpus with the given number of pairs.
func (c *Corpus) bytesOf(pairs int) uint64 {
	kpad := uint64(padded(c.K))
	return uint64(pairs)*(kpad+20) + 4*kpad*uint64(c.docs()+2*c.V) + 4*uint64(c.tokens())
}

// padded rounds K up to whole groups of lanes.
func padded(k int) int { return (k + lanes - 1) / lanes * lanes }

func zeroCorpus(p *sampler.Problem) Corpus {
	return Corpus{
		Offsets: p.Offsets, Words: p.Words, V: p.V, K: p.K, Seed: p.Seed, Groups: p.Tuning.Partitions,
		Threads: p.Threads, Pseudo: p.Pseudo,
	}
}
