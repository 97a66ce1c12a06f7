package protocol

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// worker returns a worker of a job with its stage as the store and hands.
func (s *stage) worker(j *Layout) *Worker {
	s.now, s.wait = time.Unix(100, 0), time.Minute
	l := NewLease(5, j, s, s)
	l.Report = func() string { return "" }
	l.Leads = func(*State) {}
	takes := func(part, round int) bool { return part != 1 || round != 2 }
	w := NewWorker(l, Steps{Rounds: &Rounds{Plan: oneRound}, Takes: takes}, stageHands{s})
	w.Idle, w.Tell = func(time.Duration) {}, func(string, ...any) {}
	return w
}

// A worker takes up its parts, writes what the first barrier consists of, samples a round, meets, looks whether the
// store still has all of it, and ends.
func TestWorkerCalls(t *testing.T) {
	each(t, "all of a job", []string{
		"beat", "take 0", "take 1", "save 0 0", "save 1 0", "flush", "rows 1 0", "flush", "reach p0 p0 0", "reach p1 p1 0",
		"flush", "heads", "absent",
		"absent p0}:z:0 s0}:first:0 s1}:first:0 p1}:z:0 s0}:first:1 s1}:first:1 s1}:v:0",
		"reach r0 p0 0", "reach p0 p0 0", "reach r1 p1 0", "reach p1 p1 0", "reach s1 s1 0", "beat",
		"fetch 0", "sample 0 1", "sample 1 1", "save 0 1", "save 1 1", "fetch 0", "rows 1 1", "flush",
		"reach p0 p0 1", "reach p1 p1 1",
		"flush", "heads", "absent",
		"absent s0}:d:1:0 s1}:d:1:0 p0}:z:1 p0}:h:1 s0}:d:1:1 s1}:d:1:1 p1}:z:1 p1}:h:1 s1}:v:1 s1}:h:1",
		"reach r0 p0 1", "reach p0 p0 1", "reach r1 p1 1", "reach p1 p1 1", "reach s1 s1 1", "beat",
	}, "", func(s *stage) error {
		j := stageJob(false, 1)
		w := s.worker(&j)
		offices := []string{"p0", "p1", "s1"}
		s.beats = []Beat{
			{Version: "-1/0/false", State: &State{Round: -1}, Offices: offices},
			{Version: "0/1/false", State: &State{Round: 0, Until: 1, Histograms: true}, Offices: offices},
			{Version: "1/1/true", State: &State{Round: 1, Until: 1, Finished: true}, Offices: offices},
		}
		if err := w.Beat(t.Context()); err != nil {
			return err
		}
		return w.Work(t.Context())
	})
}

// A worker that is given other parts drops the old ones, and begins again with one whose round was spoiled. Changes
// that could not be sent are sent before anything else.
func TestWorkerTakes(t *testing.T) {
	each(t, "other parts", []string{
		"take 0", "drop 0", "drop 1", "take 1", "take 2", "send 1", "fetch 2", "sample 1 4", "sample 2 4",
	}, "", func(s *stage) error {
		j := NewLayout("j", Spec{Parts: 3, Slices: 1, Lease: time.Minute, Staleness: 1})
		w := s.worker(&j)
		w.parts = []*Part{{Number: 1, Round: Spoiled}}
		v := &View{State: &State{Round: 3, Until: 4}, Parts: []int{0}}
		if err := w.Hands.Take(t.Context(), &Part{Number: 0}, v.State); err != nil {
			return err
		}
		w.parts = append(w.parts, &Part{Number: 0, Round: 3})
		v.Parts = []int{1, 2}
		if err := w.take(t.Context(), v); err != nil {
			return err
		}
		if len(w.parts) != 2 || *w.parts[0] != (Part{1, 3, 3, 3, 3}) {
			t.Errorf("parts %+v", w.parts[0])
		}
		w.parts[0].Sent = 2
		worked, err := w.proceed(t.Context(), v)
		if err == nil && !worked {
			t.Error("it says that it did nothing")
		}
		return err
	})
}

// A worker has to look again where it is behind, or where a newer barrier has deleted what it misses.
func TestWorkerAgain(t *testing.T) {
	s := &stage{failAt: -1, state: &State{Round: 4}}
	j := stageJob(false, 0)
	w := s.worker(&j)
	w.acting = &View{State: &State{Round: 3}}
	for _, c := range []struct {
		err    error
		store  *State
		worked bool
		want   error
	}{
		{nil, nil, true, nil},
		{ErrBehind, nil, false, nil},
		{Missing("a"), &State{Round: 4}, false, nil},
		{Missing("a"), &State{Round: 3}, false, ErrMissing},
		{Missing("a"), nil, false, ErrMissing},
		{Damaged("a", errBroken), &State{Round: 4}, false, errBroken},
	} {
		s.state = c.store
		worked, err := w.again(t.Context(), c.err)
		if worked != c.worked || !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%v with the store at %+v: worked %v, %v", c.err, c.store, worked, err)
		}
	}
}

// A job without a state has lost it if anything was reached. Otherwise somebody may still submit it, for a while.
func TestUnbegun(t *testing.T) {
	for name, c := range map[string]struct {
		there  map[string]bool
		after  time.Duration
		want   string
		looked bool
	}{
		"at once":        {nil, 999 * time.Millisecond, "", false},
		"nothing yet":    {map[string]bool{}, time.Second, "", true},
		"owners":         {map[string]bool{"owners": true}, time.Second, "state is missing", true},
		"reached":        {map[string]bool{"reached": true}, time.Second, "state is missing", true},
		"six leases":     {map[string]bool{}, 6 * time.Minute, "", true},
		"more than that": {map[string]bool{}, 6*time.Minute + 1, "was cut short", true},
	} {
		s := &stage{failAt: -1, there: c.there}
		j := stageJob(false, 0)
		w := s.worker(&j)
		s.now = s.now.Add(c.after)
		err := w.unbegun(t.Context())
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) ||
			(len(s.calls) > 0) != c.looked {
			t.Errorf("%s: %v after %q", name, err, s.calls)
		}
	}
	each(t, "looking", []string{"absent owners reached"}, "", func(s *stage) error {
		s.there = map[string]bool{}
		j := stageJob(false, 0)
		w := s.worker(&j)
		s.now = s.now.Add(time.Minute)
		return w.unbegun(t.Context())
	})
}

// What a worker wrote and the store lacks sends it back to the barrier, unless rows that are published contain it.
func TestVerify(t *testing.T) {
	scene := func(there ...string) func(s *stage) error {
		return func(s *stage) error {
			j := stageJob(true, 1)
			w := s.worker(&j)
			v := &View{Version: "3/5/false", State: &State{Round: 3, Until: 5}}
			w.see(v)
			w.acting = v
			w.parts = []*Part{{Number: 0, Round: 4, Sent: 4, Saved: 3, Reached: -1}}
			w.note(1, 5)
			s.state = v.State
			s.there = map[string]bool{
				"s0}:d:3:0": true, "s1}:d:3:0": true, "s0}:d:3:1": true, "s1}:d:3:1": true, "p0}:n:4": true,
				"s0}:d:4:0": true, "s1}:v:4": true, "s1}:v:5": true,
			}
			for _, key := range there {
				s.there[strings.TrimPrefix(key, "-")] = !strings.HasPrefix(key, "-")
			}
			s.now = s.now.Add(time.Minute)
			return w.verify(t.Context())
		}
	}
	before := []string{"flush", "heads", "absent s0}:d:3:0 s1}:d:3:0 s0}:d:3:1 s1}:d:3:1"}
	whole := append(slices.Clone(before), "absent p0}:n:4 s0}:d:4:0 s1}:d:4:0 s1}:v:4 s1}:v:5")
	reach := []string{"reach r0 p0 4", "reach s1 s1 5"}
	each(t, "all there", slices.Concat(whole, reach), "", scene("s1}:d:4:0"))
	each(t, "published", slices.Concat(whole, []string{"absent s1}:v:4"}, reach), "", scene())
	for name, key := range map[string]string{"totals": "-p0}:n:4", "rows": "-s1}:v:5", "changes": "-s1}:v:4"} {
		s := &stage{failAt: -1}
		if err := scene(key)(s); !errors.Is(err, ErrLost) {
			t.Errorf("%s are missing: %v", name, err)
		}
	}
	s := &stage{failAt: -1}
	if err := scene("-s1}:d:3:1")(s); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "s1}:d:3:1") {
		t.Errorf("late changes are missing: %v", err)
	}
}
