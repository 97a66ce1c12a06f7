package warp

import (
	"sort"
	"sync"
)

// warpNear is for going through a part's tokens word by word with little to do for each. A word's tokens are in all blocks, a few
// here and there, and to wait for them takes longer than to look at them. Those of some words that follow each other are
// a run in each block: runs of all blocks are brought near at once.
type warpNear struct {
	words []int // the first word of each window, and V

	once sync.Once
	runs [][]uint32 // by window, with an end of the last: by block, the place of its first token of the window's words
}

const (
	warpNearTokens = 1 << 14 // of a window: its records take a fraction of a second-level cache, and a block has more than a line of them
	warpNearMost   = 1 << 10 // windows, so that places are no more than a sixteenth of a byte a token
)

// BringNear is for sampler.Part: it prefetches the window that word w is in, and returns its end.
func (s *warpPart[T]) BringNear(w int) int {
	n := &s.near
	n.once.Do(s.findRuns)
	window := sort.SearchInts(n.words, w+1) - 1
	list := s.old
	if s.tokens.KeepsOld() {
		list = nil
	}
	for i, block := range s.blocks {
		s.tokens.PrefetchRun(list, block.Begin+int(n.runs[window][i]), block.Begin+int(n.runs[window+1][i]))
	}
	return n.words[window+1]
}

// findRuns finds where windows are in blocks.
func (s *warpPart[T]) findRuns() {
	n := &s.near
	ends := make([]uint32, len(s.blocks))
	for i, lo := range n.words {
		n.runs = append(n.runs, append([]uint32(nil), ends...))
		if i+1 == len(n.words) {
			return
		}
		for _, seg := range s.segments[s.first[lo]:s.first[n.words[i+1]]] {
			ends[int(seg.Block)-s.firstBlock] = seg.Begin + seg.N
		}
	}
}
