package sampler

import "github.com/topoi-lda/topoi/internal/grid"

// Sorted is a run of warp's blocks in grid order.
type Sorted struct {
	Segments []SortedSegment // by block, then by word
	Places   []uint16        // as in BlockPiece, all blocks
}

// SortedSegment is the tokens of one word inside one block: places Begin … End-1.
type SortedSegment struct {
	grid.Segment
	Block int // number in the run
}

// SortBlocks sorts the tokens of a span, whose words are given, block by block.
func SortBlocks(l *Plan, s Span, words []uint32) Sorted {
	p := l.problem(s, &Layout{local: words})
	g := grid.New(p.Offsets, words, l.p.V, warpBlockLimits)
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
