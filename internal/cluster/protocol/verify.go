package protocol

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// verify checks now and then, while this worker waits, that the store still has what it wrote since the last barrier.
// A store that was killed may come back without its last moments, although it had acknowledged them: Redis writes its
// log after it answers. A worker that misses something begins again at the last barrier, as if its lease had run out.
func (w *Worker) verify(ctx context.Context) error {
	if w.acting == nil || w.acting.State == nil || w.clock.Now().Sub(w.verified) < w.job.Lease {
		return nil
	}
	if err := w.Hands.Flush(ctx); err != nil {
		return err
	}
	w.verified = w.clock.Now()
	if err := w.control.CheckHeads(ctx); err != nil {
		return err
	}
	if err := w.lateThere(ctx); err != nil {
		return err
	}
	missing, err := w.control.Absent(ctx, w.written())
	if err == nil && w.job.Apart {
		missing, err = w.unpublished(ctx, missing)
	}
	if err != nil {
		return err
	}
	if len(missing) > 0 && w.View().Version == w.acting.Version {
		w.Tell("the store has lost %d blobs, such as %s: going back to the last barrier", len(missing), missing[0])
		return ErrLost
	}
	return w.remind(ctx)
}

// Still returns an error if waiting for a key of a version makes no sense any more.
func (w *Worker) Still(ctx context.Context, version int, key string) error {
	if version <= w.acting.State.Round {
		return Missing(key) // it belongs to the last barrier
	}
	return w.Look(ctx)
}

// Look returns ErrBehind if there is something else to do than to wait: all may be waiting for an office that this
// worker was given meanwhile.
func (w *Worker) Look(ctx context.Context) error {
	if v := w.View(); !slices.Equal(v.Parts, w.acting.Parts) || v.Version != w.acting.Version {
		return ErrBehind
	}
	return w.verify(ctx)
}

// unpublished returns those keys that are not of changes which published rows contain.
func (w *Worker) unpublished(ctx context.Context, names []string) ([]string, error) {
	var rest []string
	for _, name := range names {
		tag, change, ok := strings.Cut(name, "}:d:")
		round, _, _ := strings.Cut(change, ":")
		if !ok {
			rest = append(rest, name)
			continue
		}
		absent, err := w.control.Absent(ctx, []string{tag + "}:v:" + round})
		if err != nil {
			return nil, err
		}
		if len(absent) > 0 {
			rest = append(rest, name)
		}
	}
	return rest, nil
}

// lateThere returns an error if the store lacks late changes of the last barrier. Their writer may be gone, and a
// worker that begins at the barrier needs them.
func (w *Worker) lateThere(ctx context.Context) error {
	s := w.acting.State
	absent, err := w.control.Absent(ctx, w.job.LateKeys(s, w.Takes))
	if err != nil || len(absent) == 0 {
		return err
	}
	now, _, err := w.control.Read(ctx)
	if err != nil || now != nil && now.Version() != s.Version() {
		return err // there is a newer barrier, for which they were deleted
	}
	return Missing(absent[0])
}

// written returns the keys that this worker wrote since the last barrier.
func (w *Worker) written() (names []string) {
	s := w.acting.State
	for _, p := range w.parts {
		names = w.ofPart(names, p, s)
	}
	for slice, last := range w.furthest() {
		first := s.Round + 1
		if !w.job.Apart || s.Round < 0 { // only where workers meet
			first = last
		}
		for round := first; round <= last && (w.job.Apart && s.Round >= 0 || w.due(s, round)); round++ {
			if !s.Brief {
				names = append(names, w.job.Key.Rows(slice, round))
			}
			if s.Histograms && !w.job.Apart {
				names = append(names, w.job.Key.Statistics(slice, round))
			}
		}
	}
	return names
}

// ofPart appends the keys that this worker wrote for a part.
func (w *Worker) ofPart(names []string, p *Part, s *State) []string {
	j := w.job
	for round := s.Round + 1; s.Round >= 0 && round <= p.Sent; round++ {
		if j.Apart {
			names = append(names, j.Key.Totals(p.Number, round))
		}
		for i := range j.Slices {
			if w.Takes(p.Number, round) {
				names = append(names, j.Key.Changes(i, round, p.Number))
			}
		}
	}
	if !w.due(s, p.Saved) {
		return names
	}
	if !s.Brief {
		names = append(names, j.TopicsKey(p.Number, p.Saved))
	}
	if s.Histograms {
		names = append(names, j.Key.Histograms(p.Number, p.Saved))
	}
	for i := range j.Slices {
		if s.Round < 0 {
			names = append(names, j.Key.First(i, p.Number))
		}
	}
	return names
}

// remind reports again how far everything is.
func (w *Worker) remind(ctx context.Context) error {
	for _, p := range w.parts {
		if err := w.Reach(ctx, "r", p.Number, "p", p.Sent); err != nil {
			return err
		}
		if p.Reached >= 0 {
			if err := w.Reach(ctx, "p", p.Number, "p", p.Reached); err != nil {
				return err
			}
		}
	}
	furthest := w.furthest()
	for _, slice := range slices.Sorted(maps.Keys(furthest)) {
		if err := w.Reach(ctx, "s", slice, "s", furthest[slice]); err != nil {
			return err
		}
	}
	return nil
}
