package walk

import (
	"cmp"
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// SegmentsOf lists the grid's segments word by word: word w has segments[first[w]:first[w+1]], and before[w]
// is the number of tokens of smaller words.
func SegmentsOf(g *grid.Grid, p *sampler.Problem) (first, before []int, segments []Segment) {
	first, before = make([]int, p.V+1), make([]int, p.V+1)
	eachSegment(g, p, func(_ int, seg grid.Segment) {
		n := int(seg.End - seg.Begin)
		first[seg.Word+1] += (n + MostTokens - 1) / MostTokens
		before[seg.Word+1] += n
	})
	for w := range p.V {
		first[w+1] += first[w]
		before[w+1] += before[w]
	}
	segments = make([]Segment, first[p.V])
	next := slices.Clone(first[:p.V])
	origin := p.OriginBlock()
	eachSegment(g, p, func(b int, seg grid.Segment) {
		for begin := seg.Begin; begin < seg.End; begin += MostTokens {
			segments[next[seg.Word]] = Segment{
				Block: uint32(origin + b), Begin: begin,
				N: min(seg.End-begin, MostTokens),
			}
			next[seg.Word]++
		}
	})
	return first, before, segments
}

// eachSegment calls f for all segments, those of a word in the order of blocks. Several goroutines call it,
// each for its own words.
func eachSegment(g *grid.Grid, p *sampler.Problem, f func(block int, seg grid.Segment)) {
	ranges := 1
	if p.Threads > 1 {
		ranges = 4 * p.Threads
	}
	_ = parallel.Do(context.Background(), p.Threads, ranges, func(_, i int) {
		first, last := uint32(i*p.V/ranges), uint32((i+1)*p.V/ranges)
		for b, block := range g.Blocks {
			segments := g.Segments[block.FirstSeg:block.LastSeg]
			at, _ := slices.BinarySearchFunc(segments, first,
				func(s grid.Segment, w uint32) int { return cmp.Compare(s.Word, w) })
			for at < len(segments) && segments[at].Word < last {
				f(b, segments[at])
				at++
			}
		}
	})
}

// PlacesOf returns the place of every token in its block, N places in corpus order. It skips blocks of more
// than most tokens: each is one document, whose tokens are already in order.
func PlacesOf(g *grid.Grid, p *sampler.Problem, most int) []uint16 {
	places := make([]uint16, p.N())
	next := make([]uint64, p.D())
	copy(next, p.Offsets)
	_ = parallel.Do(context.Background(), p.Threads, len(g.Blocks), func(_, block int) {
		b := g.Blocks[block]
		if b.Tokens() > most {
			return
		}
		for i, d := range g.Docs[b.Begin:b.End] {
			doc := b.FirstDoc + int(d)
			places[next[doc]] = uint16(i)
			next[doc]++
		}
	})
	return places
}

// SpotsFit reports whether the number of a block and a place in it fit 16 bits each.
func SpotsFit(blocks []grid.Block) bool {
	for _, b := range blocks {
		if b.Tokens() > 1<<16 {
			return false
		}
	}
	return len(blocks) <= 1<<16
}
