package batch

import (
	"slices"
	"sort"

	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// moves finds what the last round of a part has changed, word by word.
type moves struct {
	of         *tokens
	first      []int         // V+1: word w has byWord[first[w]:first[w+1]]
	byWord     []wordSegment // all segments, word by word, increasing in block
	begin, end int           // blocks of the last round
}

// wordSegment says where a segment is: its block and its number in the grid.
type wordSegment struct{ block, segment uint32 }

func newMoves(of *tokens) moves {
	g, v := of.grid, of.p.V
	s := moves{of: of, first: make([]int, v+1)}
	for _, seg := range g.Segments {
		s.first[seg.Word+1]++
	}
	for w := range v {
		s.first[w+1] += s.first[w]
	}
	s.byWord = make([]wordSegment, len(g.Segments))
	next := slices.Clone(s.first)
	for i, b := range g.Blocks {
		for j := b.FirstSeg; j < b.LastSeg; j++ {
			w := g.Segments[j].Word
			s.byWord[next[w]] = wordSegment{uint32(i), uint32(j)}
			next[w]++
		}
	}
	return s
}

// setBlocks finds the blocks of a round that has the documents first … last-1.
func (s *moves) setBlocks(first, last int) {
	blocks := s.of.grid.Blocks
	s.begin = sort.Search(len(blocks), func(i int) bool { return blocks[i].FirstDoc >= first })
	s.end = s.begin + sort.Search(len(blocks)-s.begin, func(i int) bool { return blocks[s.begin+i].FirstDoc >= last })
}

func (s *moves) AddMoves(w int, n *sampler.Net) {
	g, tokens := s.of.grid, 0
	for _, at := range s.byWord[s.first[w]:s.first[w+1]] {
		if int(at.block) >= s.begin && int(at.block) < s.end {
			seg := g.Segments[at.segment]
			tokens += int(seg.End - seg.Begin)
		}
	}
	n.Begin(tokens)
	for _, at := range s.byWord[s.first[w]:s.first[w+1]] {
		if int(at.block) < s.begin || int(at.block) >= s.end {
			continue
		}
		seg, base := g.Segments[at.segment], g.Blocks[at.block].Begin
		sampler.NetMoves(n, s.of.old[base+int(seg.Begin):base+int(seg.End)], s.of.z[base+int(seg.Begin):base+int(seg.End)], 1)
	}
}

func (s *moves) Memory() []byte { return mapfile.Bytes(s.of.z) }
func (s *moves) Restore(int)    {}
