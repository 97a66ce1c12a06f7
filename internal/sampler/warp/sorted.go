package warp

import (
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Sorted is some of warp's blocks, one after the other, in grid order.
type Sorted struct {
	Segments []SortedSegment // by block, then by word
	Places   []uint16        // as in Block, all blocks
}

// SortedSegment is the tokens of one word inside one block: places Begin … End-1.
type SortedSegment struct {
	grid.Segment
	Block int // number among these
}

// SortBlocks sorts the tokens of a span, whose words are given, block by block.
func SortBlocks(l *sampler.Plan, s sampler.Span, words []uint32) Sorted {
	p := l.Problem(s, &sampler.Layout{Local: words})
	g := grid.New(p.Offsets, words, l.P.V, BlockLimits)
	layout := warpLayout{}
	layout.number(g, p)
	sorted := Sorted{Places: layout.places, Segments: make([]SortedSegment, 0, len(g.Segments))}
	for i, b := range g.Blocks {
		for _, seg := range g.Segments[b.FirstSeg:b.LastSeg] {
			sorted.Segments = append(sorted.Segments, SortedSegment{Segment: seg, Block: i})
		}
	}
	return sorted
}
