package protocol

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// Owner brings the slices of a worker from round to round, where rows are apart. When all parts have written the
// changes of a round, it makes the next rows. Then it deletes the changes, except those of the last rounds before a
// barrier. One goroutine calls Work.
type Owner struct {
	Worker *Worker

	// Make reads the changes of a slice in a round, and writes its next rows.
	Make func(ctx context.Context, slice, round int) error

	// Lose is called with a slice that went to another worker, or that begins again.
	Lose func(slice int)

	// Each calls f with the numbers below n, perhaps from several goroutines.
	Each func(n int, f func(i int))

	// Wrote gets a value when this worker has written changes. Others write at about the same time.
	Wrote <-chan struct{}

	slices map[int]*owned // Work's goroutine; while Each runs, the map stays, and an entry belongs to one goroutine
}

// owned is a slice at the last round for which its rows were made.
type owned struct {
	round  int
	absent []string // changes of the next round that had not come when somebody looked; nil if nobody has
}

// Work makes rows until ctx ends.
func (o *Owner) Work(ctx context.Context) error {
	for pause := PauseBy(o.Worker.clock); ; {
		worked, err := o.step(ctx, o.Worker.View())
		if err == nil && !worked {
			err = pause.WaitOr(ctx, o.Wrote)
		} else {
			pause = PauseBy(o.Worker.clock)
		}
		if err != nil {
			return err
		}
	}
}

// step makes one round of each slice if possible, and reports whether it made any.
func (o *Owner) step(ctx context.Context, v *View) (worked bool, err error) {
	if v.State == nil || v.State.Round < 0 || v.State.Finished {
		return false, nil
	}
	if err := o.take(ctx, v); err != nil {
		return false, err
	}
	results, errs := make([]bool, len(v.Slices)), make([]error, len(v.Slices))
	o.Each(len(v.Slices), func(i int) { results[i], errs[i] = o.advance(ctx, v, v.Slices[i]) })
	return slices.Contains(results, true), errors.Join(errs...)
}

// take forgets slices that went to others or are behind the last barrier, and finds how far new ones are.
func (o *Owner) take(ctx context.Context, v *View) error {
	if o.slices == nil {
		o.slices = map[int]*owned{}
	}
	maps.DeleteFunc(o.slices, func(slice int, x *owned) bool {
		lost := !slices.Contains(v.Slices, slice) || x.round < v.State.Round
		if lost {
			o.Lose(slice)
		}
		return lost
	})
	w := o.Worker
	end := w.Rounds.End(v.State.Until)
	for _, slice := range v.Slices {
		if o.slices[slice] != nil {
			continue
		}
		x := &owned{round: v.State.Round}
		for ; x.round < end; x.round++ {
			if made, err := o.made(ctx, slice, x.round+1); err != nil {
				return err
			} else if !made {
				break
			}
		}
		o.slices[slice] = x
		if err := o.note(ctx, slice, x.round); err != nil {
			return err
		}
	}
	return nil
}

// made reports whether the store has the rows of a slice after a round.
func (o *Owner) made(ctx context.Context, slice, round int) (bool, error) {
	absent, err := o.Worker.control.Absent(ctx, []string{o.Worker.job.Key.Rows(slice, round)})
	return err == nil && len(absent) == 0, err
}

// note notes how far a slice is.
func (o *Owner) note(ctx context.Context, slice, round int) error {
	o.Worker.note(slice, round)
	return o.Worker.Reach(ctx, "s", slice, "s", round)
}

// advance makes the next round of a slice if it can be made.
func (o *Owner) advance(ctx context.Context, v *View, slice int) (done bool, err error) {
	w, x := o.Worker, o.slices[slice]
	end := w.Rounds.End(v.State.Until)
	next := x.round + 1
	if next > end {
		return false, nil
	}
	if whole, err := o.gathered(ctx, slice, x); err != nil || !whole {
		return false, err
	}
	if err := o.Make(ctx, slice, next); err != nil {
		return false, o.gone(ctx, v, slice, err)
	}
	x.round, x.absent = next, nil
	if err := o.note(ctx, slice, next); err != nil {
		return false, err
	}
	return true, o.discard(ctx, slice, next, end)
}

// gathered reports whether all changes of a slice's next round are there. The previous owner of the slice may publish
// the next rows and delete the changes, before it knows that it lost the slice. Then the slice begins again.
func (o *Owner) gathered(ctx context.Context, slice int, x *owned) (whole bool, err error) {
	w, next := o.Worker, x.round+1
	if x.absent == nil {
		for part := range w.job.Parts {
			if w.Takes(part, next) {
				x.absent = append(x.absent, w.job.Key.Changes(slice, next, part))
			}
		}
	}
	if x.absent, err = w.control.Absent(ctx, x.absent); err != nil || len(x.absent) == 0 {
		return err == nil, err
	}
	made, err := o.made(ctx, slice, next)
	if made {
		x.round = -1
	}
	return false, err
}

// gone handles the error about something missing. The slice begins again if there is a newer barrier, or if the
// previous owner has made the round. Otherwise gone returns the error.
func (o *Owner) gone(ctx context.Context, v *View, slice int, err error) error {
	w, x := o.Worker, o.slices[slice]
	if !errors.Is(err, ErrMissing) {
		return err
	}
	made, fault := o.made(ctx, slice, x.round+1)
	if fault != nil {
		return fault
	}
	if made || w.superseded(ctx, v.State) {
		x.round = -1
		return nil
	}
	return err
}

// discard deletes changes that the rows contain now. It keeps those before the next barrier that others do not see in
// its rows yet.
func (o *Owner) discard(ctx context.Context, slice, round, barrier int) error {
	j := o.Worker.job
	if round > barrier-j.Staleness {
		return nil
	}
	var names []string
	for part := range j.Parts {
		names = append(names, j.Key.Changes(slice, round, part))
	}
	return o.Worker.control.Discard(ctx, names)
}
