package protocol

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// errBroken is the error of a call that fails.
var errBroken = errors.New("broken")

// stage is a store, and hands, that note every call. One of the calls may fail.
type stage struct {
	calls  []string
	failAt int // the call that fails, counted from 0; -1 for none

	surveys []Survey // the answers, one after the other; the last one stays
	beats   []Beat
	state   *State
	mark    string
	there   map[string]bool // keys that Absent finds; nil: all
	had     bool
	now     time.Time
	wait    time.Duration // that passes with every wait; 0: what was asked for
}

func (s *stage) call(name string, args ...any) error {
	s.calls = append(s.calls, strings.TrimSpace(name+" "+fmt.Sprintln(args...)))
	if len(s.calls)-1 == s.failAt {
		return errBroken
	}
	return nil
}

// next takes an answer from a list whose last one stays.
func next[T any](list *[]T) T {
	first := (*list)[0]
	if len(*list) > 1 {
		*list = (*list)[1:]
	}
	return first
}

func (s *stage) Now() time.Time { return s.now }

func (s *stage) Wait(ctx context.Context, d time.Duration, _ <-chan struct{}) error {
	if s.wait > 0 {
		d = s.wait
	}
	s.now = s.now.Add(d)
	if len(s.calls) > 200 {
		return errors.New("it goes on for ever")
	}
	return context.Cause(ctx)
}

func (s *stage) Join(context.Context, int64, string) (string, error) { return "", s.call("join") }

func (s *stage) Beat(context.Context, int64, string, string) (*Beat, error) {
	if err := s.call("beat"); err != nil {
		return nil, err
	}
	b := next(&s.beats)
	return &b, nil
}

func (s *stage) Leave(context.Context, int64) error { return s.call("leave") }

func (s *stage) Reach(_ context.Context, _ int64, field, office string, round int) error {
	return s.call("reach", field, office, round)
}

func (s *stage) Read(context.Context) (*State, string, error) {
	if err := s.call("read"); err != nil {
		return nil, "", err
	}
	return s.state, s.mark, nil
}

func (s *stage) Survey(context.Context, int64) (*Survey, error) {
	if err := s.call("survey"); err != nil {
		return nil, err
	}
	v := next(&s.surveys)
	return &v, nil
}

func (s *stage) Assign(_ context.Context, _ int64, changes []string) error {
	return s.call("assign", strings.Join(changes, " "))
}

func (s *stage) Publish(_ context.Context, _ int64, state *State, changes []string) error {
	return s.call("publish", state.Version(), strings.Join(changes, " "))
}

func (s *stage) Raise(_ context.Context, state *State) error { return s.call("raise", state.Round) }

func (s *stage) CheckHeads(context.Context) error { return s.call("heads") }

// short leaves out the job's name of a key.
func short(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "topoi:{j:"), "topoi:{j}:")
}

func (s *stage) Absent(_ context.Context, names []string) (absent []string, err error) {
	var list []string
	for _, name := range names {
		list = append(list, short(name))
		if s.there != nil && !s.there[short(name)] {
			absent = append(absent, name)
		}
	}
	return absent, s.call("absent", strings.Join(list, " "))
}

func (s *stage) Discard(_ context.Context, names []string) error {
	var list []string
	for _, name := range names {
		list = append(list, short(name))
	}
	return s.call("discard", strings.Join(list, " "))
}

func (s *stage) Removed(context.Context) (removed, there bool, err error) {
	return false, true, s.call("removed")
}

func (s *stage) Lock(context.Context, string) error        { return s.call("lock") }
func (s *stage) Unlock(context.Context, string) error      { return s.call("unlock") }
func (s *stage) Halt(context.Context, int64) (bool, error) { return s.had, s.call("halt") }
func (s *stage) Rule(context.Context, int64) error         { return s.call("rule") }
func (s *stage) Resume(context.Context, int64) error       { return s.call("resume") }
func (s *stage) Forget(context.Context) error              { return s.call("forget") }
func (s *stage) MakeHeads(_ context.Context, n int, m string) error {
	return s.call("make heads", n, m)
}

func (s *stage) Blobs(context.Context) ([]string, map[string]string, error) {
	return []string{"a", "b", "c"}, map[string]string{"h": "m"}, s.call("blobs")
}

func (s *stage) Sweep(_ context.Context, names []string, marks map[string]string) error {
	return s.call("sweep", strings.Join(names, " "), len(marks))
}

func (s *stage) Mark(_ context.Context, state *State, mark string, _ int64) error {
	return s.call("mark", state.Version(), mark)
}

// stageHands are the hands of a stage, which has other methods of the same names.
type stageHands struct{ *stage }

func (s stageHands) Take(_ context.Context, p *Part, _ *State) error { return s.call("take", p.Number) }

func (s stageHands) Drop(p *Part) error          { return s.call("drop", p.Number) }
func (s stageHands) Flush(context.Context) error { return s.call("flush") }

func (s stageHands) Fetch(_ context.Context, _ *State, version int) error {
	return s.call("fetch", version)
}

func (s stageHands) Sample(_ context.Context, p *Part, _ *State, round int) error {
	p.Round, p.Sent = round, round
	return s.call("sample", p.Number, round)
}

func (s stageHands) Send(_ context.Context, p *Part) error {
	p.Sent = p.Round
	return s.call("send", p.Number)
}

func (s stageHands) Save(_ context.Context, p *Part, _ *State, round int) error {
	return s.call("save", p.Number, round)
}

func (s stageHands) Publish(_ context.Context, _ *State, slice, round int) error {
	return s.call("rows", slice, round)
}

// each plays a scene with all calls answered, which must be those wanted, and then with each of them failing, which
// must be told. Calls in ignored may fail.
func each(t *testing.T, name string, want []string, ignored string, scene func(s *stage) error) {
	t.Helper()
	s := &stage{failAt: -1}
	if err := scene(s); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if !slices.Equal(s.calls, want) {
		t.Fatalf("%s: calls\n%s\nwant\n%s", name, strings.Join(s.calls, "\n"), strings.Join(want, "\n"))
	}
	for n, call := range want {
		s := &stage{failAt: n}
		err := scene(s)
		if errors.Is(err, errBroken) == (ignored != "" && strings.HasPrefix(call, ignored)) {
			t.Errorf("%s: call %d, %s, fails, and the error is: %v", name, n, call, err)
		}
	}
}

// oneRound makes one round of an iteration.
var oneRound = rule(func(int) int { return 1 })

// stageJob has two parts and two slices.
func stageJob(apart bool, staleness int) Layout {
	return NewLayout("j", Spec{Parts: 2, Slices: 2, Lease: time.Minute, Apart: apart, Staleness: staleness, Workers: 2})
}
