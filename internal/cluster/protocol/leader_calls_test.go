package protocol

import (
	"context"
	"errors"
	"testing"
	"time"
)

// reachedAll records that parts and slices have reached a round.
func reachedAll(round int) map[string]int {
	return map[string]int{"p0": round, "p1": round, "s0": round, "s1": round, "r0": round, "r1": round}
}

// owners returns who has the parts and slices.
func owners(p0, p1, s0, s1 string) map[string]string {
	return map[string]string{"p0": p0, "p1": p1, "s0": s0, "s1": s1}
}

// The leader waits for workers and rounds, gives parts and slices away, and looks now and then whether the store still
// has its state.
func TestLeaderCalls(t *testing.T) {
	leader := func(s *stage) *Leader {
		j := stageJob(false, 0)
		s.now, s.wait = time.Unix(100, 0), 40*time.Second
		state := State{Round: 3, Iteration: 3, Since: 3, Until: 4}
		s.state = &state
		s.surveys = []Survey{
			{Alive: []string{"5"}, Owners: map[string]string{}},
			{Alive: []string{"5", "6"}, Owners: owners("5", "4", "5", "5"), Reached: reachedAll(3)},
			{Alive: []string{"5", "6"}, Owners: owners("5", "6", "5", "5"), Reached: reachedAll(3)},
			{Alive: []string{"5", "6"}, Owners: owners("5", "6", "5", "5"), Reached: reachedAll(4)},
		}
		return &Leader{Token: 5, Job: &j, Control: s, Clock: s, Rounds: &Rounds{Plan: oneRound}, State: state}
	}
	told := 0
	each(t, "a meeting", []string{
		"survey", "assign p0 5 p1 5 s0 5 s1 5", "survey", "assign p1 6", "survey", "read", "survey",
	}, "", func(s *stage) error {
		l := leader(s)
		told = 0
		l.Tell = func(format string, args ...any) {
			if told++; args[0] != 1 {
				t.Errorf(format, args...)
			}
		}
		err := l.Sweep(t.Context(), 4)
		if err == nil && (l.State.Round != 4 || l.State.Iteration != 4 || told != 1) {
			t.Errorf("%+v, told %d times", l.State, told)
		}
		return err
	})
	each(t, "an iteration between", []string{
		"survey", "assign p0 5 p1 5 s0 5 s1 5", "survey", "assign p1 6",
	}, "", func(s *stage) error {
		l := leader(s)
		l.Tell = func(string, ...any) {}
		l.State.Until = 9
		err := l.Sweep(t.Context(), 3)
		if err == nil && l.State.Round != 3 {
			t.Errorf("%+v", l.State)
		}
		return err
	})
	each(t, "the beginning", []string{"survey", "survey", "survey"}, "", func(s *stage) error {
		l := leader(s)
		l.State = State{Round: -1}
		s.surveys = []Survey{{Alive: []string{"5"}, Owners: map[string]string{}}, {
			Alive: []string{"5", "6"}, Owners: owners("5", "6", "5", "6"), Reached: reachedAll(0),
		}}
		return l.Start(t.Context(), time.Hour)
	})
	each(t, "a beginning without the others", []string{
		"survey", "survey", "survey", "survey", "assign p0 5 p1 5 s0 5 s1 5",
	}, "", func(s *stage) error {
		l := leader(s)
		l.State = State{Round: -1}
		s.surveys = []Survey{{Alive: []string{"5"}, Owners: map[string]string{}, Reached: reachedAll(0)}}
		return l.Start(t.Context(), 50*time.Second)
	})
	each(t, "a beginning that is over", nil, "", func(s *stage) error { return leader(s).Start(t.Context(), 0) })
	each(t, "publishing", []string{"survey", "publish 3/4/false p1 6 s1 6", "raise 3"}, "", func(s *stage) error {
		l := leader(s)
		s.surveys = []Survey{{Alive: []string{"5", "6"}, Owners: owners("5", "5", "5", "5")}}
		return l.Publish(t.Context())
	})
	each(t, "publishing without a barrier", []string{
		"survey", "publish 3/4/false", "raise 3",
	}, "", func(s *stage) error {
		l := leader(s)
		l.State.Since = 4
		s.surveys = []Survey{{Alive: []string{"5", "6"}, Owners: owners("5", "5", "5", "5")}}
		return l.Publish(t.Context())
	})
	s := &stage{failAt: -1}
	l := leader(s)
	l.State.Until = 5
	if err := l.look(t.Context()); err != nil || len(s.calls) > 0 {
		t.Errorf("a first look: %v", err)
	}
	s.now = s.now.Add(time.Minute)
	if err := l.look(t.Context()); !errors.Is(err, ErrLost) {
		t.Errorf("the store has an older state: %v", err)
	}
	for name, want := range map[string]error{"lost": ErrLost, "another": errBroken} {
		control := &losing{stage: &stage{failAt: 0}, err: want}
		l.Control = control
		missing := Missing("a")
		err := l.MayMiss(t.Context(), missing)
		if name == "lost" && !errors.Is(err, ErrLost) || name == "another" && !errors.Is(err, ErrMissing) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// losing answers surveys with an error.
type losing struct {
	*stage
	err error
}

func (l *losing) Survey(context.Context, int64) (*Survey, error) { return nil, l.err }

// Workers meet earlier than asked for where the store would have to keep too many rounds, and briefly only where the
// meeting after the next comes in time for a barrier.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		apart        bool
		since, wants int
		brief        bool
		until        int
		isBrief      bool
	}{
		{false, 20, 30, false, 30, false},
		{false, 20, 37, false, 36, false}, // 16 rounds after the barrier at 20
		{false, 20, 36, false, 36, false},
		{false, 20, 25, true, 25, true},  // the next one, at 30, is early enough
		{false, 26, 31, true, 31, true},  // the next one is at 36
		{false, 27, 32, true, 32, false}, // the next one would be at 37
		{true, 20, 22, true, 22, false},
		{true, 20, 30, true, 24, false}, // 4 rounds
	} {
		j := stageJob(c.apart, 0)
		state := State{Round: 20, Iteration: 20, Since: c.since}
		l := Leader{Job: &j, Clock: &stage{}, Rounds: &Rounds{Plan: oneRound}, State: state}
		l.Open(func(iteration int) (int, bool, bool) { return iteration + c.wants - c.since, true, c.brief })
		if l.State.Until != c.until || l.State.Brief != c.isBrief || l.State.Histograms != (c.until == c.wants) {
			t.Errorf("%+v: until %d, brief %v, histograms %v", c, l.State.Until, l.State.Brief, l.State.Histograms)
		}
	}
}
