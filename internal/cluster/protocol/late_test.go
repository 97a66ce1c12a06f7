package protocol

import (
	"context"
	"errors"
	"testing"
)

// lacking is a store that lacks some keys, and has a state.
type lacking struct {
	Control
	absent []string
	state  *State
	err    error
}

func (l lacking) Absent(context.Context, []string) ([]string, error) { return l.absent, nil }

func (l lacking) Read(context.Context) (*State, string, error) { return l.state, "", l.err }

// Late changes that the store lacks are a fault, unless there is a newer barrier by now, for which they were deleted.
func TestLateChangesThatAreGone(t *testing.T) {
	acting := &State{Round: 8, Until: 4}
	newer := &State{Round: 16, Until: 6}
	unreadable := errors.New("unreadable")
	for name, c := range map[string]struct {
		store lacking
		want  error
	}{
		"all there":          {lacking{state: acting}, nil},
		"lost":               {lacking{absent: []string{"key"}, state: acting}, ErrMissing},
		"the state too":      {lacking{absent: []string{"key"}}, ErrMissing},
		"a newer barrier":    {lacking{absent: []string{"key"}, state: newer}, nil},
		"another until":      {lacking{absent: []string{"key"}, state: &State{Round: 8, Until: 5}}, nil},
		"nobody can tell":    {lacking{absent: []string{"key"}, state: acting, err: unreadable}, unreadable},
		"nobody tells state": {lacking{absent: []string{"key"}, err: unreadable}, unreadable},
	} {
		job := NewLayout("job", Spec{Parts: 2, Slices: 1, Staleness: 1})
		takes := func(int, int) bool { return true }
		w := NewWorker(NewLease(1, &job, c.store, Wall), Steps{Takes: takes}, nil)
		w.acting = &View{State: acting}
		if err := w.lateThere(t.Context()); !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
