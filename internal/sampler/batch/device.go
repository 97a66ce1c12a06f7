package batch

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// batchOn is batch with its counts on a device and its tokens there as far as they fit (see batchPlan).
type batchOn struct {
	blocks
	on         *batchShared
	loads      []*batchLoad // the whole corpus
	fewOf      fewShares
	places     *device.Buffer[uint32] // N: where tokens of the corpus are drawn; nil: the device has no room for it
	histograms *sampler.DeviceHistograms
	pseudo     [2]*sampler.PseudoOn // of n_wk and of n_k

	// The state at the last Fetch.
	z    []uint16 // N, drawing order, or that of the corpus if there are places
	lent bool     // somebody else has z now
	nwk  []uint32 // V × pad
	nk   []uint32 // K
}

// newBatchOn implements Info.NewOn.
func newBatchOn(p *sampler.Problem, d *device.Device) (sampler.Remote, error) {
	if err := batchOnFault(p); err != nil {
		return nil, err
	}
	d.Prepare("batch_order", "batch_order_positions", "batch_order_words", "batch_order_places", "batch_order_start")
	d.Prepare("batch", "batch_prepare", "batch_count")
	if d.Prepare("statistics", "statistics_rows_16", "statistics_table"); p.Groups != nil {
		d.Prepare("statistics", "statistics_groups")
		d.Prepare("regression", "regression_alpha", "regression_bounds", "regression_rises", "regression_listed",
			"regression_step")
	}
	s := layBatchOn(p, d)
	d.Prepare(s.on.drawKernel())
	if p.K <= fewTopics {
		d.Prepare(s.on.fewKernel())
	}
	plan, err := s.on.plan(s.grid.Blocks)
	if err == nil {
		err = s.upload(plan)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// layBatchOn takes nothing on the device yet.
func layBatchOn(p *sampler.Problem, d *device.Device) *batchOn {
	limits := draw32.Limits(p.CorpusTokens(), draw32.PaddedTopics(p.K))
	return &batchOn{blocks: newBlocks(p, limits), on: newBatchShared(p, d), fewOf: fewShares{}, nk: make([]uint32, p.K)}
}

// batchOnFault returns why a problem, or parts of it, cannot be sampled on a device.
func batchOnFault(p *sampler.Problem) error {
	freshness, err := ParseFreshness(p.Tuning.Fresh)
	switch {
	case err != nil:
		return err
	case p.Few:
		return fmt.Errorf("training with labels %w: train with Options.Device = cpu", sampler.ErrNotOnDevice)
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
	if err := s.on.device.Reserve(plan.bytes, plan.keys(s.p, s.grid)...); err != nil {
		return err
	}
	s.on.open()
	s.on.growModel(s.p.V)
	s.histograms = sampler.NewDeviceHistograms(s.p, a)
	s.pseudo[0] = sampler.PseudoRowsOn(a, s.p.Pseudo, 1, func(w int, k uint32) (uint64, bool) {
		return uint64(w)*uint64(s.on.pad) + uint64(k), true
	})
	s.pseudo[1] = sampler.PseudoTotalsOn(a, s.p.Pseudo)
	for range plan.slots {
		room := &batchRoom{batchLane: s.on.newLane(plan.slotBlocks)}
		room.grow(a, plan.most)
		s.on.conveyor.AddSlot(room, device.OneLane(a.Queue()))
	}
	lane := s.on.newLane(plan.blocks) // loads that stay are drawn one after the other
	feed := s.on.device.NewFeed()
	for i, span := range plan.loads {
		load := &batchLoad{Span: span}
		s.loads = append(s.loads, load)
		if plan.stays[i] {
			load.home = s.on.settle(&s.blocks, feed, span, lane)
		} else {
			load.stage.grow(a, span)
		}
		if a.Err() == nil && !plan.stays[i] {
			load.fill(&s.blocks)
		}
	}
	if plan.places && a.Err() == nil {
		s.places = s.on.placesOf(&s.blocks, plan.loads[0], s.loads[0].home)
	}
	return device.FirstError(a.Err(), feed.Close())
}

func (s *batchOn) Start(z []uint32, _ *sampler.Priors) error {
	d := s.on.device
	err := device.FirstError(s.on.nwk.Zero(), s.on.nk.Zero(), s.pseudo[0].Add(d, s.on.nwk), s.pseudo[1].Add(d, s.on.nk),
		s.startTopics(z), s.on.frozen.Set(d.Main()))
	for _, load := range s.loads {
		err = device.FirstError(err, s.countLoad(load))
	}
	return device.FirstError(err, s.on.wait())
}

// startTopics sets the first topics.
func (s *batchOn) startTopics(z []uint32) error {
	if s.places != nil {
		return s.startOn(z)
	}
	for _, load := range s.loads {
		first := s.firstTopics(load.Span, z)
		err := load.kept().Set(func(topics []uint16) {
			s.eachDrawn(load.Span,
				func(a, b int) { copy(topics[a-load.Begin:b-load.Begin], first[a-load.Begin:]) },
				func(corpus, drawn int) { topics[drawn-load.Begin] = first[corpus-load.Begin] })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// startOn sets the first topics of all tokens, z in the order of the corpus if there is one.
func (s *batchOn) startOn(z []uint32) error {
	n, d, key := s.p.N(), s.on.device, rng.NewKey(s.p.Seed)
	if z != nil {
		home := s.loads[0].home
		return device.FirstError(home.before.Upload(s.firstTopics(s.loads[0].Span, z)),
			s.on.copyTopics(home, s.places, false))
	}
	return d.Launch("batch_order", "batch_order_start", device.Spread(d, n/4+1, 256, 0, 16),
		s.loads[0].home.topics, s.places, uint32(n), uint32(s.p.K), key[0], key[1], uint32(sampler.ForStart))
}

// firstTopics are the topics that a load begins with, in corpus order: those of z if there is one.
func (s *batchOn) firstTopics(load sampler.Span, z []uint32) []uint16 {
	topics := make([]uint16, load.Tokens())
	if z == nil {
		sampler.RandomTopics(s.p, load.Begin, topics)
		return topics
	}
	parallel.Runs(s.p.Threads, len(topics), func(first, last int) {
		for i, k := range z[load.Begin+first : load.Begin+last] {
			topics[first+i] = uint16(k)
		}
	})
	return topics
}

// countLoad adds the load's tokens to n_wk and n_k.
func (s *batchOn) countLoad(load *batchLoad) error {
	shared, flag := totalsShared(s.p.K)
	return s.on.pass(load, wholeLoad(load.Span), false, func(room *batchRoom, q *device.Queue) error {
		return q.Launch("batch", "batch_count", device.Spread(s.on.device, load.Tokens(), 256, shared, 8), room.words,
			room.topics, uint32(load.Tokens()), s.on.nwk, s.on.nk, uint32(s.p.K), uint32(s.on.pad), flag)
	})
}

func (s *batchOn) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	if err := s.on.setAlpha(priors); err != nil {
		return err
	}
	n := s.p.Batches(iteration, priors)
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
		if share, ok := shareOf(s.grid.Blocks, load.Span, first, last); ok {
			if err := s.drawLoad(load, share, iteration); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawLoad draws tokens of a load, and counts them.
func (s *batchOn) drawLoad(load *batchLoad, share loadShare, iteration int) error {
	var docs *fewDocs
	if load.home != nil {
		var err error
		if docs, err = s.fewOf.docs(s.on, load.Span, share); err != nil {
			return err
		}
	}
	return s.on.pass(load, share, true, func(room *batchRoom, q *device.Queue) error {
		if docs != nil {
			return s.on.drawFew(room, q, docs, load.Span, iteration)
		}
		err := s.on.Draw(room, q, share, load.Span, iteration)
		if err != nil || s.on.drawing.Counts {
			return err
		}
		shared, flag := totalsShared(s.p.K)
		return q.Launch("batch", "batch_update", device.Spread(s.on.device, share.end-share.begin, 256, shared, 8),
			room.words, room.topics, room.before,
			uint32(share.begin), uint32(share.end), s.on.nwk, s.on.nk, uint32(s.p.K), uint32(s.on.pad), flag)
	})
}

func (s *batchOn) Close() error { return s.on.arena.Close() }
