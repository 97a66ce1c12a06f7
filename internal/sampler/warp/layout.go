package warp

import (
	"github.com/topoi-lda/topoi/internal/grid"
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
	l := warpLayout{blocks: g.Blocks, places: walk.PlacesOf(g, p, warpBlockTokens), key: p.Key(g)}
	l.first, l.before, l.segments = walk.SegmentsOf(g, p)
	return l
}

// sortBlocks sorts the tokens of a span, whose words are given, block by block, and returns the
// places of its tokens as in sampler.TokenBlock, those of all blocks.
func sortBlocks(l *sampler.Plan, s sampler.Span, words []uint32) (g *grid.Grid, places []uint16) {
	p := l.Problem(s, &sampler.Layout{Local: words})
	g = grid.New(p.Offsets, words, l.P.V, BlockLimits)
	return g, walk.PlacesOf(g, p, warpBlockTokens)
}
