package walk

import (
	"slices"
	"sort"
	"sync"
)

// Windows are for going through a part's tokens word by word with little to do for each. A word's tokens are in all blocks, a
// few here and there, and to wait for them takes longer than to look at them. Those of some words that follow each other are
// a run in each block: runs of all blocks can be brought near at once.
type Windows struct {
	Words []int // the first word of each window, and V

	once sync.Once
	runs [][]uint32 // by window, with an end of the last: by block, the place of its first token of the window's words
}

const (
	windowTokens = 1 << 14 // of a window: its records take a fraction of a second-level cache, and a block has more than a line of them
	windowsMost  = 1 << 10 // so that places are no more than a sixteenth of a byte a token
)

// WindowsOf is how many windows so many tokens have at most.
func WindowsOf(tokens int) int { return min(windowsMost, 1+tokens/windowTokens) }

// Each calls near with the run in every block of the window that word w is in, and returns the window's end. Segments are those of
// words, from first[w] on, in blocks from firstBlock on.
func (n *Windows) Each(w, blocks, firstBlock int, first []int, segments []Segment, near func(block int, begin, end uint32)) int {
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
