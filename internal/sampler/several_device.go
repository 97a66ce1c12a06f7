package sampler

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
)

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
