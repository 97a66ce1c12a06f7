package sampler

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/human"
)

// batchPlan says which loads, runs of blocks of the corpus, stay on the device and how the others pass
// through it. With all of it there is one load and no slot. It never changes a result.
type batchPlan struct {
	loads      [][2]int // as ranges of blocks
	resident   int      // so many of the first loads stay
	blocks     int      // of threads that draw tokens that stay
	slots      int
	slotTokens int // most tokens, and documents, of a load that passes through a slot
	slotBlocks int // of threads that draw tokens in a slot
}

const (
	batchSlots     = 4       // one arrives, two are drawn, the end of one beside the beginning of the next, one leaves
	batchSlotMost  = 8 << 20 // tokens of a slot: more would not hide more
	batchTokenSize = 4 + 4 + 2 + 2
	batchDocSize   = 4
)

// plan makes what the device has room for stay there. What is left passes through
// slots, beside which a share of the device's threads draws the tokens that stay: both
// are then done at about the same time, and copies have the whole sweep.
func (s *batchOn) plan() (*batchPlan, error) {
	room, err := s.device.Room()
	if err != nil {
		return nil, err
	}
	kernel, processors := batchKernelFor(s.kpad), s.device.Processors()
	all := 12 * processors
	model := int64(s.p.V)*int64(s.pad)*8 + int64(s.pad)*12
	scratch := func(blocks int) int64 {
		if s.fixed() {
			return 0
		}
		return int64(blocks) * batchWarps * 3 * 4 * int64(s.pad)
	}
	if !s.fixed() {
		all = max(batchSlots+1, int(min(int64(all), (room-model)/4/scratch(1))))
	}
	left := room - model - scratch(all)
	if int64(s.p.N())*batchTokenSize+int64(s.p.D()+1)*batchDocSize <= left {
		return &batchPlan{loads: [][2]int{{0, len(s.grid.Blocks)}}, resident: 1, blocks: all}, nil
	}
	least := 1
	for _, b := range s.grid.Blocks {
		least = max(least, b.Tokens(), b.Docs())
	}
	const each = batchTokenSize + batchDocSize // bytes of a slot for a token and a document
	if need := int64(least) * each * batchSlots; need > left {
		return nil, fmt.Errorf("the device's memory is too small for batch: %d words by %d topics of 8 bytes are %s, sums of rows %s, %d parts of %d tokens of %d bytes %s, and %s may be used: allow more with --device-memory, ask for fewer topics, or train on the CPU (%w)",
			s.p.V, s.pad, human.Bytes(model), human.Bytes(scratch(all)), batchSlots, least, each, human.Bytes(need), human.Bytes(room), cuda.ErrOutOfMemory)
	}
	plan := &batchPlan{slots: batchSlots, slotTokens: max(least, int(min(batchSlotMost, left/2/batchSlots/each)))}
	stay := s.staying(left - int64(plan.slotTokens)*each*batchSlots)
	share := float64(s.tokensBefore(stay)) / float64(s.p.N())
	plan.shareBlocks(share, kernel.blocks*processors, all, s.fixed())
	if stay > 0 {
		plan.loads, plan.resident = [][2]int{{0, stay}}, 1
	}
	for first := stay; first < len(s.grid.Blocks); {
		last := s.loadEnd(first, plan.slotTokens)
		plan.loads = append(plan.loads, [2]int{first, last})
		first = last
	}
	return plan, nil
}

// shareBlocks deals out the blocks of threads that run at once.
func (p *batchPlan) shareBlocks(share float64, atOnce, all int, fixed bool) {
	if !fixed {
		atOnce = all / batchSlots // every slot has its own scratch
	}
	p.blocks = max(1, int(share*float64(atOnce)+0.5))
	p.slotBlocks = max(1, atOnce-p.blocks)
}

// staying returns how many of the first blocks fit into so many bytes.
func (s *batchOn) staying(bytes int64) int {
	for i, b := range s.grid.Blocks {
		if int64(b.End)*batchTokenSize+int64(b.LastDoc+1)*batchDocSize > bytes {
			return i
		}
	}
	return len(s.grid.Blocks)
}

func (s *batchOn) tokensBefore(block int) int {
	if block == 0 {
		return 0
	}
	return s.grid.Blocks[block-1].End
}

// loadEnd returns the block after the last one of the load that begins with block
// first: at least one block, and together at most so many tokens and documents.
func (s *batchOn) loadEnd(first, most int) int {
	b := s.grid.Blocks[first]
	last := first + 1
	for last < len(s.grid.Blocks) && s.grid.Blocks[last].End-b.Begin <= most && s.grid.Blocks[last].LastDoc-b.FirstDoc <= most {
		last++
	}
	return last
}
