package sampler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/human"
)

// warpPartOn is warp on a part that is sampled on a device: streamed warp, whose model
// is not counted from tokens but comes from the frozen counts.
type warpPartOn struct {
	*warpPart[uint16]
	on *warpPartsOn

	// Made for the first round:
	plan  *warpPlan
	loads []*warpLoad
	lists [][]uint32 // of each load
	heavy []uint32   // words with sums, by number
	rare  []uint32   // words with lists, increasing in place
}

// warpPartsOn is what parts of warp share on a device. The embedded stream is that of the
// part at work; of its fields, warp alone belongs to the part.
type warpPartsOn struct {
	*warpStream
	berths []*warpBerth // one for each slot
	sums   ferry[uint32]
	topics ferry[uint16]
	most   int         // tokens of a load at most; 0 before the first part
	laid   *warpPartOn // whose places of words the device has
}

// warpBerth is where a load waits for its copy to a slot, and where its topics come back to.
type warpBerth struct {
	topics, places *device.Host[uint16]
	lists          *device.Host[uint32]
	load           *warpLoad // whose topics are not back yet, or nil
}

func warpPartsFault(p *Problem) error {
	if p.K > 1<<16 {
		return fmt.Errorf("warp with more than %d topics %w where the corpus is cut into parts: use --device cpu", 1<<16, ErrNotOnDevice)
	}
	return nil
}

func newWarpPartsOn(p *Problem, d *device.Device) partsOn {
	return newWarpPartsWithin(p, d, defaultWarpLimits(p.K, d))
}

func newWarpPartsWithin(p *Problem, d *device.Device, limits warpLimits) *warpPartsOn {
	return &warpPartsOn{warpStream: newWarpStreamOf(nil, p.K, d, limits)}
}

func (s *warpPartsOn) kernel(p *Problem, l *Layout) kernel {
	return &warpPartOn{warpPart: newWarpPart[uint16](p, l, nil).(*warpPart[uint16]), on: s}
}

func (s *warpPartsOn) close() error {
	faults := []error{s.device.Wait(), s.Close(), s.sums.close(), s.topics.close()} // a round may have been given up
	for _, b := range s.berths {
		faults = append(faults, b.topics.Free(), b.places.Free(), b.lists.Free())
	}
	return errors.Join(faults...)
}

// restore implements kernel: a device draws doc-proposals anew in every round.
func (s *warpPartOn) restore(int) { s.proposed = 0 }

// canTell implements teller: a device does not come by a word's tokens together.
func (s *warpPartOn) canTell() bool { return false }

func (s *warpPartOn) round(ctx context.Context, iteration, _, _ int, model Frozen, priors *Priors) error {
	s.proposed = 0
	if s.p.N() == 0 {
		return nil
	}
	if !s.p.part.forget && !s.tokens.keepsOld() {
		s.old = resized(s.old, s.p.N())
	}
	s.on.warp = s.warp
	if s.plan == nil {
		if err := s.prepare(ctx, model); err != nil {
			return err
		}
	}
	err := s.on.makeRoom(s.plan)
	if err == nil {
		err = firstError(s.on.bringPriors(model, priors), s.on.bringRows(ctx, s, model))
	}
	if err == nil {
		err = s.on.sampleLoads(ctx, s, iteration, priors)
	}
	return err
}

// prepare says how the part passes through the device. Rows have as many tokens in
// every round.
func (s *warpPartOn) prepare(ctx context.Context, model Frozen) error {
	totals := make([]uint32, s.p.V)
	var many atomic.Int64 // tokens of a word with too many
	err := parallel(ctx, s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		w := s.workers[thread]
		for word := s.ranges[i]; word < s.ranges[i+1]; word++ {
			w.entries = model.AppendRow(w.entries[:0], word)
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
		return fmt.Errorf("warp with a word of %d tokens %w, because a GPU takes at most %d: use --device cpu", n, ErrNotOnDevice, uint32(math.MaxUint32))
	case slices.Contains(totals, 0):
		return errForeignCounts
	}
	plan := &warpPlan{segments: s.on.blockSegments()}
	plan.placeRows(totals, s.p.K)
	for w := range totals {
		if plan.places[2*w]&warpDense != 0 {
			s.heavy = append(s.heavy, uint32(w))
		} else {
			s.rare = append(s.rare, uint32(w))
		}
	}
	if err := s.on.cut(plan); err != nil {
		return err
	}
	for _, span := range plan.loads {
		load := &warpLoad{Span: span}
		s.loads, s.lists = append(s.loads, load), append(s.lists, s.on.makeLists(load, plan.segments))
	}
	plan.segments = nil
	s.plan = plan
	return nil
}

// cut cuts a part into loads. All parts have loads of the same size, the first one's.
func (s *warpPartsOn) cut(plan *warpPlan) error {
	if plan.listed >= warpDense {
		return fmt.Errorf("warp with %d tokens of rare words %w, because a GPU takes fewer than %d: use --device cpu, or more parts", plan.listed, ErrNotOnDevice, uint32(warpDense))
	}
	if s.most > 0 {
		s.cutLoads(plan, s.most)
		return nil
	}
	room, err := s.device.Room()
	if err != nil {
		return err
	}
	model := int64(plan.hot)*int64(4*(s.p.K+1)+2*warpStreamGuide) + 2*int64(plan.listed)
	fixed := model + 8*int64(s.p.V) + 24*int64(s.p.K) + 4*int64(s.scratches())*int64(s.p.K) + 4
	if in := s.fitLoads(plan, room-fixed); in > room-fixed {
		return fmt.Errorf("the device's memory is too small for a part of warp: %d rows of %d topics and %d topics of rarer words are %s, tables %s, %d loads of %d tokens %s, and %s may be used: allow more with --device-memory (%w)",
			plan.hot, s.p.K, plan.listed, human.Bytes(model), human.Bytes(fixed-model), warpSlots, plan.most, human.Bytes(in), human.Bytes(room), cuda.ErrOutOfMemory)
	}
	s.most = plan.most
	return nil
}

// makeRoom allocates what is missing for a part.
func (s *warpPartsOn) makeRoom(plan *warpPlan) error {
	if s.in == nil {
		var err [5]error
		s.in, err[0] = s.device.NewQueue()
		s.out, err[1] = s.device.NewQueue()
		s.beside, err[2] = s.device.NewQueue()
		s.begun, err[3] = s.device.NewMark()
		s.ended, err[4] = s.device.NewMark()
		s.frozen = &warpModel{}
		if err := firstError(err[:]...); err != nil {
			return err
		}
	}
	k, d, state := s.p.K, s.device, s.state
	err := firstError(
		device.Grow(d, &s.frozen.rows, plan.hot*(k+1)), device.Grow(d, &s.frozen.guides, plan.hot*warpStreamGuide),
		device.Grow(d, &s.frozen.lists, plan.listed), device.Grow(d, &s.wordPlaces, len(plan.places)),
		device.Grow(d, &s.state, plan.most*s.stride()), device.Grow(d, &s.byDoc, plan.most),
		device.Grow(d, &s.nkOn, k), device.Grow(d, &s.unread, k), device.Grow(d, &s.invOn, k), device.Grow(d, &s.prior, 3*k),
		device.Grow(d, &s.scratch, s.scratches()*k), device.Grow(d, &s.queue, 1),
	)
	if err != nil {
		return err
	}
	if s.state != state { // kernels read proposals with topics, and add to totals that nobody asks for
		if err := firstError(s.state.Zero(), s.nkOn.Zero(), s.unread.Zero()); err != nil {
			return err
		}
	}
	return s.makeSlots(plan)
}

// makeSlots sees to it that there are enough slots, and that they are large enough.
func (s *warpPartsOn) makeSlots(plan *warpPlan) error {
	d := s.device
	for len(s.slots) < min(warpSlots, len(plan.loads)) {
		slot, err := newWarpSlot(d, plan.most, plan.numbers)
		if err != nil {
			return err
		}
		s.slots, s.berths = append(s.slots, slot), append(s.berths, &warpBerth{})
	}
	for i, t := range s.slots {
		b := s.berths[i]
		err := firstError(
			device.Grow(d, &t.topics, plan.most), device.Grow(d, &t.places, plan.most), device.Grow(d, &t.lists, plan.numbers),
			device.GrowHost(d, &b.topics, plan.most), device.GrowHost(d, &b.places, plan.most), device.GrowHost(d, &b.lists, plan.numbers),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// errForeignCounts is about counts that cannot be those of the part's corpus.
var errForeignCounts = errors.New("the counts are not those of the corpus: a word has another number of tokens there")

// rowTotal is the number of tokens in a row.
func rowTotal(row []counts.Entry) int {
	n := 0
	for _, e := range row {
		n += int(e.Count)
	}
	return n
}
