package ondisk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A round that fails, at whatever point, leaves the state before it.
func TestFailedRoundLeavesTheStateBefore(t *testing.T) {
	p := cases()["light"]
	priors := priorsOf(p.K, 5)
	faults := map[string]func(s *parts, part int, cancel func()){
		"cannot write": func(s *parts, part int, _ func()) {
			must(t, os.Mkdir(s.tokensFile(part, s.generation+1), 0o777))
		},
		"damaged": func(s *parts, part int, _ func()) {
			path := s.tokensFile(part, s.generation)
			good, err := os.ReadFile(path)
			must(t, err)
			bad := slices.Clone(good)
			bad[len(bad)*part/4] ^= 4
			must(t, os.WriteFile(path, bad, 0o666))
		},
		"given up": func(_ *parts, _ int, cancel func()) { cancel() },
	}
	for name, fault := range faults {
		for part := range 3 {
			t.Run(fmt.Sprint(name, part), func(t *testing.T) {
				c := Config{Sampler: infoOf("light"), Problem: p, Dir: t.TempDir(), Budget: &Budget{PartTokens: 20_000, RowsInMemory: part == 1}, Release: func(int, int) {}}
				s, err := newParts(c)
				must(t, err)
				must(t, s.Start(nil, priors))
				state := s.State()
				before := topicsOf(t, s)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				fault(s, part, cancel)
				if err := s.Sweep(ctx, 1, priors); err == nil {
					t.Fatal("no error")
				}
				os.Remove(s.tokensFile(part, s.generation)) // a directory
				again, err := New(c)
				must(t, err)
				err = again.Resume(state)
				if name == "damaged" {
					if !errors.Is(err, ErrDamaged) {
						t.Errorf("the damage was not seen: %v", err)
					}
					return
				}
				must(t, err)
				after := topicsOf(t, again)
				if err := again.Err(); err != nil || !slices.Equal(before, after) {
					t.Errorf("the state before has changed: %v", err)
				}
			})
		}
	}
}

// A sweep of warp writes over a file of an earlier one. When it fails on the way, the
// state before it and the one before that are still there.
func TestFailedSweepLeavesTwoStates(t *testing.T) {
	p := cases()["warp"]
	c := Config{Sampler: infoOf("warp"), Problem: p, Dir: t.TempDir(), Budget: &Budget{SliceBytes: 250_000}, Release: func(int, int) {}}
	s, err := newStreamed(c)
	must(t, err)
	priors := priorsOf(p.K, 5)
	must(t, s.Start(nil, priors))
	states, topics := []*State{s.State()}, [][]uint32{topicsOf(t, s)}
	for i := 1; i <= 5; i++ {
		must(t, s.Sweep(t.Context(), i, priors))
		states, topics = append(states, s.State()), append(topics, topicsOf(t, s))
		must(t, s.Keep(nil))
		spare, err := filepath.Glob(s.spareFile())
		if want := i > 1; err != nil || (len(spare) == 1) != want {
			t.Fatalf("sweep %d: a file to write over: %v, want %v", i, spare, want)
		}
	}
	must(t, s.Settle())
	places, err := os.ReadFile(s.placesFile())
	must(t, err)
	must(t, os.Truncate(s.placesFile(), 0)) // no place for the doc phase to go on
	if err := s.Sweep(t.Context(), 6, priors); !errors.Is(err, ErrDamaged) {
		t.Fatal(err)
	}
	must(t, os.WriteFile(s.placesFile(), places, 0o666))
	for i := 5; i >= 4; i-- {
		again, err := New(c)
		must(t, err)
		must(t, again.Resume(states[i]))
		if !slices.Equal(topicsOf(t, again), topics[i]) {
			t.Errorf("the state after sweep %d has changed", i)
		}
	}
}

// States that do not fit are refused.
func TestResumeRefuses(t *testing.T) {
	p := cases()["light"]
	c := Config{Sampler: infoOf("light"), Problem: p, Dir: t.TempDir(), Budget: &Budget{PartTokens: 20_000}}
	s, err := New(c)
	must(t, err)
	must(t, s.Start(nil, priorsOf(p.K, 5)))
	for name, change := range map[string]func(*State){
		"a part less":       func(x *State) { x.Parts = x.Parts[1:] },
		"no parts":          func(x *State) { x.Parts = nil },
		"no slices":         func(x *State) { x.Slices = nil },
		"other slices":      func(x *State) { x.Slices = append(x.Slices, p.V+1) },
		"other tokens":      func(x *State) { x.Parts[0].Tokens++ },
		"too many blocks":   func(x *State) { x.Parts[0].Blocks += 1000 },
		"no blocks":         func(x *State) { x.Parts[0].Blocks = 0 },
		"other generations": func(x *State) { x.Parts[0].Generation++ },
	} {
		state := s.State()
		state.Slices = slices.Clone(state.Slices)
		change(state)
		other, err := New(c)
		must(t, err)
		if err := other.Resume(state); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
