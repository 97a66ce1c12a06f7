package warp

import (
	"context"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// This file makes the lists by which warp's kernels find tokens, words and
// documents.

// tokensOf is how many tokens a word has.
func (s *warp[T]) tokensOf(w int) (n uint32) {
	for _, seg := range s.segments[s.first[w]:s.first[w+1]] {
		n += seg.N
	}
	return n
}

// firstTokens returns where each word begins when tokens are sorted by word.
func (s *warpOn[T]) firstTokens() []uint32 {
	first := make([]uint32, s.p.V+1)
	for w := range s.p.V {
		first[w+1] = first[w] + s.tokensOf(w)
	}
	return first
}

// positionsByWord lists grid positions word after word.
func (s *warpOn[T]) positionsByWord(first []uint32) []uint32 {
	list := make([]uint32, s.p.N())
	_ = parallel.Do(context.Background(), s.p.Threads, len(s.ranges)-1, func(_, i int) {
		at := list[first[s.ranges[i]]:first[s.ranges[i+1]]]
		for _, seg := range s.segments[s.first[s.ranges[i]]:s.first[s.ranges[i+1]]] {
			begin := uint32(s.blocks[seg.Block].Begin) + seg.Begin
			for j := range seg.N {
				at[j] = begin + j
			}
			at = at[seg.N:]
		}
	})
	return list
}

// positionsByDoc lists grid positions in corpus order.
func (s *warpOn[T]) positionsByDoc() []uint32 {
	list := make([]uint32, s.p.N())
	_ = parallel.Do(context.Background(), s.p.Threads, len(s.blocks), func(_, b int) {
		block := s.blocks[b]
		for i := range block.Tokens() {
			list[block.Begin+i] = uint32(block.Begin + s.Place(b, i))
		}
	})
	return list
}

// blockStarts is what Blocks of warp.h reads, for a whole corpus.
func (s *warp[T]) blockStarts() []uint32 {
	return s.startsOf(sampler.Span{LastBlock: len(s.blocks), End: s.p.N()})
}

// dealWords cuts hot words into parts (row, first and last+1 token) and lists the
// other words that occur.
func (s *warpOn[T]) dealWords(first []uint32) (hot int, parts, words []uint32) {
	for w := range s.p.V {
		begin, end := first[w], first[w+1]
		switch n := int(end - begin); {
		case n > s.hotLimit():
			parts = appendParts(parts, uint32(hot), begin, end, s.limits.part)
			hot++
		case n > 0:
			words = append(words, uint32(w))
		}
	}
	return hot, parts, words
}

// mostShort is the most tokens of a short document.
func (s *warpOn[T]) mostShort() int { return min(warpShortMost, s.limits.short/(s.m+1)) }

// dealDocs sorts documents by whether their tokens fit shared memory. Short ones
// are described by Head of warp_docs.cu.
func (s *warpOn[T]) dealDocs() (short []layout.WarpDocsHead, long []uint32) {
	most := s.mostShort()
	for b, block := range s.blocks {
		for d := block.FirstDoc; d < block.LastDoc; d++ {
			switch n := int(s.p.Offsets[d+1] - s.p.Offsets[d]); {
			case n > most:
				long = append(long, uint32(d))
			case n > 0:
				short = append(short, layout.WarpDocsHead{From: uint32(s.p.Offsets[d]), N: uint32(n), Block: uint32(b), Begin: uint32(block.Begin)})
				s.shortRoom = max(s.shortRoom, n)
			}
		}
	}
	s.shortRoom = (s.shortRoom + 1) &^ 1 // columns of 16-bit numbers end where 32-bit ones can begin
	return short, long
}
