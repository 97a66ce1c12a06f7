package sampler

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/human"
)

// batchPlan says which loads, runs of blocks of the corpus, stay on the device and how
// the others pass through it. With room for all there is one load and no slot. It never
// changes a result.
type batchPlan struct {
	loads      []Span
	stays      []bool // loads: whether it stays on the device
	blocks     int    // of threads that draw loads that stay
	slots      int
	most       Span // as large as the largest load: its tokens and documents
	slotBlocks int  // of threads that draw a load in a slot
}

const (
	batchLoadMost  = 4 << 20 // tokens of a load: more would not hide more
	batchLoadShare = 8       // of the memory that is left for loads, an eighth for each
	batchTokenSize = 4 + 4 + 2 + 2
	batchDocSize   = 4
)

// batchSlots is how many loads are under way: a few are drawn at once, the ends of some
// beside the beginnings of others, while others come and go. With many topics few
// documents are drawn at once, and more loads than four only disturb each other: on an
// H200 at K = 1024 a sweep took 69 ms with four slots and 100 with eight, at K = 128 34 ms
// with four and 28 with eight.
func (s *batchOn) batchSlots() int {
	if s.pad <= batchCounts {
		return 8
	}
	return 4
}

// plan makes what the device has room for stay there, beside slots for the rest. Loads
// that stay are spread evenly over the corpus and drawn by a share of the device's
// threads: they are then done at about the same time as those that pass through, and
// copies have the whole sweep.
func (s *batchOn) plan() (*batchPlan, error) {
	room, err := s.device.Room()
	if err != nil {
		return nil, err
	}
	kernel, processors, slots := batchKernelFor(s.kpad), s.device.Processors(), s.batchSlots()
	all := 12 * processors
	model, histograms := int64(s.p.V)*int64(s.pad)*8+int64(s.pad)*12, histogramBytes(s.p)
	if !s.fixed() {
		all = max(slots+1, int(min(int64(all), (room-model-histograms)/4/s.scratch(1))))
	}
	left := room - model - histograms - s.scratch(all)
	plan := new(batchPlan)
	if s.cut(plan, s.p.N()+1); slotSize(plan.most) <= left {
		plan.stays, plan.blocks = []bool{true}, all
		return plan, nil
	}
	least := 1
	for _, b := range s.grid.Blocks {
		least = max(least, b.Tokens())
	}
	for most := max(least, int(min(batchLoadMost, left/batchLoadShare/batchTokenSize))); ; most = max(least, most*7/8) {
		s.cut(plan, most)
		if in := int64(slots) * slotSize(plan.most); in <= left {
			s.stay(plan, left-in)
			break
		} else if most == least {
			return nil, fmt.Errorf("the device's memory is too small for batch: %d words by %d topics of 8 bytes are %s, histograms %s, sums of rows %s, %d loads of %d tokens %s, and %s may be used: allow more with --device-memory, ask for fewer topics, or train on the CPU (%w)",
				s.p.V, s.pad, human.Bytes(model), human.Bytes(histograms), human.Bytes(s.scratch(all)), slots, plan.most.End, human.Bytes(in), human.Bytes(room), cuda.ErrOutOfMemory)
		}
	}
	if s.fixed() {
		all = kernel.blocks * processors
	} else {
		all /= slots // every slot has scratch of its own
	}
	plan.blocks = max(1, int(plan.share()*float64(all)+0.5))
	plan.slotBlocks = max(1, all-plan.blocks)
	return plan, nil
}

// scratch is how many bytes so many blocks of threads need for rows that registers have
// no room for.
func (s *batchOn) scratch(blocks int) int64 {
	if s.fixed() {
		return 0
	}
	return int64(blocks) * batchWarps * 3 * 4 * int64(s.pad)
}

// cut cuts the corpus into loads of at most so many tokens, or one block.
func (s *batchOn) cut(plan *batchPlan, most int) {
	plan.loads, plan.most = nil, Span{}
	for first := 0; first < len(s.grid.Blocks); {
		b, last := s.grid.Blocks[first], first+1
		for last < len(s.grid.Blocks) && s.grid.Blocks[last].End-b.Begin <= most {
			last++
		}
		e := s.grid.Blocks[last-1]
		load := Span{FirstDoc: b.FirstDoc, LastDoc: e.LastDoc, Begin: b.Begin, End: e.End, FirstBlock: first, LastBlock: last}
		plan.loads = append(plan.loads, load)
		plan.most.End, plan.most.LastDoc = max(plan.most.End, load.Tokens()), max(plan.most.LastDoc, load.Docs())
		first = last
	}
}

// slotSize is how many bytes a load takes on the device.
func slotSize(load Span) int64 {
	return int64(load.Tokens())*batchTokenSize + int64(load.Docs()+2)*batchDocSize
}

// stay chooses as many loads as fit into so many bytes.
func (s *batchOn) stay(plan *batchPlan, bytes int64) {
	n := int(min(int64(len(plan.loads)), bytes/slotSize(plan.most)))
	plan.stays = evenly(n, len(plan.loads))
	plan.slots = min(s.batchSlots(), len(plan.loads)-n)
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

// evenly chooses n of count things, spread evenly.
func evenly(n, count int) []bool {
	chosen := make([]bool, count)
	for i := range chosen {
		chosen[i] = (i+1)*n/count > i*n/count
	}
	return chosen
}
