package batch

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// batchOn is batch with its counts on a device and its tokens there as far as they
// fit (see batchPlan). The embedded batch is the state at the last Fetch.
type batchOn struct {
	*batch
	on         *batchShared
	loads      []*batchLoad        // the whole corpus
	fewOf      map[[2]int]*fewDocs // by first and last document of a run
	histograms *sampler.DeviceHistograms
}

// newBatchOn implements Info.NewOn.
func newBatchOn(p *sampler.Problem, d *device.Device) (sampler.Remote, error) {
	if err := batchOnFault(p); err != nil {
		return nil, err
	}
	s := &batchOn{batch: makeBatch(p), on: newBatchShared(p, d), fewOf: map[[2]int]*fewDocs{}}
	plan, err := s.on.plan(s.grid.Blocks)
	if err == nil {
		err = s.upload(plan)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// batchOnFault says why a problem, or parts of it, cannot be sampled on a device.
func batchOnFault(p *sampler.Problem) error {
	freshness, err := ParseFreshness(p.Tuning.Fresh)
	switch {
	case err != nil:
		return err
	case freshness == panelFreshness:
		return fmt.Errorf("batch with these counts %w: train it with Options.Device = cpu, or with sampler panel, which is not repeatable on a GPU", sampler.ErrNotOnDevice)
	case freshness != batchFreshness || p.Tuning.OwnCount == "in":
		return fmt.Errorf("batch with these counts %w: train it with Options.Device = cpu", sampler.ErrNotOnDevice)
	}
	return state.TokensFit(p)
}

// upload allocates everything and copies what never changes.
func (s *batchOn) upload(plan *batchPlan) error {
	a := s.on.arena
	s.on.open()
	s.on.growModel(s.p.V)
	s.histograms = sampler.NewDeviceHistograms(s.p, a)
	for range plan.slots {
		room := &batchRoom{batchLane: s.on.newLane(plan.slotBlocks)}
		room.grow(a, plan.most)
		s.on.conveyor.AddSlot(room, device.OneLane(a.Queue()))
	}
	lane := s.on.newLane(plan.blocks) // loads that stay are drawn one after the other
	for i, span := range plan.loads {
		load := &batchLoad{Span: span}
		s.loads = append(s.loads, load)
		if plan.stays[i] {
			load.home = &batchRoom{batchLane: lane}
			load.home.grow(a, span)
		} else {
			load.stage.grow(a, span)
		}
		if err := a.Err(); err != nil {
			return err
		}
		if err := s.fill(load); err != nil {
			return err
		}
	}
	return a.Err()
}

// Start implements Sampler.
func (s *batchOn) Start(z []uint32, _ *sampler.Priors) error {
	s.setTopics(z, s.anyTopic)
	if err := device.FirstError(s.on.nwk.Zero(), s.on.nk.Zero(), s.on.frozen.Set(s.on.device.Main())); err != nil {
		return err
	}
	for _, load := range s.loads {
		err := load.kept().Set(func(topics []uint16) { s.gather(topics, load.order, load.Begin) })
		if err = device.FirstError(err, s.countLoad(load)); err != nil {
			return err
		}
	}
	return s.on.wait()
}

// countLoad adds the load's tokens to n_wk and n_k.
func (s *batchOn) countLoad(load *batchLoad) error {
	shared, flag := totalsShared(s.p.K)
	return s.pass(load, wholeRun(load.Span), false, func(room *batchRoom, q *device.Queue) error {
		return q.Launch("batch", "batch_count", device.Spread(s.on.device, load.Tokens(), 256, shared, 8), room.words, room.topics, uint32(load.Tokens()),
			s.on.nwk, s.on.nk, uint32(s.p.K), uint32(s.on.pad), flag)
	})
}

// Sweep implements Sampler.
func (s *batchOn) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	if err := s.on.setAlpha(priors); err != nil {
		return err
	}
	n := sampler.BatchesIn(s.p.Tuning, iteration)
	err := s.on.device.Together(func() error {
		for _, r := range s.BatchesIn(n) {
			if err := s.miniBatch(r[0], r[1], iteration, priors.Beta); err != nil {
				return err
			}
		}
		return nil
	})
	return device.FirstError(err, s.on.wait())
}

// miniBatch puts the draws of a run of blocks and the update of counts into queues.
func (s *batchOn) miniBatch(first, last, iteration int, beta float64) error {
	if s.grid.Blocks[first].Begin == s.grid.Blocks[last-1].End {
		return nil
	}
	if err := s.on.freeze(s.p.V, s.p.V, beta); err != nil {
		return err
	}
	for _, load := range s.loads {
		if run, ok := runOf(s.grid.Blocks, load.Span, first, last); ok {
			if err := s.drawLoad(load, run, iteration); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawLoad draws tokens of a load, and counts them.
func (s *batchOn) drawLoad(load *batchLoad, run batchRun, iteration int) error {
	docs, err := s.few(load, run)
	if err != nil {
		return err
	}
	return s.pass(load, run, true, func(room *batchRoom, q *device.Queue) error {
		if docs != nil {
			return s.on.drawFew(room, q, docs, load.Begin, iteration)
		}
		err := s.on.Draw(room, q, run, load.Begin, iteration)
		if err != nil || s.on.drawing.Counts {
			return err
		}
		shared, flag := totalsShared(s.p.K)
		return q.Launch("batch", "batch_update", device.Spread(s.on.device, run.end-run.begin, 256, shared, 8), room.words, room.topics, room.before,
			uint32(run.begin), uint32(run.end), s.on.nwk, s.on.nk, uint32(s.p.K), uint32(s.on.pad), flag)
	})
}

// Fetch implements Remote.
func (s *batchOn) Fetch() error {
	for _, load := range s.loads {
		if err := load.kept().Get(func(topics []uint16) { s.scatter(topics, load.order, load.Begin) }); err != nil {
			return err
		}
	}
	s.Recount()
	return nil
}

// Close implements Remote.
func (s *batchOn) Close() error { return s.on.arena.Close() }
