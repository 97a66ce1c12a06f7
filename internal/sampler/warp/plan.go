package warp

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

// warpPlan says how a corpus passes through a device. It never changes a result.
type warpPlan struct {
	places   []uint32            // V × 2: places of Model in warp_stream.cu
	sorted   []uint32            // words with lists of two topics or more
	hot      int                 // words with sums
	listed   int                 // topics in lists
	longest  int                 // topics of the longest list
	segments []warpBlockSegments // of all blocks, from the problem's first on

	loads   []sampler.Span
	stays   []bool // loads: whether it stays on the device
	most    int    // tokens of the largest load
	numbers int    // in the lists of the load with most of them
	slots   int
}

// warpBlockSegments are the segments of a block in the order of its tokens.
type warpBlockSegments []struct{ word, begin uint32 }

const (
	warpSlots    = 3       // one load arrives, one is worked on, one leaves
	warpLoadMost = 8 << 20 // tokens of a load: more would not hide more
	warpDense    = layout.WarpStreamDense
)

// plan makes what the device has room for stay there, evenly among what passes through,
// so that there is always something to copy and something to work on.
func (s *warpStream) plan() (*warpPlan, error) {
	room, err := s.on.device.Room()
	if err != nil {
		return nil, err
	}
	plan := s.modelPlan()
	model := 2 * (int64(plan.hot)*int64(4*(s.p.K+1)+2*warpStreamGuide) + 2*int64(plan.listed))
	fixed := model + 12*int64(s.p.V) + 4*int64(len(plan.sorted)) + 24*int64(s.p.K) + 4*int64(s.on.scratches())*int64(s.p.K) + 4
	in := s.on.fitLoads(s.warp, plan, room-fixed)
	if in > room-fixed {
		return nil, fmt.Errorf("the device's memory is too small for warp: twice %d rows of %d topics and %d topics of rarer words are %s, tables %s, %d loads of %d tokens %s, and %s may be used: allow more with Options.DeviceMemory, ask for fewer topics, or train on the CPU (%w)",
			plan.hot, s.p.K, plan.listed, human.Bytes(model), human.Bytes(fixed-model), warpSlots, plan.most, human.Bytes(in), human.Bytes(room), cuda.ErrOutOfMemory)
	}
	plan.stay(room - fixed - in)
	return plan, nil
}

// fitLoads cuts the corpus into loads for which so many bytes suffice, if blocks allow
// it, and returns how many bytes they take.
func (s *warpShared) fitLoads(w *warp[uint16], plan *warpPlan, bytes int64) int64 {
	work := int64(2*s.stride() + 4) // bytes of a token while its load is worked on
	least := 1
	for _, b := range w.blocks {
		least = max(least, b.Tokens())
	}
	most := max(least, int(min(warpLoadMost, bytes/2/(work+warpSlots*6))))
	for {
		w.cutLoads(plan, most)
		in := work*int64(plan.most) + warpSlots*slotBytes(plan.most, plan.numbers)
		if in <= bytes || most == least {
			return in
		}
		most = max(least, most/2)
	}
}

// modelPlan gives every word of a whole corpus a row or a list.
func (s *warpStream) modelPlan() *warpPlan {
	plan := &warpPlan{segments: s.blockSegments()}
	totals := make([]uint32, s.p.V)
	for w := range totals {
		totals[w] = s.tokensOf(w)
	}
	plan.placeRows(totals, s.p.K)
	return plan
}

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

// placeRows gives words with so many tokens rows of k topics or lists.
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
		p.longest = max(p.longest, int(n))
		if n > 1 {
			p.sorted = append(p.sorted, uint32(w))
		}
	}
}

// cutLoads cuts the corpus into loads of at most so many tokens, or one block.
func (s *warp[T]) cutLoads(plan *warpPlan, most int) {
	plan.loads, plan.most, plan.numbers = sampler.CutBlocks(s.blocks, s.firstBlock, most), 0, 0
	for _, load := range plan.loads {
		plan.most, plan.numbers = max(plan.most, load.Tokens()), max(plan.numbers, s.listNumbers(plan, load))
	}
}

// listNumbers bounds the numbers in a load's lists.
func (s *warp[T]) listNumbers(plan *warpPlan, load sampler.Span) int {
	n := (layout.Size[grouping.Group]()+1)*load.Docs() + 2*((load.Tokens()+31)/32) + load.LastBlock + 1 + load.Tokens()>>16 + 1
	for b := load.FirstBlock; b < load.LastBlock; b++ {
		n += len(plan.segments[b-s.firstBlock])
	}
	return n
}

func slotBytes(tokens, numbers int) int64 { return 4*int64(tokens) + 4*int64(numbers) }

// stay chooses as many loads as fit into so many bytes.
func (p *warpPlan) stay(bytes int64) {
	n := int(min(int64(len(p.loads)), bytes/slotBytes(p.most, p.numbers)))
	p.stays = sampler.Evenly(n, len(p.loads))
	p.slots = min(warpSlots, len(p.loads)-n)
}
