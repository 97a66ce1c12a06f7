package protocol

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// mender returns a mender of a job that lost something of the barrier of round 3.
func (s *stage) mender() *Mender {
	j := stageJob(false, 0)
	s.now, s.wait = time.Unix(100, 0), time.Minute
	s.state, s.mark, s.had = &State{Round: 3, Until: 4}, "old", true
	return &Mender{
		Job: &j, Control: s, Repair: s, Clock: s, Mended: "old", Nobody: -1, Mark: "new",
		Again: func(ctx context.Context) (*State, string, error) { return s.Read(ctx) },
		Whole: func(context.Context, *State) ([]string, error) { return []string{"b"}, s.call("whole") },
	}
}

// Whoever mends a job halts it, deletes what the last barrier does not need, makes heads, and lets it go on.
func TestMenderCalls(t *testing.T) {
	each(t, "a barrier that is whole", []string{
		"read", "lock", "read", "halt", "read", "whole", "blobs", "lock", "rule", "sweep a c 1",
		"make heads 3 new", "mark 3/4/false new", "resume", "unlock",
	}, "", func(s *stage) error {
		done, err := s.mender().Mend(t.Context())
		if err == nil && (done.Created || done.Others || done.State.Round != 3) {
			t.Errorf("%+v", done)
		}
		return err
	})
	each(t, "a job that is created anew", []string{
		"read", "lock", "read", "halt", "read", "lock", "rule", "create", "mark 0/2/false new", "resume", "unlock",
	}, "", func(s *stage) error {
		m := s.mender()
		s.state = nil
		m.Create = func(context.Context) (*State, error) { return &State{Until: 2}, s.call("create") }
		done, err := m.Mend(t.Context())
		if err == nil && (!done.Created || done.Others || done.State.Until != 2) {
			t.Errorf("%+v", done)
		}
		return err
	})
	each(t, "mended by another", []string{"read", "heads"}, "", func(s *stage) error {
		m := s.mender()
		s.mark = "theirs"
		done, err := m.Mend(t.Context())
		if err == nil && (done.Created || !done.Others || done.State.Round != 3) {
			t.Errorf("%+v", done)
		}
		return err
	})
	each(t, "by what this worker knew", []string{
		"read", "lock", "read", "halt", "read", "whole", "blobs", "lock", "rule", "sweep a c 1",
		"make heads 2 new", "mark 2/4/false new", "resume", "unlock",
	}, "", func(s *stage) error {
		m := s.mender()
		s.state, m.Known = nil, &State{Round: 2, Until: 4}
		_, err := m.Mend(t.Context())
		return err
	})
	// Nothing is known, and nothing can be created: the spec goes too unless it was there.
	for _, had := range []bool{true, false} {
		s := &stage{failAt: -1}
		m := s.mender()
		s.state, s.had = nil, had
		done, err := m.Mend(t.Context())
		if !errors.Is(err, ErrMissing) || done != nil || slices.Contains(s.calls, "forget") == had {
			t.Errorf("the spec was there: %v: %v after %q", had, err, s.calls)
		}
	}
	s := &stage{failAt: -1}
	m := s.mender()
	s.state = &State{Round: -1, Iteration: 7}
	if _, err := m.Mend(t.Context()); !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), "of another beginning") {
		t.Errorf("a state of another beginning: %v", err)
	}
}
