package batch

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// batchOn is batch with its counts on a device and its tokens there as far as they
// fit (see batchPlan).
type batchOn struct {
	blocks
	on         *batchShared
	loads      []*batchLoad           // the whole corpus
	fewOf      map[[2]int]*fewDocs    // by first and last document of a share
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
	d.Prepare("statistics", "statistics_rows_16", "statistics_table")
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
	return &batchOn{blocks: newBlocks(p, limits), on: newBatchShared(p, d), fewOf: map[[2]int]*fewDocs{}, nk: make([]uint32, p.K)}
}

// batchOnFault says why a problem, or parts of it, cannot be sampled on a device.
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
			load.home = s.settle(feed, span, lane)
		} else {
			load.stage.grow(a, span)
		}
		if a.Err() == nil && !plan.stays[i] {
			load.fill(s)
		}
	}
	if plan.places && a.Err() == nil {
		s.places = s.placesOf(plan.loads[0], s.loads[0].home)
	}
	return device.FirstError(a.Err(), feed.Close())
}

// Start implements Sampler.
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

// firstTopics are the topics that a load begins with, in corpus order: those of z if there
// is one.
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
	return s.pass(load, wholeLoad(load.Span), false, func(room *batchRoom, q *device.Queue) error {
		return q.Launch("batch", "batch_count", device.Spread(s.on.device, load.Tokens(), 256, shared, 8), room.words, room.topics, uint32(load.Tokens()),
			s.on.nwk, s.on.nk, uint32(s.p.K), uint32(s.on.pad), flag)
	})
}

// Sweep implements Sampler.
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
	docs, err := s.few(load, share)
	if err != nil {
		return err
	}
	return s.pass(load, share, true, func(room *batchRoom, q *device.Queue) error {
		if docs != nil {
			return s.on.drawFew(room, q, docs, load.Span, iteration)
		}
		err := s.on.Draw(room, q, share, load.Span, iteration)
		if err != nil || s.on.drawing.Counts {
			return err
		}
		shared, flag := totalsShared(s.p.K)
		return q.Launch("batch", "batch_update", device.Spread(s.on.device, share.end-share.begin, 256, shared, 8), room.words, room.topics, room.before,
			uint32(share.begin), uint32(share.end), s.on.nwk, s.on.nk, uint32(s.p.K), uint32(s.on.pad), flag)
	})
}

// Fetch implements Remote.
func (s *batchOn) Fetch() error {
	if s.z == nil || s.lent {
		s.z, s.lent = make([]uint16, s.p.N()), false
	}
	if s.nwk == nil {
		s.nwk = make([]uint32, s.p.V*s.on.pad)
	}
	if err := s.fetchTopics(); err != nil {
		return err
	}
	return device.FirstError(s.on.nwk.Download(s.nwk), s.on.nk.Download(s.nk))
}

// fetchTopics brings z from the device.
func (s *batchOn) fetchTopics() error {
	if s.places != nil {
		return s.fetchInOrder(s.z)
	}
	for _, load := range s.loads {
		if err := load.kept().GetInto(s.z[load.Begin:load.End]); err != nil {
			return err
		}
	}
	return nil
}

// Capabilities implements Sampler.
func (s *batchOn) Capabilities() sampler.Capabilities {
	return sampler.Capabilities{NarrowTopics: s.NarrowTopics, LendTopics: s.LendTopics, Statistics: s.Statistics, Excerpt: s.Excerpt}
}

// LendTopics is for sampler.Capabilities.
func (s *batchOn) LendTopics() []uint16 {
	if s.places == nil {
		return nil
	}
	s.lent = true
	return s.z
}

// Topics implements Sampler.
func (s *batchOn) Topics(z []uint32) {
	s.eachFetched(func(first, last int) {
		for i := first; i < last; i++ {
			z[i] = uint32(s.z[i])
		}
	}, func(corpus, drawn int) { z[corpus] = uint32(s.z[drawn]) })
}

// NarrowTopics is for sampler.Capabilities.
func (s *batchOn) NarrowTopics(z []uint16) {
	s.eachFetched(func(first, last int) { copy(z[first:last], s.z[first:]) }, func(corpus, drawn int) { z[corpus] = s.z[drawn] })
}

// eachFetched tells the places of all tokens in the corpus and in z, as eachDrawn does.
func (s *batchOn) eachFetched(same func(first, last int), other func(corpus, drawn int)) {
	if s.places != nil {
		parallel.Runs(s.p.Threads, s.p.N(), same)
		return
	}
	for _, load := range s.loads {
		s.eachDrawn(load.Span, same, other)
	}
}

// AppendRow implements Sampler.
func (s *batchOn) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	for k, n := range s.nwk[w*s.on.pad : w*s.on.pad+s.p.K] {
		if n > 0 {
			dst = append(dst, counts.Entry{Topic: uint32(k), Count: n})
		}
	}
	return dst
}

// TopicTotals implements Sampler.
func (s *batchOn) TopicTotals() []uint64 {
	totals := make([]uint64, s.p.K)
	for k, n := range s.nk {
		totals[k] = uint64(n)
	}
	return totals
}

// Histograms implements Sampler; Statistics counts on the device.
func (s *batchOn) Histograms() *counts.Histograms {
	here, z := makeBatch(s.p), make([]uint32, s.p.N())
	s.Topics(z)
	here.setTopics(z, nil)
	here.Recount()
	return here.Histograms()
}

// Close implements Remote.
func (s *batchOn) Close() error { return s.on.arena.Close() }
