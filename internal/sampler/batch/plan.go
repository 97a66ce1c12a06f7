package batch

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// batchPlan describes which loads, runs of blocks of the corpus, stay on the device and how the others pass through
// it. With room for all there is one load and no slot. It never changes a result.
type batchPlan struct {
	loads      []sampler.Span
	stays      []bool // loads: whether it stays on the device
	blocks     int    // of threads that draw loads that stay
	slots      int
	most       sampler.Span // as large as the largest load: its tokens and documents
	slotBlocks int          // of threads that draw a load in a slot
	places     bool         // the device has a list of tokens' places (see placesOf), where there is room for all
	bytes      int64        // of the device's memory: what is taken, or all of it if not all loads stay
}

const (
	batchLoadMost  = 4 << 20 // tokens of a load: more would not hide more
	batchLoadShare = 8       // of the memory that is left for loads, an eighth for each
	batchTokenSize = 4 + 4 + 2 + 2
	batchDocSize   = 4 + 4 // while positions are made
)

// batchSlots is how many loads are under way: a few are drawn at once, the ends of some beside the beginnings of
// others, while others come and go. With many topics few documents are drawn at once, and more loads than four only
// disturb each other: on an H200 at K = 1024 a sweep took 69 ms with four slots and 100 with eight, at K = 128 34 ms
// with four and 28 with eight.
func (s *batchShared) batchSlots() int {
	if s.drawing.Counts {
		return 8
	}
	return 4
}

// plan makes what the device has room for stay there, beside slots for the rest. Loads that stay are spread evenly over
// the corpus and drawn by a share of the device's threads: they are then done at about the same time as those that pass
// through, and copies have the whole sweep.
func (s *batchShared) plan(blocks []grid.Block) (*batchPlan, error) {
	room, err := s.device.Room()
	if err != nil {
		return nil, err
	}
	processors, slots := s.device.Processors(), s.batchSlots()
	all := 12 * processors
	model, histograms := s.modelBytes(s.p.V)+sampler.PseudoBytes(s.p.Pseudo), sampler.HistogramBytes(s.p)
	if !s.fixed {
		all = max(slots+1, int(min(int64(all), (room-model-histograms)/4/s.scratch(1))))
	}
	left := room - model - histograms - s.scratch(all)
	plan := new(batchPlan)
	if plan.cut(blocks, s.p.N()+1); slotSize(plan.most) <= left {
		plan.stays, plan.blocks = []bool{true}, all
		plan.bytes = room - left + slotSize(plan.most)
		if list := 4 * int64(s.p.N()); list > 0 && 2*list <= room-plan.bytes { // twice while it is made
			plan.places, plan.bytes = true, plan.bytes+list
		}
		return plan, nil
	}
	in := plan.fit(blocks, slots, left)
	if in > left {
		return nil, fmt.Errorf("the device's memory is too small for batch: %d words by %d topics of 8 bytes are %s, histograms %s, sums of rows %s, %d loads of %d tokens %s, and %s may be used: allow more with Options.DeviceMemory, ask for fewer topics, or train on the CPU (%w)",
			s.p.V, s.pad, human.Bytes(model), human.Bytes(histograms), human.Bytes(s.scratch(all)), slots,
			plan.most.End, human.Bytes(in), human.Bytes(room), cuda.ErrOutOfMemory)
	}
	plan.stay(slots, left-in)
	if s.fixed {
		all = s.drawing.Blocks * processors
	} else {
		all /= slots // every slot has scratch of its own
	}
	plan.blocks = max(1, int(float64(plan.share()*float64(all))+0.5))
	plan.slotBlocks = max(1, all-plan.blocks)
	plan.bytes = room
	return plan, nil
}

// modelBytes returns the bytes of the counts of v words, n_k, the priors and the groups of documents.
func (s *batchShared) modelBytes(v int) int64 {
	bytes := int64(v)*int64(s.pad)*8 + int64(s.pad)*(8+4*int64(s.alphaRows())) + 4*int64(len(s.p.Groups))
	if s.p.Rows != nil {
		bytes += 8 * int64(len(s.p.Rows)+s.p.K) * int64(len(s.p.Rows[0]))
	}
	return bytes
}

// fit cuts blocks into loads of which so many fit into the given number of bytes, if blocks
// allow it, and returns how many bytes they take.
func (p *batchPlan) fit(blocks []grid.Block, slots int, bytes int64) int64 {
	least := 1
	for _, b := range blocks {
		least = max(least, b.Tokens())
	}
	for most := max(least, int(min(batchLoadMost, bytes/batchLoadShare/batchTokenSize))); ; most = max(least,
		most*7/8) {
		p.cut(blocks, most)
		if in := int64(slots) * slotSize(p.most); in <= bytes || most == least {
			return in
		}
	}
}

// cut cuts blocks into loads of at most so many tokens, or one block.
func (p *batchPlan) cut(blocks []grid.Block, most int) {
	p.loads, p.most = sampler.CutBlocks(blocks, 0, most), sampler.Span{}
	for _, load := range p.loads {
		p.most.End, p.most.LastDoc = max(p.most.End, load.Tokens()), max(p.most.LastDoc, load.Docs())
	}
}

// slotSize is how many bytes a load takes on the device.
func slotSize(load sampler.Span) int64 {
	return int64(wholeFours(load.Tokens()))*batchTokenSize + int64(load.Docs()+2)*batchDocSize
}

// stay chooses as many loads as fit into so many bytes, beside slots for the others.
func (p *batchPlan) stay(slots int, bytes int64) {
	n := int(min(int64(len(p.loads)), bytes/slotSize(p.most)))
	p.stays = sampler.Evenly(n, len(p.loads))
	p.slots = min(slots, len(p.loads)-n)
}

// share is the share of the tokens that stays.
func (p *batchPlan) share() float64 {
	stays, all := 0, 0
	for i, load := range p.loads {
		if all += load.Tokens(); p.stays[i] {
			stays += load.Tokens()
		}
	}
	return float64(stays) / float64(max(1, all))
}
