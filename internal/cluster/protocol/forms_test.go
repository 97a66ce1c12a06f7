package protocol

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// Every key has the form that scripts and workers of other versions know, and leads back to its slice or part.
func TestKeys(t *testing.T) {
	k := Keys{"news"}
	for got, want := range map[string]string{
		k.Spec(): "topoi:{news}:spec", k.State(): "topoi:{news}:state", k.Owners(): "topoi:{news}:owners",
		k.Reached(): "topoi:{news}:reached", k.Members(): "topoi:{news}:members", k.Leader(): "topoi:{news}:leader",
		k.Lease(-12): "topoi:{news}:lease:-12", k.Lock(): "topoi:{news!}:recovery",
		k.Tombstone("7f"): "topoi:ended:{news}:7f", k.Changes(3, 12, 5): "topoi:{news:s3}:d:12:5",
		k.First(3, 5): "topoi:{news:s3}:first:5", k.Pseudo(3): "topoi:{news:s3}:pseudo",
		k.Rows(3, 12):   "topoi:{news:s3}:v:12",
		k.Topics(5, 12): "topoi:{news:p5}:z:12", k.Totals(5, 12): "topoi:{news:p5}:n:12",
		k.Statistics(3, 12): "topoi:{news:s3}:h:12", k.Histograms(5, 12): "topoi:{news:p5}:h:12",
	} {
		if got != want {
			t.Errorf("key %s, want %s", got, want)
		}
		if strings.Contains(want, "news:") {
			office := map[bool]string{true: "s3", false: "p5"}[strings.Contains(want, ":s3")]
			if OfficeOf(got) != office || HeadOf(got) != "topoi:{news:"+office+"}:head" {
				t.Errorf("%s belongs to %s and %s", got, OfficeOf(got), HeadOf(got))
			}
		}
		if IsFile(got) {
			t.Errorf("%s is a file", got)
		}
	}
	if got := k.Tombstones("7f"); !slices.Equal(got, []string{k.Tombstone("7f"), k.Tombstone("any")}) {
		t.Errorf("tombstones %q", got)
	}
	if got := k.Prefixes(); !slices.Equal(got, []string{"topoi:{news}:", "topoi:{news:s", "topoi:{news:p"}) {
		t.Errorf("prefixes %q", got)
	}
}

// What a key or file lacks is said in words that fit it.
func TestDamageInWords(t *testing.T) {
	cause := errors.New("too short")
	for want, err := range map[string]error{
		"/s/part-1 is missing":                               Missing("/s/part-1"),
		"topoi:{a}:spec is missing from the store":           Missing("topoi:{a}:spec"),
		"/s/part-1 is damaged (too short)":                   Damaged("/s/part-1", cause),
		"topoi:{a}:spec in the store is damaged (too short)": Damaged("topoi:{a}:spec", cause),
	} {
		if err.Error() != want || !errors.Is(err, ErrGone) || errors.Is(err, ErrMissing) == errors.Is(err, cause) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	first := fmt.Errorf("wrapped: %w", Missing("a"))
	if err := Damaged("b", first); err != first {
		t.Errorf("damage of another key becomes %v", err)
	}
	if err := Damaged("b", nil); err != nil {
		t.Errorf("no damage becomes %v", err)
	}
	if err := Taken("a name"); err.Error() != "a name" {
		t.Errorf("taken: %v", err)
	}
	j := NewLayout("news", Spec{})
	if err := j.Cancelled(); !errors.Is(err, ErrCancelled) || !strings.Contains(err.Error(), "job news") {
		t.Errorf("cancelled: %v", err)
	}
}

// A sealed value comes back. One that was changed, cut or never sealed does not.
func TestSeal(t *testing.T) {
	text, err := Seal(map[string]int{"a": 1})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]int
	if err := Unseal(text, &got); err != nil || !reflect.DeepEqual(got, map[string]int{"a": 1}) {
		t.Errorf("%v, %v", got, err)
	}
	body, _, _ := strings.Cut(text, "\n")
	other := strings.Replace(text, "1", "2", 1)
	for _, broken := range []string{"", body, body + "\n", other, text[:len(text)-1], text + "0"} {
		if err := Unseal(broken, &got); err == nil {
			t.Errorf("%q is read", broken)
		}
	}
	var number int
	if err := Unseal(text, &number); err == nil {
		t.Error("an object is read as a number")
	}
	if _, err := Seal(math.NaN()); err == nil {
		t.Error("what JSON cannot hold is sealed")
	}
}

// Names of jobs have 1 to 64 characters that mean nothing in keys, patterns and files.
func TestCheckName(t *testing.T) {
	for name, fine := range map[string]bool{
		"a": true, "7": true, "News-2026.v_1": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "-a": false, ".a": false, "a b": false, "a*": false, "a/b": false,
		"{a}": false, "ä": false, "a\n": false,
	} {
		if err := CheckName(name); (err == nil) != fine {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A layout says which rounds are kept, where parts begin, and which late changes are refused.
func TestLayout(t *testing.T) {
	j := NewLayout("news", Spec{ID: 0xab, From: 10, Start: 40, Staleness: 2})
	if j.MostRounds() != 16 || j.VersionsKept() != 0 || j.IDText() != "ab" || j.HeadID() != "ab/10" || j.InFiles() {
		t.Errorf("%d rounds, %d versions, ids %s and %s", j.MostRounds(), j.VersionsKept(), j.IDText(), j.HeadID())
	}
	if apart := NewLayout("news", Spec{Apart: true, Staleness: 2}); apart.MostRounds() != 4 || apart.VersionsKept() != 2 {
		t.Errorf("apart: %d rounds, %d versions", apart.MostRounds(), apart.VersionsKept())
	}
	if a, b := j.Floor(&State{Round: -1}), j.Floor(&State{Round: 0}); a != 37 || b != 0 {
		t.Errorf("floors %d and %d, want 37 and 0", a, b)
	}
	key, round := j.BeginsWith(3, &State{Round: 50})
	if key != j.Key.Topics(3, 50) || round != 50 {
		t.Errorf("at a barrier: %s of round %d", key, round)
	}
	if key, round = j.BeginsWith(3, &State{Round: 0}); key != j.Key.Topics(3, 0) || round != 0 {
		t.Errorf("at the barrier of round 0: %s of round %d", key, round)
	}
	if key, round = j.BeginsWith(3, &State{Round: -1}); key != j.Key.Part(3, "first") || round != 40 {
		t.Errorf("from a checkpoint: %s of round %d", key, round)
	}
	j.From = 0
	if key, round = j.BeginsWith(3, &State{Round: -1}); key != "" || round != 0 {
		t.Errorf("from the beginning: %s of round %d", key, round)
	}
	j.Spec.State = "shared"
	dir := filepath.Join("shared", "news-ab")
	if !j.InFiles() || j.StateDir() != dir || j.TopicsKey(3, 7) != filepath.Join(dir, "part-3.topics-7") ||
		j.OriginKey(3) != filepath.Join(dir, "part-3.first") || !IsFile(j.OriginKey(3)) {
		t.Errorf("files %s, %s and %s", j.StateDir(), j.TopicsKey(3, 7), j.OriginKey(3))
	}
}

// Of two states of a job the later one has the later barrier, or ends there, or goes on further.
func TestStateOrder(t *testing.T) {
	order := []State{
		{Round: 3, Until: 5}, {Round: 3, Until: 7}, {Round: 3, Until: 5, Finished: true}, {Round: 4, Until: 5},
	}
	for i, a := range order {
		for k, b := range order {
			if a.LaterThan(&b) != (i > k) {
				t.Errorf("%s is later than %s: %v", a.Version(), b.Version(), a.LaterThan(&b))
			}
		}
	}
	if got := order[2].Version(); got != "3/5/true" {
		t.Errorf("version %s", got)
	}
}

// Priors come back, in one number where all topics have the same α.
func TestPriorsInTheStore(t *testing.T) {
	for _, want := range []*sampler.Priors{
		{Alpha: []float64{0.5, 0.5, 0.5}, Beta: 0.01},
		{Alpha: []float64{0.5, 0.5, 2}, Beta: 0.01},
		{Alpha: []float64{1, 2, 3}, Beta: 1, Lambda: [][]float64{{1, 2}, {3, 4}, {5, 6}}},
	} {
		var p Priors
		p.SetPriors(&sampler.Priors{Alpha: []float64{9, 8, 7}, Lambda: [][]float64{{1}, {2}, {3}}})
		p.SetPriors(want)
		if got := p.Decode(3); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		numbers := 3
		if want.Alpha[2] == want.Alpha[0] {
			numbers = 1
		}
		if len(p.Alpha) != 8*numbers || len(p.Lambda) != 8*2*len(want.Lambda) {
			t.Errorf("%d bytes of α, %d of λ", len(p.Alpha), len(p.Lambda))
		}
		if first := math.Float64frombits(binary.LittleEndian.Uint64(p.Alpha)); first != want.Alpha[0] {
			t.Errorf("the first number is %v", first)
		}
	}
}

// waits records how long a pause waits by a clock that stands still meanwhile.
type waits struct {
	now  time.Time
	list []time.Duration
}

func (w *waits) Now() time.Time { return w.now }

func (w *waits) Wait(_ context.Context, d time.Duration, _ <-chan struct{}) error {
	w.list = append(w.list, d)
	w.now = w.now.Add(d)
	return nil
}

// A pause waits half as long again each time, up to 10 ms or a sixteenth of the time so far, and at most a second.
func TestPauseGrows(t *testing.T) {
	clock := &waits{now: time.Unix(1, 0)}
	p := PauseBy(clock)
	for range 200 {
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	sum, next := time.Duration(0), 500*time.Microsecond
	for i, d := range clock.list {
		if d != next {
			t.Fatalf("wait %d takes %v, want %v", i, d, next)
		}
		next = min(d*3/2, max(10*time.Millisecond, sum/16), time.Second)
		sum += d
	}
	if last := clock.list[199]; last != time.Second || p.Waited() != sum || p.Began != time.Unix(1, 0) {
		t.Errorf("the last wait takes %v, all %v of %v", last, p.Waited(), sum)
	}
}

// The clock on the wall waits until the time is over, there is news, or the run ends, and tells why that ended.
func TestWall(t *testing.T) {
	begin := time.Now()
	if err := Wall.Wait(t.Context(), 5*time.Millisecond, nil); err != nil || time.Since(begin) < 5*time.Millisecond {
		t.Errorf("waited %v: %v", time.Since(begin), err)
	}
	news := make(chan struct{}, 1)
	news <- struct{}{}
	begin = time.Now()
	if err := Wall.Wait(t.Context(), time.Hour, news); err != nil || time.Since(begin) > time.Minute {
		t.Errorf("with news: %v", err)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrClosedPipe)
	if err := Wall.Wait(ended, time.Hour, nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a run that ended: %v", err)
	}
	if now := Wall.Now(); now != now.Round(0) || time.Since(now).Abs() > time.Minute {
		t.Errorf("it is %v", now)
	}
}

// beating answers beats with a list of answers, and notes what it is asked.
type beating struct {
	Control
	answers []Beat
	known   []string
	joined  error
}

func (b *beating) Join(context.Context, int64, string) (string, error) { return "first", b.joined }
func (b *beating) Read(context.Context) (*State, string, error)        { return nil, "second", io.EOF }

func (b *beating) Beat(_ context.Context, _ int64, _, known string) (*Beat, error) {
	b.known = append(b.known, known)
	next := b.answers[0]
	b.answers = b.answers[1:]
	return &next, nil
}

// A lease sees what the store says, keeps the latest state, and leads once.
func TestLeaseSees(t *testing.T) {
	j := NewLayout("job", Spec{Parts: 3, Slices: 3, Lease: time.Minute})
	states := []*State{
		{Round: 1, Until: 2}, {Round: 2, Until: 3}, {Round: 3, Until: 4}, {Round: 4, Until: 5, Finished: true},
	}
	control := &beating{answers: []Beat{
		{Leader: 5},
		{Leader: 5, Version: "1/2/false", State: states[0], Offices: []string{"p2", "s1", "p0"}},
		{Leader: 5, Version: "1/2/false"},
		{Leader: 6, Version: "2/3/false", State: states[1]},
		{Leader: 6, Version: "1/2/false", State: states[0]}, // the store has come back without its last moments
		{Leader: 6}, // without a state
	}}
	clock := &waits{now: time.Unix(100, 0)}
	l := NewLease(5, &j, control, clock)
	l.Report = func() string { return "" }
	var led []*State
	l.Leads = func(s *State) { led = append(led, s) }
	if err := l.Join(t.Context()); err != nil || l.Mended != "first" {
		t.Errorf("joined: mark %s, %v", l.Mended, err)
	}
	for i, want := range []View{
		{Leader: 5},
		{5, "1/2/false", states[0], []int{2, 0}, []int{1}},
		{5, "1/2/false", states[0], nil, nil},
		{6, "2/3/false", states[1], nil, nil},
	} {
		clock.now = clock.now.Add(time.Minute)
		if l.Away() {
			t.Errorf("beat %d: away after exactly a lease", i)
		}
		clock.now = clock.now.Add(time.Second)
		if !l.Away() {
			t.Errorf("beat %d: not away after more than a lease", i)
		}
		if err := l.Beat(t.Context()); err != nil || !reflect.DeepEqual(*l.View(), want) || l.Away() {
			t.Errorf("beat %d: %+v, want %+v, %v", i, *l.View(), want, err)
		}
		if l.Led() != (i > 0) {
			t.Errorf("beat %d: it has led: %v", i, l.Led())
		}
	}
	if err := l.Beat(t.Context()); !errors.Is(err, ErrLost) {
		t.Errorf("an older state: %v", err)
	}
	var d *Damage
	if err := l.Beat(t.Context()); !errors.As(err, &d) || d.Key != j.Key.State() {
		t.Errorf("no state any more: %v", err)
	}
	if want := []string{"", "", "1/2/false", "1/2/false", "2/3/false", "2/3/false"}; !slices.Equal(control.known, want) {
		t.Errorf("it knows %q, want %q", control.known, want)
	}
	if len(led) != 1 || led[0] == states[0] || !reflect.DeepEqual(led[0], states[0]) {
		t.Errorf("it leads with %+v", led)
	}
	l.Complete(states[3])
	if v := l.View(); v.State != states[3] || v.Version != "4/5/true" || v.Leader != 5 {
		t.Errorf("the view of a complete job is %+v", v)
	}
	l.see(&View{Leader: 6, Version: "3/4/false", State: states[2]})
	if l.View().State != states[3] {
		t.Error("a beat that was under way brings an older state")
	}
	control.joined = Missing("a")
	if err := l.Join(t.Context()); !errors.Is(err, ErrMissing) || l.Mended != "second" {
		t.Errorf("not joined: mark %s, %v", l.Mended, err)
	}
	control.joined = io.ErrUnexpectedEOF
	if err := l.Join(t.Context()); !errors.Is(err, io.ErrUnexpectedEOF) || l.Mended != "first" {
		t.Errorf("not joined for another reason: mark %s, %v", l.Mended, err)
	}
	finished := NewLease(5, &j, control, clock)
	finished.see(&View{Leader: 5, State: states[3]})
	if finished.Led() {
		t.Error("somebody leads a job that is complete")
	}
}
