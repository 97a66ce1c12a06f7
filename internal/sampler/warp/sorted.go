package warp

import (
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// SortBlocks sorts the tokens of a span, whose words are given, block by block, and returns the
// places of its tokens as in Block, those of all blocks.
func SortBlocks(l *sampler.Plan, s sampler.Span, words []uint32) (g *grid.Grid, places []uint16) {
	p := l.Problem(s, &sampler.Layout{Local: words})
	g = grid.New(p.Offsets, words, l.P.V, BlockLimits)
	layout := warpLayout{}
	layout.number(g, p)
	return g, layout.places
}
