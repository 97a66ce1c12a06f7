package warp

import (
	"context"
	"errors"
	"math"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// warpStream is warp for a corpus that does not fit on a device: it passes through in
// loads. The embedded warp is the state at the last Fetch.
//
// The rows of words, which a load cannot count, are a model on the device: one that is
// frozen for the iteration and one that is being made of new topics.
type warpStream struct {
	*warp[uint16]
	on    *warpShared
	loads []*warpLoad // the whole corpus

	next        *warpModel
	taken       *device.Buffer[uint32] // V: places of lists that have been taken
	sorted      *device.Buffer[uint32] // words with lists of two topics or more
	sortedCount int
	sortedMost  int // topics of the longest list
}

// newWarpStream makes the sampler.
func newWarpStream(p *sampler.Problem, d *device.Device, limits warpLimits) (sampler.Remote, error) {
	s := makeWarpStream(p, d, limits)
	plan, err := s.plan()
	if err == nil {
		err = s.upload(plan)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// makeWarpStream makes what is on the host.
func makeWarpStream(p *sampler.Problem, d *device.Device, limits warpLimits) *warpStream {
	return &warpStream{warp: makeWarp[uint16](p, newLeanLayout(p), func(m int) int { return m + 1 }), on: newWarpShared(p, d, limits)}
}

// upload allocates everything and copies what never changes.
func (s *warpStream) upload(plan *warpPlan) error {
	a, on := s.on.arena, s.on
	on.open()
	s.next = new(warpModel)
	if err := a.Err(); err != nil {
		return err
	}
	on.frozen.Grow(a, s.p.K, plan)
	s.next.Grow(a, s.p.K, plan)
	on.wordPlaces = device.Upload(a, plan.places)
	s.taken = device.Alloc[uint32](a, s.p.V)
	s.sorted = device.Upload(a, plan.sorted)
	s.sortedCount, s.sortedMost = len(plan.sorted), plan.longest
	if err := on.growTokens(plan.most); err != nil {
		return err
	}
	return s.uploadLoads(plan)
}

// uploadLoads makes the loads and slots of the plan.
func (s *warpStream) uploadLoads(plan *warpPlan) error {
	a := s.on.arena
	for range plan.slots {
		s.on.addSlot()
	}
	for _, room := range s.on.conveyor.Rooms() {
		room.Grow(a, plan.most, plan.numbers)
	}
	for i, span := range plan.loads {
		load, _, err := s.on.lay(a, s.warp, span, plan.segments, plan.stays[i])
		if err != nil {
			return err
		}
		s.loads = append(s.loads, load)
	}
	return a.Err()
}

// Start implements Sampler.
func (s *warpStream) Start(z []uint32, priors *sampler.Priors) error {
	if err := s.warp.Start(z, priors); err != nil {
		return err
	}
	for _, load := range s.loads {
		if err := load.kept().Set(func(topics []uint16) { s.gather(topics, load.Begin) }); err != nil {
			return err
		}
	}
	err := s.on.device.Together(func() error {
		if err := device.FirstError(sendTotals(s.on.nk, s.nk), s.clearNext()); err != nil {
			return err
		}
		return device.FirstError(s.eachLoad(s.on.unpack), s.turnModel())
	})
	return device.FirstError(err, s.on.conveyor.Wait())
}

// Sweep implements Sampler.
func (s *warpStream) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	on := s.on
	if err := on.setAlpha(priors); err != nil {
		return err
	}
	err := on.device.Together(func() error {
		vbeta := float64(s.p.V) * priors.Beta
		err := device.FirstError(
			on.device.Launch("warp_docs", "warp_inverse", device.Spread(on.device, s.p.K, 256, 0, 8), on.nk, on.inv, uint32(s.p.K), math.Float64bits(vbeta)),
			on.nk.Zero(), s.clearNext())
		if err == nil {
			err = s.eachLoad(func(load *warpLoad, room *warpRoom) error { return on.sample(load, room, iteration, priors) })
		}
		return device.FirstError(err, s.turnModel())
	})
	return device.FirstError(err, on.conveyor.Wait())
}

// eachLoad lets all loads pass through the device for some work on them, and counts their
// topics in the next model.
func (s *warpStream) eachLoad(work func(load *warpLoad, room *warpRoom) error) error {
	for _, load := range s.loads {
		err := s.on.pass(load, func(room *warpRoom) error { return device.FirstError(work(load, room), s.pack(load, room)) })
		if err != nil {
			return err
		}
	}
	return nil
}

// clearNext makes the next model ready for counting.
func (s *warpStream) clearNext() error { return device.FirstError(s.next.rows.Zero(), s.taken.Zero()) }

// turnModel makes the counts of the next model what the next iteration works with.
func (s *warpStream) turnModel() error {
	size := 1
	for size < s.sortedMost {
		size *= 2
	}
	err := device.FirstError(
		s.on.sumRows(s.next),
		s.on.launch("warp_stream", "warp_stream_sort", device.Shape{Blocks: min(s.sortedCount, 1<<16), Threads: 128, Shared: max(4, 2*size)},
			s.next.lists, s.on.wordPlaces, s.sorted, uint32(s.sortedCount)),
	)
	s.on.frozen, s.next = s.next, s.on.frozen
	return err
}

// pack gathers a load's topics and counts them in the next model.
func (s *warpStream) pack(load *warpLoad, room *warpRoom) error {
	on := s.on
	return on.launch("warp_stream", "warp_stream_pack", device.Spread(on.device, load.Tokens(), 256, 0, 16), on.state, on.layout(), room.topics,
		uint32(load.Tokens()), room.list(load, warpBegins), room.list(load, warpBefore), room.list(load, warpSegments), on.wordPlaces,
		s.next.rows, s.next.lists, s.taken, uint32(s.p.K))
}

// Fetch implements Remote.
func (s *warpStream) Fetch() error {
	return device.FirstError(scatterLoads(s.warp, s.loads), fetchTotals(s.on.nk, s.nk))
}

// Close implements Remote.
func (s *warpStream) Close() error { return s.on.arena.Close() }
