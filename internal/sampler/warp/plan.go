package warp

import (
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

// warpPlan describes how a part passes through a device. It never changes a result.
type warpPlan struct {
	places   []uint32            // V × 2: places of Model in warp_stream.cu
	hot      int                 // words with sums
	listed   int                 // topics in lists
	segments []warpBlockSegments // of all blocks, from the problem's first on

	loads   []sampler.Span
	most    int // tokens of the largest load
	numbers int // most numbers in the lists of a load
}

// warpBlockSegments are the segments of a block in the order of its tokens.
type warpBlockSegments []struct{ word, begin uint32 }

const (
	warpSlots    = 3       // one load is sent, one is worked on, one is copied back
	warpLoadMost = 8 << 20 // tokens of a load: larger loads hide no more of the copying
	warpDense    = layout.WarpStreamDense
)

// blockSegments lists the segments block by block.
func (s *warp[T]) blockSegments() []warpBlockSegments {
	list := make([]warpBlockSegments, len(s.blocks))
	for w := range s.p.V {
		for _, seg := range s.segments[s.first[w]:s.first[w+1]] {
			block := &list[int(seg.Block)-s.firstBlock]
			*block = append(*block, struct{ word, begin uint32 }{uint32(w), seg.Begin})
		}
	}
	return list
}

// placeRows gives words with many tokens a row of k topics and the others a list. totals has the tokens of each word.
func (p *warpPlan) placeRows(totals []uint32, k int) {
	p.places = make([]uint32, 2*len(totals))
	for w, n := range totals {
		p.places[2*w+1] = n
		if int(n) > k || n > 1<<16 {
			p.places[2*w] = warpDense | uint32(p.hot)
			p.hot++
			continue
		}
		p.places[2*w] = uint32(p.listed)
		p.listed += int(n)
	}
}

// cutLoads cuts the corpus into loads of at most the given number of tokens, or of one block.
func (s *warp[T]) cutLoads(plan *warpPlan, most int) {
	plan.loads, plan.most, plan.numbers = sampler.CutBlocks(s.blocks, s.firstBlock, most), 0, 0
	for _, load := range plan.loads {
		plan.most, plan.numbers = max(plan.most, load.Tokens()), max(plan.numbers, s.listNumbers(plan, load))
	}
}

// listNumbers returns an upper bound of the numbers in a load's lists.
func (s *warp[T]) listNumbers(plan *warpPlan, load sampler.Span) int {
	n := (layout.Size[grouping.Group]()+1)*load.Docs() + 2*((load.Tokens()+31)/32) + load.LastBlock + 1 +
		load.Tokens()>>16 + 1
	for b := load.FirstBlock; b < load.LastBlock; b++ {
		n += len(plan.segments[b-s.firstBlock])
	}
	return n
}

func slotBytes(tokens, numbers int) int64 { return 4*int64(tokens) + 4*int64(numbers) }
