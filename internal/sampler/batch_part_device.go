package sampler

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/human"
)

// batchPartOn is batch on a part that is sampled on a device: streamed batch, whose n_wk
// comes from the frozen counts before a round.
type batchPartOn struct {
	*batchPart // without n_wk
	on         *batchPartsOn
	plan       *batchPlan // nil before the first round
	loads      []*batchLoad
}

// batchPartsOn is what parts of batch share on a device. The embedded form of batch is that
// of the part at work; of its fields, batch alone belongs to the part.
type batchPartsOn struct {
	*batchOn
	berths []*batchBerth // one for each slot
	rows   ferry[uint32]
	most   int // tokens of a load at most; 0 before the first part
	blocks int // of threads that draw a load
}

// batchBerth is where a load waits for its copy to a slot, and where its topics come back to.
type batchBerth struct {
	words, positions, offsets *device.Host[uint32]
	topics                    *device.Host[uint16]
	load                      *batchLoad // whose topics are not back yet, or nil
	begin, end                int        // those of its tokens that are drawn
}

func newBatchPartsOn(p *Problem, d *device.Device) partsOn {
	return &batchPartsOn{batchOn: &batchOn{device: d, pad: batchKernelFor(paddedTopics(p.K)).topics}}
}

func (s *batchPartsOn) kernel(p *Problem, _ *Layout) kernel {
	return &batchPartOn{batchPart: newBatchPart(layBatch(p)), on: s}
}

func (s *batchPartsOn) close() error {
	faults := []error{s.device.Wait(), s.Close(), s.rows.close()} // a round may have been given up
	for _, b := range s.berths {
		faults = append(faults, b.words.Free(), b.positions.Free(), b.offsets.Free(), b.topics.Free())
	}
	return errors.Join(faults...)
}

// Start implements kernel.
func (s *batchPartOn) Start(z []uint32, _ *Priors) error {
	s.setTopics(z)
	return nil
}

func (s *batchPartOn) round(ctx context.Context, iteration, first, last int, model Frozen, priors *Priors) error {
	s.setBlocks(first, last)
	if s.begin == s.end || s.grid.Blocks[s.begin].Begin == s.grid.Blocks[s.end-1].End {
		return nil
	}
	begin, end := s.grid.Blocks[s.begin].Begin, s.grid.Blocks[s.end-1].End
	copy(s.old[begin:end], s.z[begin:end])
	s.on.batch = s.batch
	if s.plan == nil {
		if err := s.prepare(); err != nil {
			return err
		}
	}
	err := s.on.makeRoom(s.plan)
	if err == nil {
		err = s.on.take(ctx, model, priors)
	}
	if err == nil {
		err = s.on.drawLoads(ctx, s, iteration)
	}
	return err
}

// prepare says how the part passes through the device.
func (s *batchPartOn) prepare() error {
	plan := new(batchPlan)
	if err := s.on.cutPart(plan); err != nil {
		return err
	}
	for _, span := range plan.loads {
		load := &batchLoad{Span: span, order: make([]uint32, span.Tokens())}
		s.on.fillOrder(load)
		s.loads = append(s.loads, load)
	}
	s.plan = plan
	return nil
}

// cutPart cuts a part into loads. All parts have loads of the same size, the first one's.
func (s *batchPartsOn) cutPart(plan *batchPlan) error {
	plan.slots = s.batchSlots()
	if s.most > 0 {
		s.cut(plan, s.most)
		return nil
	}
	room, err := s.device.Room()
	if err != nil {
		return err
	}
	kernel, processors := batchKernelFor(s.kpad), s.device.Processors()
	model := int64(s.p.V)*int64(s.pad)*8 + int64(s.pad)*12
	s.blocks = kernel.blocks * processors
	if !s.fixed() { // every slot has scratch of its own
		all := min(int64(12*processors), (room-model)/4/s.scratch(1))
		s.blocks = max(1, int(all)/plan.slots)
	}
	sums := int64(plan.slots) * s.scratch(s.blocks)
	left := room - model - sums
	least := 1
	for _, b := range s.grid.Blocks {
		least = max(least, b.Tokens())
	}
	for most := max(least, int(min(batchLoadMost, left/batchLoadShare/batchTokenSize))); ; most = max(least, most*7/8) {
		s.cut(plan, most)
		in := int64(plan.slots) * slotSize(plan.most)
		if in <= left {
			s.most = most
			return nil
		}
		if most == least {
			return fmt.Errorf("the device's memory is too small for a part of batch: %d words by %d topics of 8 bytes are %s, sums of rows %s, %d loads of %d tokens %s, and %s may be used: allow more with --device-memory (%w)",
				s.p.V, s.pad, human.Bytes(model), human.Bytes(sums), plan.slots, plan.most.End, human.Bytes(in), human.Bytes(room), cuda.ErrOutOfMemory)
		}
	}
}

// makeRoom allocates what is missing for a part.
func (s *batchPartsOn) makeRoom(plan *batchPlan) error {
	if s.frozen == nil {
		var err [4]error
		s.nkOn, err[0] = device.New[uint32](s.device, s.p.K)
		s.alphaOn, err[1] = device.From(s.device, make([]float32, s.pad))
		s.invOn, err[2] = device.From(s.device, make([]float32, s.pad))
		s.frozen, err[3] = s.device.NewMark()
		if err := firstError(err[:]...); err != nil {
			return err
		}
	}
	d, cells, tokens, docs := s.device, s.p.V*s.pad, plan.most.Tokens(), plan.most.Docs()+1
	if err := firstError(device.Grow(d, &s.nwkOn, cells), device.Grow(d, &s.weights, cells)); err != nil {
		return err
	}
	for len(s.slots) < min(plan.slots, len(plan.loads)) {
		lane, err := s.newLane(s.blocks)
		if err != nil {
			return err
		}
		slot, err := s.newTokens(plan.most, lane)
		if err != nil {
			return err
		}
		s.slots, s.berths = append(s.slots, slot), append(s.berths, &batchBerth{})
	}
	for i, t := range s.slots {
		b := s.berths[i]
		err := firstError(
			device.Grow(d, &t.words, tokens), device.Grow(d, &t.positions, tokens), device.Grow(d, &t.offsets, docs),
			device.Grow(d, &t.topics, tokens), device.Grow(d, &t.before, tokens),
			device.GrowHost(d, &b.words, tokens), device.GrowHost(d, &b.positions, tokens), device.GrowHost(d, &b.offsets, docs),
			device.GrowHost(d, &b.topics, tokens),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// take brings the frozen counts to the device and makes of them what draws work with.
func (s *batchPartsOn) take(ctx context.Context, model Frozen, priors *Priors) error {
	nk := make([]uint32, s.p.K)
	for k, n := range model.TopicTotals() {
		nk[k] = uint32(n)
	}
	if err := firstError(s.setAlpha(priors), s.nkOn.Upload(nk)); err != nil {
		return err
	}
	err := s.rows.send(ctx, s.device, s.nwkOn, s.p.Threads, s.p.V, func(w int) int { return w * s.pad },
		func(thread, word int, to []uint32) {
			w := s.workers[thread]
			w.entries = model.AppendRow(w.entries[:0], word)
			clear(to)
			for _, e := range w.entries {
				to[e.Topic] = e.Count
			}
		})
	return firstError(err, s.freeze(priors.Beta))
}

// drawLoads draws the tokens of the part's round.
func (s *batchPartsOn) drawLoads(ctx context.Context, t *batchPartOn, iteration int) error {
	err := s.passLoads(ctx, t, iteration)
	for i, b := range s.berths {
		if err == nil {
			err = s.land(b, s.slots[i])
		}
		b.load = nil
	}
	return firstError(err, s.wait())
}

func (s *batchPartsOn) passLoads(ctx context.Context, t *batchPartOn, iteration int) error {
	for _, load := range t.loads {
		first, last := max(t.begin, load.FirstBlock), min(t.end, load.LastBlock)
		if first >= last || s.grid.Blocks[first].Begin == s.grid.Blocks[last-1].End {
			continue
		}
		i := s.turn % len(s.slots)
		b := s.berths[i]
		if err := firstError(ctx.Err(), s.land(b, s.slots[i])); err != nil {
			return err
		}
		s.board(b, load, s.grid.Blocks[first].Begin-load.Begin, s.grid.Blocks[last-1].End-load.Begin)
		err := s.device.Together(func() error {
			slot, err := s.arrive(load, b.begin, b.end)
			return firstError(err, s.draw(load, slot, first, last, iteration), s.depart(load, slot, b.begin, b.end))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// board puts tokens begin … end-1 of a load into a berth.
func (s *batchPartsOn) board(b *batchBerth, load *batchLoad, begin, end int) {
	b.load, b.begin, b.end = load, begin, end
	n := load.Tokens()
	load.words, load.positions, load.topics = b.words.View(0, n), b.positions.View(0, n), b.topics.View(0, n)
	load.offsets = b.offsets.View(0, load.Docs()+1)
	copy(load.offsets.Slice(), s.offsetsOf(load))
	words, positions, topics := load.words.Slice(), load.positions.Slice(), load.topics.Slice()
	inRuns(s.p.Threads, end-begin, func(first, last int) {
		first, last = begin+first, begin+last
		copy(words[first:last], s.p.Words[load.Begin+first:load.Begin+last])
		copy(positions[first:last], load.order[first:last])
		for i := first; i < last; i++ {
			topics[i] = s.z[load.Begin+int(load.order[i])]
		}
	})
}

// land waits for the topics of the load in a berth and copies them to the part's state.
func (s *batchPartsOn) land(b *batchBerth, slot *batchTokens) error {
	load := b.load
	if load == nil {
		return nil
	}
	b.load = nil
	if err := slot.done.Wait(); err != nil {
		return err
	}
	topics := load.topics.Slice()
	inRuns(s.p.Threads, b.end-b.begin, func(first, last int) {
		for i := b.begin + first; i < b.begin+last; i++ {
			s.z[load.Begin+int(load.order[i])] = topics[i]
		}
	})
	return nil
}
