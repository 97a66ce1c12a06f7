package batch

import (
	"context"
	"fmt"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// batchPartOn is batch on a part that is sampled on a device: streamed batch, whose n_wk
// comes from the frozen counts before a round.
type batchPartOn struct {
	*batchPart // without n_wk
	on         *partsOn
	plan       *batchPlan // nil before the first round
	orders     [][]uint32 // of each load
}

// partsOn is shared by parts of batch on a device.
type partsOn struct {
	*batchShared
	rows   sampler.RowSender[uint32]
	most   int // tokens of a load at most; 0 before the first part
	blocks int // of threads that draw a load
}

func newBatchPartsOn(p *sampler.Problem, d *device.Device) *sampler.PartsOn {
	return (&partsOn{batchShared: newBatchShared(p, d)}).parts()
}

// parts returns s as the plan of its parts knows it.
func (s *partsOn) parts() *sampler.PartsOn {
	return &sampler.PartsOn{Kernel: s.Kernel, Close: s.Close, Bound: func(tokens, blocks int) { s.most, s.blocks = tokens, blocks }}
}

func (s *partsOn) Kernel(p *sampler.Problem) sampler.Kernel {
	return &batchPartOn{batchPart: newBatchPart(layBatch(p)), on: s}
}

func (s *partsOn) Close() error { return device.FirstError(s.device.Wait(), s.arena.Close()) } // a round may have been given up

func (s *batchPartOn) Start(z []uint32, _ *sampler.Priors) error {
	s.setTopics(z, s.anyTopic)
	return nil
}

func (s *batchPartOn) Round(ctx context.Context, iteration, first, last int, model *sampler.Frozen,
	priors *sampler.Priors,
) error {
	s.setBlocks(first, last)
	if s.begin == s.end || s.grid.Blocks[s.begin].Begin == s.grid.Blocks[s.end-1].End {
		return nil
	}
	begin, end := s.grid.Blocks[s.begin].Begin, s.grid.Blocks[s.end-1].End
	copy(s.old[begin:end], s.z[begin:end])
	if s.plan == nil {
		if err := s.prepare(); err != nil {
			return err
		}
	}
	err := s.on.makeRoom(s.plan, s.p.V)
	if err == nil {
		err = s.take(ctx, model, priors)
	}
	if err == nil {
		err = s.on.conveyor.Drain(s.drawLoads(ctx, iteration))
	}
	return err
}

// prepare returns how the part passes through the device.
func (s *batchPartOn) prepare() error {
	plan, err := s.on.cutPart(s.p.V, s.grid.Blocks)
	if err != nil {
		return err
	}
	for _, load := range plan.loads {
		order := make([]uint32, load.Tokens())
		s.drawingOrder(load, order)
		s.orders = append(s.orders, order)
	}
	s.plan = plan
	return nil
}

// makeRoom allocates what is missing for a part with v words.
func (s *partsOn) makeRoom(plan *batchPlan, v int) error {
	if s.conveyor == nil {
		s.open()
	}
	s.growModel(v)
	for len(s.conveyor.Rooms()) < min(plan.slots, len(plan.loads)) {
		s.conveyor.AddSlot(&batchRoom{batchLane: s.newLane(s.blocks)}, device.OneLane(s.arena.Queue()))
	}
	for _, room := range s.conveyor.Rooms() {
		room.grow(s.arena, plan.most)
		room.stage.grow(s.arena, plan.most)
	}
	return s.arena.Err()
}

// take brings the frozen counts to the device and makes of them what draws work with.
func (s *batchPartOn) take(ctx context.Context, model *sampler.Frozen, priors *sampler.Priors) error {
	nk := make([]uint32, s.p.K)
	for k, n := range model.Totals {
		nk[k] = uint32(n)
	}
	if err := device.FirstError(s.on.setAlpha(priors), s.on.nk.Upload(nk)); err != nil {
		return err
	}
	err := s.on.rows.Send(ctx, s.on.arena, s.on.device.Main(), s.on.nwk, s.p.Threads, s.p.V,
		func(w int) int { return w * s.on.pad }, func(thread, word int, to []uint32) {
			w := s.workers[thread]
			w.entries = model.Rows.AppendRow(w.entries[:0], word)
			clear(to)
			for _, e := range w.entries {
				to[e.Topic] = e.Count
			}
		})
	return device.FirstError(err, s.on.freeze(s.p.V, s.p.CorpusWords(), priors.Beta))
}

// drawLoads draws the tokens of the part's round.
func (s *batchPartOn) drawLoads(ctx context.Context, iteration int) error {
	for i, load := range s.plan.loads {
		share, ok := shareOf(s.grid.Blocks, load, s.begin, s.end)
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		begin, order := load.Begin, s.orders[i][share.begin:share.end]
		err := s.on.conveyor.Pass(device.Load[batchRoom]{
			Board: func(room *batchRoom) error {
				s.board(&room.stage, load, share, s.orders[i])
				return nil
			},
			Send: func(room *batchRoom, q *device.Queue) error { return room.Send(q, &room.stage, share) },
			Work: func(room *batchRoom, q *device.Queue) error {
				return s.on.Draw(room, q, share, s.p.InCorpus(load), iteration)
			},
			Return: func(room *batchRoom, q *device.Queue) error { return room.giveBack(q, &room.stage, share) },
			Land: func(room *batchRoom) error {
				s.scatter(room.stage.topics.Slice()[share.begin:share.end], order, begin)
				return nil
			},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// board puts tokens of a load where they are sent from.
func (s *batchPartOn) board(to *batchStage, load sampler.Span, share loadShare, order []uint32) {
	copy(to.offsets.Slice(), s.offsetsFrom(load))
	parallel.Runs(s.p.Threads, share.end-share.begin, func(first, last int) {
		first, last = share.begin+first, share.begin+last
		copy(to.words.Slice()[first:last], s.p.Words[load.Begin+first:load.Begin+last])
		copy(to.positions.Slice()[first:last], order[first:last])
	})
	s.gather(to.topics.Slice()[share.begin:share.end], order[share.begin:share.end], load.Begin)
}

// cutPart cuts a part with v words into loads. All parts have loads of the same size, the first one's.
func (s *partsOn) cutPart(v int, blocks []grid.Block) (*batchPlan, error) {
	plan := &batchPlan{slots: s.batchSlots()}
	if s.most > 0 {
		plan.cut(blocks, s.most)
		return plan, nil
	}
	room, err := s.device.Room()
	if err != nil {
		return nil, err
	}
	model := s.modelBytes(v)
	s.blocks = s.drawing.Blocks * s.device.Processors()
	if !s.fixed { // every slot has scratch of its own
		all := min(int64(12*s.device.Processors()), (room-model)/4/s.scratch(1))
		s.blocks = max(1, int(all)/plan.slots)
	}
	sums := int64(plan.slots) * s.scratch(s.blocks)
	left := room - model - sums
	if in := plan.fit(blocks, plan.slots, left); in > left {
		return nil, fmt.Errorf("the device's memory is too small for a part of batch: %d words by %d topics of 8 bytes are %s, sums of rows %s, %d loads of %d tokens %s, and %s may be used: allow more with Options.DeviceMemory (%w)",
			v, s.pad, human.Bytes(model), human.Bytes(sums), plan.slots, plan.most.End, human.Bytes(in),
			human.Bytes(room), cuda.ErrOutOfMemory)
	}
	s.most = plan.most.End
	return plan, nil
}
