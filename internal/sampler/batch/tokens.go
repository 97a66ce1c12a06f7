package batch

import (
	"context"
	"slices"
	"sort"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// blocks is a corpus cut into blocks, of which mini-batches are made.
type blocks struct {
	p       *sampler.Problem
	grid    *grid.Grid
	batches [][2]int // mini-batches as ranges of blocks, for the sweep in progress
}

func newBlocks(p *sampler.Problem, limits grid.Limits) blocks {
	return blocks{p: p, grid: p.Grids.New(p.Offsets, p.Words, p.V, limits)}
}

// tokens is shared by samplers that draw in mini-batches: the topics of all tokens, and n_k.
type tokens struct {
	blocks
	ranges []int    // word ranges of about equal work, for count updates
	starts []uint32 // blocks × len(ranges): the first segment of the block whose word is not before the range

	z   []uint16 // N topics in grid order
	old []uint16 // topics before the mini-batch, same indexes as z
	nk  []int64  // K
}

func newTokens(p *sampler.Problem, limits grid.Limits) tokens {
	s := tokens{
		blocks: newBlocks(p, limits),
		ranges: sampler.EqualRanges(p.Words, p.V, 64),
		z:      make([]uint16, p.N()),
		old:    make([]uint16, p.N()),
		nk:     make([]int64, p.K),
	}
	s.starts = make([]uint32, 0, len(s.grid.Blocks)*len(s.ranges))
	for _, b := range s.grid.Blocks {
		at := b.FirstSeg
		for _, w := range s.ranges {
			for at < b.LastSeg && int(s.grid.Segments[at].Word) < w {
				at++
			}
			s.starts = append(s.starts, uint32(at))
		}
	}
	return s
}

// setTopics sets z, in grid order, from topics in corpus order or, without any, to those that
// first gives for a document and a token of it.
func (s *tokens) setTopics(z []uint32, first func(doc, token int) uint32) {
	s.eachToken(func(doc, corpus, grid int) {
		if z == nil {
			s.z[grid] = uint16(first(doc, corpus))
		} else {
			s.z[grid] = uint16(z[corpus])
		}
	})
}

// anyTopic is a uniform topic for a token.
func (s *blocks) anyTopic(_, token int) uint32 {
	random := sampler.Draws{Key: rng.NewKey(s.p.Seed), Purpose: sampler.ForStart}
	return rng.Below(random.Word(uint64(s.p.Origin()+token)), uint32(s.p.K))
}

func (s *tokens) Topics(z []uint32) {
	s.eachToken(func(_, corpus, grid int) { z[corpus] = uint32(s.z[grid]) })
}

func (s *tokens) Capabilities() sampler.Capabilities {
	return sampler.Capabilities{NarrowTopics: s.NarrowTopics}
}

func (s *tokens) NarrowTopics(z []uint16) {
	s.eachToken(func(_, corpus, grid int) { z[corpus] = s.z[grid] })
}

// eachToken calls f with the document of every token and its position in corpus order and
// in grid order, from several goroutines.
func (s *tokens) eachToken(f func(doc, corpus, grid int)) {
	type translator struct {
		walker *grid.Walker
		at     []uint32
	}
	translators := make([]translator, s.p.Threads)
	parallel.Do(context.Background(), s.p.Threads, len(s.grid.Blocks), func(thread, i int) {
		t, b := &translators[thread], s.grid.Blocks[i]
		if t.walker == nil {
			t.walker = grid.NewWalker(s.p.V)
		}
		t.at = t.walker.Positions(t.at[:0], s.grid, b, s.p.Words)
		for i, pos := range t.at {
			at := b.Begin + int(pos)
			f(b.FirstDoc+int(s.grid.Docs[at]), b.Begin+i, at)
		}
	})
}

// BatchesIn cuts the blocks into n runs of about equal numbers of tokens.
func (s *blocks) BatchesIn(n int) [][2]int {
	s.batches = sampler.BlockRuns(s.batches[:0], s.grid.Blocks, s.p.N(), n)
	return s.batches
}

// offsetsFrom lists where a load's documents begin, counted from its first token.
func (s *blocks) offsetsFrom(load sampler.Span) []uint32 {
	var list []uint32
	for _, o := range s.p.Offsets[load.FirstDoc : load.LastDoc+1] {
		list = append(list, uint32(int(o)-load.Begin))
	}
	return list
}

// segments returns the segments of a block whose words lie in a range.
func (s *tokens) segments(block, of int) []grid.Segment {
	at := block*len(s.ranges) + of
	return s.grid.Segments[s.starts[at]:s.starts[at+1]]
}

func (s *tokens) TopicTotals() []uint64 {
	totals := make([]uint64, s.p.K)
	for k, n := range s.nk {
		totals[k] = uint64(n)
	}
	return totals
}

// moves finds what the last round of a part has changed, word by word.
type moves struct {
	of         *tokens
	first      []int         // V+1: word w has byWord[first[w]:first[w+1]]
	byWord     []wordSegment // all segments, word by word, increasing in block
	begin, end int           // blocks of the last round
}

// wordSegment describes where a segment is: its block and its number in the grid.
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
		sampler.NetMoves(n, s.of.old[base+int(seg.Begin):base+int(seg.End)],
			s.of.z[base+int(seg.Begin):base+int(seg.End)], 1)
	}
}

func (s *moves) Memory() []byte { return mapfile.Memory(s.of.z) }
func (s *moves) Restore(int)    {}
