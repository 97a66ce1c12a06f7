package sampler

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// DeviceFault returns an error if parts of the plan cannot be sampled on a device, and says why.
func (l *Plan) DeviceFault() error {
	if l.info.Cutting.On == nil {
		return fmt.Errorf("sampler %q %w, while warp and batch also work on a GPU: use Options.Device = cpu",
			l.info.Name, ErrNotOnDevice)
	}
	return l.info.Cutting.OnFault(l.P)
}

// PlaceOn places parts that are made from now on on a device, with the same results. The parts own
// the device until PlaceHere. Only one part of the plan may be in a Round at a time.
func (l *Plan) PlaceOn(d *device.Device) error {
	if err := errors.Join(l.DeviceFault(), l.PlaceHere()); err != nil {
		return err
	}
	l.On = l.info.Cutting.On(l.P, d)
	return nil
}

// PlaceHere places parts that are made from now on on the CPU again, and frees the device's memory.
// Parts that were made for the device must not be used any more.
func (l *Plan) PlaceHere() error {
	if l.On == nil {
		return nil
	}
	on := l.On
	l.On = nil
	return on.Close()
}

// RowSender copies rows of numbers to a device in runs. The host computes one run while the run before it is copied.
type RowSender[T cuda.Number] struct {
	runs [2]*device.Host[T]
	gone [2]*device.Mark // after the copy of each
	turn int             // runs used so far
}

// SentAtOnce is the largest number of numbers in a run: enough for copies at full speed. Tests make it smaller.
var SentAtOnce = 4 << 20

// Send copies n rows to dst, where row i has the numbers begin(i) … begin(i+1)-1. Several
// goroutines call make, which computes a row.
func (f *RowSender[T]) Send(ctx context.Context, a *device.Arena, q *device.Queue, dst *device.Buffer[T],
	threads, n int, begin func(row int) int, make func(thread, row int, to []T),
) error {
	const each = 64 // rows that a goroutine makes at a time
	for first := 0; first < n; {
		last := first + 1
		for last < n && begin(last+1)-begin(first) <= SentAtOnce {
			last++
		}
		base, end := begin(first), begin(last)
		run, gone, err := f.next(a, end-base)
		if err != nil {
			return err
		}
		err = parallel.Do(ctx, threads, (last-first+each-1)/each, func(thread, i int) {
			for row := first + i*each; row < min(last, first+(i+1)*each); row++ {
				make(thread, row, run.Slice()[begin(row)-base:begin(row+1)-base])
			}
		})
		if err = device.FirstError(err, dst.View(base, end).Send(q, run), gone.Set(q)); err != nil {
			return err
		}
		first = last
	}
	return nil
}

// next returns memory for n numbers whose last copy is complete.
func (f *RowSender[T]) next(a *device.Arena, n int) (*device.Host[T], *device.Mark, error) {
	i := f.turn % len(f.runs)
	f.turn++
	if f.gone[i] == nil {
		f.gone[i] = a.Mark()
	} else if err := f.gone[i].Wait(); err != nil {
		return nil, nil, err
	}
	device.GrowHost(a, &f.runs[i], n)
	if err := a.Err(); err != nil {
		return nil, nil, err
	}
	return f.runs[i].View(0, n), f.gone[i], nil
}

// Several is a sampler on several devices, each of which has a part of the corpus. In a sweep every
// device samples its part against the same counts. The host stores these and then adds all changes,
// so that the result is that of one device. It implements Remote.
type Several struct {
	*Stale
	plans []*Plan // of each device
}

// NewSeveral returns a sampler on several devices.
func NewSeveral(info Info, p *Problem, devices []*device.Device) (*Several, error) {
	switch {
	case info.Cutting == nil || !info.Cutting.Several:
		return nil, fmt.Errorf("sampler %q cannot use several GPUs: choose sampler warp, or one GPU (%w)",
			info.Name, ErrNotOnDevice)
	case p.Tuning.Staleness > 0:
		return nil, fmt.Errorf("several GPUs see each other's changes at once: train without staleness, by workers, "+
			"or on the CPU (%w)", ErrNotOnDevice)
	}
	s := &Several{Stale: newStale(p)}
	own := *p
	own.Threads = max(1, p.Threads/len(devices))
	for i, d := range devices {
		if err := s.add(info, &own, d, i, len(devices)); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// add gives a device part i of n. A small corpus may have fewer blocks than there are devices; then
// some devices have no part.
func (s *Several) add(info Info, p *Problem, d *device.Device, i, n int) error {
	plan, err := PlanFor(info, p)
	if err == nil {
		err = plan.PlaceOn(d)
	}
	if err != nil {
		return err
	}
	s.plans = append(s.plans, plan)
	spans := plan.Cut(n)
	if i >= len(spans) {
		return nil
	}
	part, err := plan.NewPart(spans[i], p.Words[spans[i].Begin:spans[i].End])
	s.Parts = append(s.Parts, part)
	return err
}

// Sweep implements Sampler. If ctx ends inside a sweep, the state is incomplete and must not be used.
func (s *Several) Sweep(ctx context.Context, iteration int, priors *Priors) error {
	for r := range s.plans[0].Rounds(iteration) {
		sets, faults := make([]*counts.ChangeSet, len(s.Parts)), make([]error, len(s.Parts))
		parallel.Each(len(s.Parts), func(i int) {
			faults[i] = s.Parts[i].Round(ctx, Step{iteration, r}, s.view(i).frozen(), priors)
			if faults[i] == nil {
				sets[i] = ChangesOf(s.Parts[i], s.plans[i].P.Threads)
			}
		})
		if err := device.FirstError(faults...); err != nil {
			return err
		}
		s.advance(sets)
	}
	return nil
}

// Fetch implements Remote. It does nothing, since the state is on the host.
func (s *Several) Fetch() error { return nil }

func (s *Several) Capabilities() Capabilities { return Capabilities{} }

func (s *Several) Close() error {
	var first error
	for _, plan := range s.plans {
		first = device.FirstError(first, plan.PlaceHere())
	}
	return first
}
