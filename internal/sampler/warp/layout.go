package warp

import (
	"runtime/debug"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warpLayout describes where tokens are in the grid.
type warpLayout struct {
	blocks   []grid.Block // without their segments
	first    []int        // V+1: word w has segments[first[w]:first[w+1]]
	segments []walk.Segment
	before   []int    // V+1: number of tokens of all words before word w
	places   []uint16 // N, corpus order: the token's place in its block, unless the block is a long document
	key      sampler.CorpusKey
}

// layoutOf returns the layout of a problem: the prepared one (Problem.Laid), or a new one.
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

// sortBlocks implements sampler.Stream.Sort.
func sortBlocks(l *sampler.Plan, s sampler.Span, words []uint32) (g *grid.Grid, places []uint16) {
	p := l.Problem(s, &sampler.Layout{Local: words})
	g = grid.New(p.Offsets, words, l.P.V, BlockLimits)
	return g, walk.PlacesOf(g, p, warpBlockTokens)
}

// BlockLimits are the limits of warp's blocks.
var BlockLimits = grid.Limits{Tokens: warpBlockTokens, Docs: 1 << 16}

// newLeanLayout returns a layout. It returns the memory of the grid, 4 bytes per token, to the system before
// the tokens are allocated.
func newLeanLayout(p *sampler.Problem) warpLayout {
	layout := layoutOf(p)
	if p.N() > 1<<20 {
		debug.FreeOSMemory()
	}
	return layout
}
