package walk

import (
	"slices"
	"sort"
	"sync"

	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Columns hold the tokens being worked on, an array for each property. All arrays have the same length;
// vector code may write up to Slack values beyond the tokens in use, but never beyond that length.
type Columns struct {
	at, block []uint32    // place in the block, block
	Own, Z    []uint32    // topic before the phase, topic now
	proposal  [][]uint32  // M proposals
	random    []rng.Words // ⌈M/2⌉ times four random words
	old       []uint32    // topic before the last word phase, if records store it; else undefined
}

// Slack is the length of a vector.
const Slack = sampler.MovedRoom - MostTokens

func NewColumns(m int) Columns {
	c := Columns{proposal: make([][]uint32, m), random: make([]rng.Words, (m+1)/2)}
	c.Grow(MostTokens)
	return c
}

// Grow makes room for n tokens.
func (c *Columns) Grow(n int) {
	if n+Slack <= len(c.Z) {
		return
	}
	n = max(n, 2*len(c.Z)) + Slack
	c.at, c.block = make([]uint32, n), make([]uint32, n)
	c.Own, c.Z, c.old = make([]uint32, n), make([]uint32, n), make([]uint32, n)
	for j := range c.proposal {
		c.proposal[j] = make([]uint32, n)
	}
	for i := range c.random {
		for word := range c.random[i] {
			c.random[i][word] = make([]uint32, n)
		}
	}
}

// Draw fills the random words of the first n tokens.
func (c *Columns) Draw(n int, key rng.Key, iteration uint32, purpose rng.Purpose) {
	for i := range c.random {
		key.Blocks(&c.random[i], c.at[:n], iteration, uint32(purpose)+uint32(i)<<8, c.block[:n])
	}
}

// Walk moves the first n tokens through their proposals.
func (c *Columns) Walk(n int, row *Row) {
	copy(c.Own[:n], c.Z[:n])
	for j, proposal := range c.proposal {
		Step(c.Z[:n], c.Own, proposal, c.random[j/2][j%2*2], row)
	}
}

// Propose draws new proposals for the first n tokens.
func (c *Columns) Propose(n int, places []uint32, mix Mix, topics int, alias Alias) {
	for j, proposal := range c.proposal {
		random := &c.random[j/2]
		Draw(proposal[:n], random[j%2*2], random[j%2*2+1], places, mix, uint32(topics), alias)
	}
}

// Topic is how a topic is stored: in 16 bits up to 65,536 topics.
type Topic interface{ uint16 | uint32 }

// MostTokens is the largest number of tokens of a word that are worked on at once: their columns fit the
// first-level cache.
const MostTokens = 512

// Segment is a run of at most MostTokens tokens of one word in one block. A word with more tokens in a block
// has several.
type Segment struct {
	Block uint32 // index of the block
	Begin uint32 // place of the first token in the block
	N     uint32 // number of tokens
}

// TokensIn returns the number of tokens in segments.
func TokensIn(segments []Segment) (n int) {
	for _, seg := range segments {
		n += int(seg.N)
	}
	return n
}

// AtLeast returns the number of tokens in segments, but stops counting once it has reached enough.
func AtLeast(segments []Segment, enough int) (n int) {
	for _, seg := range segments {
		if n >= enough {
			break
		}
		n += int(seg.N)
	}
	return n
}

// FirstChunk returns how many of the first segments make a chunk: at most MostTokens tokens together, and at
// least one segment.
func FirstChunk(segments []Segment) int {
	n := uint32(0)
	for i, seg := range segments {
		n += seg.N
		if n > MostTokens {
			return i
		}
	}
	return len(segments)
}

// Windows help to go through a part's tokens word by word with little work for each. A word's tokens are
// scattered over all blocks, and waiting for memory takes longer than reading them. The tokens of consecutive
// words, a window, are one run in each block, so that the runs of all blocks can be prefetched together.
type Windows struct {
	Words []int // the first word of each window, and V

	once sync.Once
	runs [][]uint32 // by window, then the end: by block, the place of its first token of the window
}

const (
	windowTokens = 1 << 14 // of a window: its records fit a second-level cache, and a run is longer than a cache line
	windowsMost  = 1 << 10 // bounds the memory of runs to a sixteenth of a byte a token
)

// WindowsOf returns the largest number of windows for the given number of tokens.
func WindowsOf(tokens int) int { return min(windowsMost, 1+tokens/windowTokens) }

// Each calls near with the run in every block of the window that contains word w, and returns the window's
// end. segments are those of all words, word w's from first[w] on; their blocks are numbered from firstBlock.
func (n *Windows) Each(w, blocks, firstBlock int, first []int, segments []Segment,
	near func(block int, begin, end uint32),
) int {
	n.once.Do(func() {
		ends := make([]uint32, blocks)
		for i, lo := range n.Words {
			n.runs = append(n.runs, slices.Clone(ends))
			if i+1 == len(n.Words) {
				return
			}
			for _, seg := range segments[first[lo]:first[n.Words[i+1]]] {
				ends[int(seg.Block)-firstBlock] = seg.Begin + seg.N
			}
		}
	})
	window := sort.SearchInts(n.Words, w+1) - 1
	for b := range blocks {
		near(b, n.runs[window][b], n.runs[window+1][b])
	}
	return n.Words[window+1]
}
