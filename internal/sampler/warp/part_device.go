package warp

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

func warpPartsFault(p *sampler.Problem) error {
	if p.K > 1<<16 {
		return fmt.Errorf("warp with more than %d topics %w where the corpus is cut into parts: use Options.Device = cpu", 1<<16, sampler.ErrNotOnDevice)
	}
	return nil
}

func newPartsOn(p *sampler.Problem, d *device.Device) *sampler.PartsOn {
	s := newPartsWithin(p, d, defaultWarpLimits(p.K, d))
	s.prepare()
	return s.parts()
}

// parts returns the functions through which a plan uses s.
func (s *partsOn) parts() *sampler.PartsOn {
	return &sampler.PartsOn{Kernel: s.Kernel, Close: s.Close, Bound: func(tokens, _ int) { s.most = tokens }}
}

// prepare starts compiling the kernels that take most of the time of rounds.
func (s *partsOn) prepare() {
	d := s.device
	d.Prepare("warp_stream", "warp_stream_unpack", "warp_stream_words_"+s.steps(), "warp_stream_guide")
	if s.docRows() > 0 {
		d.Prepare("warp_stream_groups", "warp_stream_groups_"+s.steps(), "warp_stream_groups_"+s.steps()+"_plain")
	}
}

func newPartsWithin(p *sampler.Problem, d *device.Device, limits warpLimits) *partsOn {
	return &partsOn{warpShared: newWarpShared(p, d, limits)}
}

func (s *partsOn) Kernel(p *sampler.Problem) sampler.Kernel {
	return &warpPartOn{warpPart: newWarpPart[uint16](p, nil).(*warpPart[uint16]), on: s}
}

// Close implements sampler.PartsOn.Close. It waits first, since a round may have been cancelled.
func (s *partsOn) Close() error { return device.FirstError(s.device.Wait(), s.arena.Close()) }

// Restore implements sampler.Kernel. A device draws doc-proposals again in every round.
func (s *warpPartOn) Restore(int) { s.proposed = 0 }

// Capabilities implements sampler.Kernel. A device does not count totals.
func (s *warpPartOn) Capabilities() sampler.KernelCapabilities {
	can := s.warpPart.Capabilities()
	can.TokenTotals = nil
	return can
}

func (s *warpPartOn) Round(ctx context.Context, iteration, _, _ int, model *sampler.Frozen,
	priors *sampler.Priors,
) error {
	s.proposed = 0
	if s.p.N() == 0 {
		return nil
	}
	if !s.p.Part.Forget && !s.tokens.KeepsOld() {
		s.old = alloc.Resize(s.old, s.p.N())
	}
	if s.plan == nil {
		if err := s.prepare(ctx, model); err != nil {
			return err
		}
	}
	err := s.on.makeRoom(s.plan)
	if err == nil {
		err = device.FirstError(s.bringPriors(model, priors), s.bringRows(ctx, model))
	}
	if err == nil {
		err = s.on.conveyor.Drain(s.sampleLoads(ctx, iteration, priors))
	}
	return err
}

// prepare computes once how the part passes through the device. The number of tokens in a row never changes.
func (s *warpPartOn) prepare(ctx context.Context, model *sampler.Frozen) error {
	totals := make([]uint32, s.p.V)
	var many atomic.Int64 // tokens of a word with too many
	err := parallel.Do(ctx, s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		w := s.workers[thread]
		for word := s.ranges[i]; word < s.ranges[i+1]; word++ {
			w.entries = model.Rows.AppendRow(w.entries[:0], word)
			n := rowTotal(w.entries)
			if totals[word] = uint32(n); n > math.MaxUint32 {
				many.Store(int64(n))
			}
		}
	})
	switch n := many.Load(); {
	case err != nil:
		return err
	case n > 0:
		return fmt.Errorf("warp with a word of %d tokens %w, because a GPU takes at most %d: use Options.Device = cpu",
			n, sampler.ErrNotOnDevice, uint32(math.MaxUint32))
	case slices.Contains(totals, 0):
		return ErrForeignCounts
	}
	plan := &warpPlan{segments: s.blockSegments()}
	plan.placeRows(totals, s.p.K)
	for w := range totals {
		if plan.places[2*w]&warpDense != 0 {
			s.heavy = append(s.heavy, uint32(w))
		} else {
			s.rare = append(s.rare, uint32(w))
		}
	}
	if err := s.on.cut(s.warp, plan); err != nil {
		return err
	}
	for _, span := range plan.loads {
		load := &warpLoad{Span: span}
		s.loads, s.lists = append(s.loads, load), append(s.lists, s.on.makeLists(s.warp, load, plan.segments))
	}
	plan.segments = nil
	s.plan = plan
	return nil
}

// cut cuts a part into loads. The first part determines the size of the loads of all parts.
func (s *partsOn) cut(w *warp[uint16], plan *warpPlan) error {
	if plan.listed >= warpDense {
		return fmt.Errorf("warp with %d tokens of rare words %w, because a GPU takes fewer than %d: use Options.Device = cpu, or more parts", plan.listed, sampler.ErrNotOnDevice, uint32(warpDense))
	}
	if s.most > 0 {
		w.cutLoads(plan, s.most)
		return nil
	}
	room, err := s.device.Room()
	if err != nil {
		return err
	}
	model := int64(plan.hot)*int64(4*(s.p.K+1)+2*warpStreamGuide) + 2*int64(plan.listed)
	fixed := model + 8*int64(w.p.V) + 24*int64(s.p.K) + 4*int64(s.scratches())*int64(s.p.K) + 4
	if in := s.fitLoads(w, plan, room-fixed); in > room-fixed {
		return fmt.Errorf("the device's memory is too small for a part of warp: %d rows of %d topics and %d topics of rarer words are %s, tables %s, %d loads of %d tokens %s, and %s may be used: allow more with Options.DeviceMemory (%w)",
			plan.hot, s.p.K, plan.listed, human.Bytes(model), human.Bytes(fixed-model), warpSlots, plan.most,
			human.Bytes(in), human.Bytes(room), cuda.ErrOutOfMemory)
	}
	s.most = plan.most
	return nil
}

// makeRoom allocates the memory that is missing for a part.
func (s *partsOn) makeRoom(plan *warpPlan) error {
	if s.conveyor == nil {
		s.open()
	}
	for len(s.conveyor.Rooms()) < min(warpSlots, len(plan.loads)) {
		s.addSlot()
	}
	for _, room := range s.conveyor.Rooms() {
		room.Grow(s.arena, plan.most, plan.numbers)
		room.stage.Grow(s.arena, plan.most, plan.numbers)
	}
	s.frozen.Grow(s.arena, s.p.K, plan)
	device.Grow(s.arena, &s.wordPlaces, len(plan.places))
	return s.growTokens(plan.most)
}
