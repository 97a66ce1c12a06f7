package protocol

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Work samples rounds and keeps barriers until the model is complete or ctx ends.
func (w *Worker) Work(ctx context.Context) error {
	idle := PauseBy(w.clock)
	for {
		v := w.View()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case v.State == nil:
			if err := w.unbegun(ctx); err != nil {
				return err
			}
		case v.State.Finished:
			return nil
		default:
			worked, err := w.proceed(ctx, v)
			if err != nil {
				return err
			}
			if worked {
				idle, w.verified = PauseBy(w.clock), w.clock.Now()
				continue
			}
		}
		if err := w.await(ctx, idle); err != nil {
			return err
		}
	}
}

// await lets some time pass, and then asks for news.
func (w *Worker) await(ctx context.Context, p *Pause) error {
	begin := w.clock.Now()
	err := p.Wait(ctx)
	if err == nil {
		err = w.verify(ctx)
	}
	if err == nil {
		err = w.Beat(ctx)
	}
	w.Idle(w.clock.Now().Sub(begin))
	return err
}

// proceed does the next thing, and reports whether there was one.
func (w *Worker) proceed(ctx context.Context, v *View) (worked bool, err error) {
	w.acting = v
	if err := w.take(ctx, v); err != nil {
		return w.again(ctx, err)
	}
	end := w.Rounds.End(v.State.Until)
	next := end
	for _, p := range w.parts {
		next = min(next, p.Round)
	}
	if err := w.Settle(ctx); err != nil {
		return false, err
	}
	if next < end && v.State.Round >= 0 {
		return w.again(ctx, w.round(ctx, v.State, next+1))
	}
	return w.barrier(ctx, v)
}

// unbegun returns an error about a job without a state: the store has lost it, or nobody writes it any more.
func (w *Worker) unbegun(ctx context.Context) error {
	j, now := w.job, w.clock.Now()
	if now.Sub(w.verified) < min(j.Lease, time.Second) {
		return nil
	}
	w.verified = now
	absent, err := w.control.Absent(ctx, []string{j.Key.Owners(), j.Key.Reached()})
	switch {
	case err != nil:
		return err
	case len(absent) < 2:
		return Missing(j.Key.State())
	case now.Sub(w.joined) > max(6*j.Lease, 10*time.Second):
		return fmt.Errorf("the submission of job %s was cut short, and %s is missing: "+
			"remove the job with Job.Cancel and submit it again", j.Name, j.Key.State())
	}
	return nil
}

// again handles an error of a step. If the worker is behind, or if what is missing was deleted for a newer barrier,
// it only has to look again.
func (w *Worker) again(ctx context.Context, err error) (worked bool, _ error) {
	if errors.Is(err, ErrBehind) {
		return false, nil
	}
	if errors.Is(err, ErrMissing) && w.superseded(ctx, w.acting.State) {
		return false, nil
	}
	return err == nil, err
}

// take drops parts that others have now, and takes up new ones.
func (w *Worker) take(ctx context.Context, v *View) error {
	if err := w.Drop(func(p *Part) bool { return !slices.Contains(v.Parts, p.Number) }); err != nil {
		return err
	}
	for _, number := range v.Parts {
		at := slices.IndexFunc(w.parts, func(p *Part) bool { return p.Number == number })
		if at >= 0 && w.parts[at].Round >= v.State.Round {
			continue
		}
		if err := w.Drop(func(p *Part) bool { return p.Number == number }); err != nil {
			return err
		}
		r := v.State.Round
		p := &Part{Number: number, Round: r, Sent: r, Saved: r, Reached: r}
		if err := w.Hands.Take(ctx, p, v.State); err != nil {
			return err
		}
		w.parts = append(w.parts, p)
	}
	slices.SortFunc(w.parts, func(a, b *Part) int { return a.Number - b.Number })
	return nil
}

// Settle sends changes that could not be sent before.
func (w *Worker) Settle(ctx context.Context) error {
	for _, p := range w.parts {
		if p.Sent < p.Round {
			if err := w.Hands.Send(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// round samples a round for the parts whose next one it is.
func (w *Worker) round(ctx context.Context, s *State, round int) error {
	if err := w.Hands.Fetch(ctx, s, w.VersionFor(round)); err != nil {
		return err
	}
	for _, p := range w.parts {
		if p.Round != round-1 {
			continue
		}
		if err := w.Hands.Sample(ctx, p, s, round); err != nil {
			return err
		}
	}
	return nil
}

// barrier writes this worker's share of a barrier or a brief meeting, and reports whether there was anything to do.
// Changes may be deleted once a part is reported to have reached it, so the model takes them first.
func (w *Worker) barrier(ctx context.Context, v *View) (worked bool, err error) {
	s, round := v.State, w.Rounds.End(v.State.Until)
	if slices.ContainsFunc(w.parts, func(p *Part) bool { return p.Reached < round }) {
		worked = true
		if err := w.save(ctx, s, round); err != nil {
			return w.again(ctx, err)
		}
	}
	for _, slice := range v.Slices {
		if s.Round >= 0 && w.job.Apart {
			break // the owner of a slice publishes its rows after every round
		}
		if last, ok := w.furthest()[slice]; ok && last >= round {
			continue
		}
		worked = true
		if err := w.Hands.Publish(ctx, s, slice, round); err != nil {
			return w.again(ctx, err)
		}
		w.note(slice, round)
	}
	if worked {
		if err := w.Hands.Flush(ctx); err != nil {
			return false, err
		}
	}
	for _, p := range w.parts {
		if p.Reached < round {
			if err := w.Reach(ctx, "p", p.Number, "p", round); err != nil {
				return false, err
			}
			p.Reached = round
		}
	}
	return worked, nil
}

// save writes the parts' share of a meeting.
func (w *Worker) save(ctx context.Context, s *State, round int) error {
	for _, p := range w.parts {
		if p.Saved >= round {
			continue
		}
		if s.Round < 0 {
			p.Round, p.Sent = round, round
		}
		if err := w.Hands.Save(ctx, p, s, round); err != nil {
			return err
		}
		p.Saved = round
	}
	if s.Round < 0 {
		return w.Hands.Flush(ctx) // others, and this worker, need it for the first rows
	}
	if w.job.Apart {
		return nil
	}
	return w.Hands.Fetch(ctx, s, w.VersionFor(round+1))
}
