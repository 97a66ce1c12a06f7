package warp

import (
	"cmp"
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warpLayout says where tokens are in the grid.
type warpLayout struct {
	blocks   []grid.Block // their segments are not kept
	first    []int        // V+1: word w has segments[first[w]:first[w+1]]
	segments []walk.Segment
	before   []int    // V+1: tokens of the words before each one
	places   []uint16 // N, corpus order: the token's place in its block, unless the block is a long document
	key      sampler.CorpusKey
}

// layoutOf makes the layout of a problem, or takes the one that was made ahead.
func layoutOf(p *sampler.Problem) warpLayout {
	if l, ok := p.Laid().(warpLayout); ok {
		return l
	}
	return newWarpLayout(p)
}

func newWarpLayout(p *sampler.Problem) warpLayout {
	g := p.Grids.New(p.Offsets, p.Words, p.V, BlockLimits)
	l := warpLayout{blocks: g.Blocks, key: p.Key(g)}
	l.index(g, p)
	l.number(g, p)
	return l
}

// index lists the grid's segments word by word.
func (l *warpLayout) index(g *grid.Grid, p *sampler.Problem) {
	l.first, l.before = make([]int, p.V+1), make([]int, p.V+1)
	eachSegment(g, p, func(_ int, seg grid.Segment) {
		n := int(seg.End - seg.Begin)
		l.first[seg.Word+1] += (n + walk.MostTokens - 1) / walk.MostTokens
		l.before[seg.Word+1] += n
	})
	for w := range p.V {
		l.first[w+1] += l.first[w]
		l.before[w+1] += l.before[w]
	}
	l.segments = make([]walk.Segment, l.first[p.V])
	next := slices.Clone(l.first[:p.V])
	origin := p.OriginBlock()
	eachSegment(g, p, func(b int, seg grid.Segment) {
		for begin := seg.Begin; begin < seg.End; begin += walk.MostTokens {
			l.segments[next[seg.Word]] = walk.Segment{Block: uint32(origin + b), Begin: begin, N: min(seg.End-begin, walk.MostTokens)}
			next[seg.Word]++
		}
	})
}

// eachSegment calls f for all segments, those of a word in the order of blocks, from several
// goroutines with different words.
func eachSegment(g *grid.Grid, p *sampler.Problem, f func(block int, seg grid.Segment)) {
	ranges := 1
	if p.Threads > 1 {
		ranges = 4 * p.Threads
	}
	_ = parallel.Do(context.Background(), p.Threads, ranges, func(_, i int) {
		first, last := uint32(i*p.V/ranges), uint32((i+1)*p.V/ranges)
		for b, block := range g.Blocks {
			segments := g.Segments[block.FirstSeg:block.LastSeg]
			at, _ := slices.BinarySearchFunc(segments, first, func(s grid.Segment, w uint32) int { return cmp.Compare(s.Word, w) })
			for at < len(segments) && segments[at].Word < last {
				f(b, segments[at])
				at++
			}
		}
	})
}

// number finds every document's tokens in its block.
func (l *warpLayout) number(g *grid.Grid, p *sampler.Problem) {
	l.places = make([]uint16, p.N())
	next := make([]uint64, p.D())
	copy(next, p.Offsets)
	_ = parallel.Do(context.Background(), p.Threads, len(g.Blocks), func(_, block int) {
		b := g.Blocks[block]
		if b.Tokens() > warpBlockTokens {
			return // one document, whose tokens follow each other
		}
		for i, d := range g.Docs[b.Begin:b.End] {
			doc := b.FirstDoc + int(d)
			l.places[next[doc]] = uint16(i)
			next[doc]++
		}
	})
}

// SortBlocks sorts the tokens of a span, whose words are given, block by block, and returns the
// places of its tokens as in Block, those of all blocks.
func SortBlocks(l *sampler.Plan, s sampler.Span, words []uint32) (g *grid.Grid, places []uint16) {
	p := l.Problem(s, &sampler.Layout{Local: words})
	g = grid.New(p.Offsets, words, l.P.V, BlockLimits)
	layout := warpLayout{}
	layout.number(g, p)
	return g, layout.places
}
