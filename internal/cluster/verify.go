package cluster

import (
	"maps"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// verify sees now and then, while this worker waits, that what it wrote since the
// last barrier is still in the store. A store that was killed may come back
// without its last moments, though it had acknowledged them: Redis writes its log
// after it answers. Whoever misses something then begins again at the last
// barrier, as if its lease had run out.
func (s *session) verify() error {
	if s.acting == nil || s.acting.state == nil || time.Since(s.verified) < s.o.Job.Lease {
		return nil
	}
	if err := s.flush(); err != nil {
		return err
	}
	s.verified = time.Now()
	if err := s.o.Job.CheckHeads(s.ctx); err != nil {
		return err
	}
	if err := s.lateThere(); err != nil {
		return err
	}
	missing, err := s.o.Job.Absent(s.ctx, s.written())
	if err == nil && s.o.Job.Apart {
		missing, err = s.unpublished(missing)
	}
	if err != nil {
		return err
	}
	if len(missing) > 0 && s.view().version == s.acting.version {
		s.o.tell("the store has lost %d blobs, such as %s: going back to the last barrier", len(missing), missing[0])
		return protocol.ErrLost
	}
	return s.remind()
}

// unpublished returns those of the keys that are not of changes which are in published rows.
func (s *session) unpublished(names []string) ([]string, error) {
	j := s.o.Job
	var rest []string
	for _, name := range names {
		key := publishedAs(name)
		if key == "" {
			rest = append(rest, name)
			continue
		}
		absent, err := j.Store.Missing(s.ctx, key)
		if err != nil {
			return nil, err
		}
		if len(absent) > 0 {
			rest = append(rest, name)
		}
	}
	return rest, nil
}

// publishedAs is the key of what is made of what a part told, after which that is deleted; "" for other keys.
func publishedAs(name string) string {
	if tag, change, ok := strings.Cut(name, "}:d:"); ok {
		round, _, _ := strings.Cut(change, ":")
		return tag + "}:v:" + round
	}
	return ""
}

// lateThere returns Damage if the store lacks changes of the last rounds up to the last
// barrier, as many as the staleness. Whoever wrote them may be gone, and a worker that
// begins at the barrier needs them.
func (s *session) lateThere() error {
	j, state := s.o.Job, s.acting.state
	var names []string
	for round := max(state.Round-j.Staleness, 0) + 1; round <= state.Round; round++ {
		for part, span := range s.o.Spans {
			for i := range j.Slices {
				if s.o.Plan.Takes(span, s.rounds.Step(round)) {
					names = append(names, j.Key.Changes(i, round, part))
				}
			}
		}
	}
	absent, err := j.Store.Missing(s.ctx, names...)
	if err != nil || len(absent) == 0 {
		return err
	}
	now, err := j.State(s.ctx)
	if err != nil || now != nil && now.Version() != state.Version() {
		return err // there is a newer barrier, for which they were deleted
	}
	return protocol.Missing(absent[0])
}

// written returns the keys of what this worker wrote since the last barrier.
func (s *session) written() []string {
	j, state := s.o.Job, s.acting.state
	due := func(round int) bool { return round > state.Round && round == s.rounds.End(state.Until) } // it is where workers meet next
	var names []string
	for _, p := range s.parts {
		for round := state.Round + 1; state.Round >= 0 && round <= p.told; round++ {
			if j.Apart {
				names = append(names, j.Key.Totals(p.number, round))
			}
			if s.o.Plan.Takes(p.part.Span(), s.rounds.Step(round)) {
				for i := range j.Slices {
					names = append(names, j.Key.Changes(i, round, p.number))
				}
			}
		}
		if due(p.saved) {
			if !state.Brief {
				names = append(names, j.TopicsKey(p.number, p.saved))
			}
			if state.Histograms {
				names = append(names, j.Key.Histograms(p.number, p.saved))
			}
			for i := range j.Slices {
				if state.Round < 0 {
					names = append(names, j.Key.First(i, p.number))
				}
			}
		}
	}
	for slice, round := range s.published {
		if due(round) && !state.Brief {
			names = append(names, j.Key.Rows(slice, round))
		}
		if due(round) && state.Histograms && !j.Apart {
			names = append(names, j.Key.Statistics(slice, round))
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for slice, last := range s.summed {
		for round := state.Round + 1; round <= last; round++ {
			if j.Apart {
				names = append(names, j.Key.Rows(slice, round))
			} else {
				names = append(names, j.Key.Sum(slice, round))
			}
		}
	}
	return names
}

// remind notes again how far everything is.
func (s *session) remind() error {
	for _, p := range s.parts {
		if err := s.reach("r", p.number, "p", p.told); err != nil {
			return err
		}
		if p.reached >= 0 {
			if err := s.reach("p", p.number, "p", p.reached); err != nil {
				return err
			}
		}
	}
	for slice, round := range s.furthest() {
		if err := s.reach("s", slice, "s", round); err != nil {
			return err
		}
	}
	return nil
}

// furthest returns the last rows of each slice that this worker published.
func (s *session) furthest() map[int]int {
	if !s.o.Job.Apart {
		return s.published
	}
	all := maps.Clone(s.published)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for slice, round := range s.summed {
		all[slice] = max(all[slice], round)
	}
	return all
}
