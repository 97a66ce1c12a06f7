package protocol

import (
	"context"
	"errors"
	"testing"
)

// The owner of a slice finds how far it is, makes the next rows when all changes have come, and deletes those that the
// rows contain.
func TestOwnerCalls(t *testing.T) {
	scene := func(prepare func(s *stage, o *Owner)) func(s *stage) error {
		return func(s *stage) error {
			j := stageJob(true, 0)
			w := s.worker(&j)
			s.there = map[string]bool{"s1}:v:4": true, "s1}:d:5:0": true, "s1}:d:5:1": true}
			s.state = &State{Round: 3, Until: 6}
			o := &Owner{Worker: w, Lose: func(slice int) { _ = s.call("lose", slice) }}
			o.Each = func(n int, f func(i int)) {
				for i := range n {
					f(i)
				}
			}
			o.Make = func(_ context.Context, slice, round int) error { return s.call("make", slice, round) }
			prepare(s, o)
			_, err := o.step(t.Context(), &View{State: &State{Round: 3, Until: 6}, Slices: []int{1}})
			return err
		}
	}
	each(t, "a slice", []string{
		"absent s1}:v:4", "absent s1}:v:5", "reach s1 s1 4", "absent s1}:d:5:0 s1}:d:5:1", "make 1 5",
		"reach s1 s1 5", "discard s1}:d:5:0 s1}:d:5:1",
	}, "", scene(func(*stage, *Owner) {}))
	each(t, "changes that have not come", []string{
		"absent s1}:v:4", "absent s1}:v:5", "reach s1 s1 4", "absent s1}:d:5:0 s1}:d:5:1", "absent s1}:v:5",
	}, "", scene(func(s *stage, _ *Owner) { s.there["s1}:d:5:1"] = false }))
	each(t, "a slice that another had", []string{
		"lose 0", "absent s1}:v:4", "absent s1}:v:5", "reach s1 s1 4", "absent s1}:d:5:0 s1}:d:5:1", "make 1 5",
		"reach s1 s1 5", "discard s1}:d:5:0 s1}:d:5:1",
	}, "lose", scene(func(_ *stage, o *Owner) { o.slices = map[int]*owned{0: {round: 5}} }))
	each(t, "changes that still have to come", []string{
		"absent s1}:d:5:1", "make 1 5", "reach s1 s1 5", "discard s1}:d:5:0 s1}:d:5:1",
	}, "", scene(func(_ *stage, o *Owner) {
		o.slices = map[int]*owned{1: {round: 4, absent: []string{"topoi:{j:s1}:d:5:1"}}}
	}))
	each(t, "a slice that is done", nil, "", scene(func(_ *stage, o *Owner) { o.slices = map[int]*owned{1: {round: 6}} }))
	each(t, "changes that others still see", []string{
		"absent s1}:d:6:0 s1}:d:6:1", "make 1 6", "reach s1 s1 6",
	}, "", scene(func(s *stage, o *Owner) {
		o.Worker.job.Staleness = 1
		o.slices = map[int]*owned{1: {round: 5}}
		s.there["s1}:d:6:0"], s.there["s1}:d:6:1"] = true, true
	}))
	// Changes are gone while rows are made of them.
	for name, c := range map[string]struct {
		made  bool
		state *State
		want  error
		round int
	}{
		"made by another": {true, &State{Round: 3, Until: 6}, nil, -1},
		"a newer barrier": {false, &State{Round: 6, Until: 9}, nil, -1},
		"lost":            {false, &State{Round: 3, Until: 6}, ErrMissing, 4},
	} {
		var owner *Owner
		s := &stage{failAt: -1}
		err := scene(func(s *stage, o *Owner) {
			owner, s.state = o, c.state
			o.slices = map[int]*owned{1: {round: 4}}
			o.Make = func(context.Context, int, int) error {
				s.there["s1}:v:5"] = c.made
				return Missing("a")
			}
		})(s)
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) || owner.slices[1].round != c.round {
			t.Errorf("%s: %v, round %d", name, err, owner.slices[1].round)
		}
	}
	for name, v := range map[string]*View{
		"no state": {}, "no barrier": {State: &State{Round: -1}}, "the end": {State: &State{Finished: true}},
	} {
		s := &stage{failAt: -1}
		o := &Owner{Worker: s.worker(&Layout{})}
		if worked, err := o.step(t.Context(), v); worked || err != nil || len(s.calls) > 0 {
			t.Errorf("%s: %v, %v, %q", name, worked, err, s.calls)
		}
	}
}
