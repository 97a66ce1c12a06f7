package records

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Workers and the leader are told what the store holds, each thing in its place.
func TestControlAnswers(t *testing.T) {
	server, j := created(t)
	ctx, c := t.Context(), Control{j}
	server.Do("HSET", j.Key.State(), "mended", "mark")
	if mended, err := c.Join(ctx, 12, `{"name": "b"}`); err != nil || mended != "mark" {
		t.Errorf("joined after mending %q: %v", mended, err)
	}
	if _, err := c.Join(ctx, 11, `{"name": "a"}`); err != nil {
		t.Fatal(err)
	}
	server.Do("HSET", j.Key.Owners(), "p1", "11", "s0", "11", "p0", "12")
	server.Do("HSET", j.Key.Reached(), "r1", "7", "p0", "3")
	b, err := c.Beat(ctx, 11, `{"name": "a", "round": 7}`, "")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(b.Offices)
	if b.Leader != 11 || b.Version != "-1/4/false" || b.State == nil || b.State.Until != 4 ||
		!slices.Equal(b.Offices, []string{"p1", "s0"}) {
		t.Errorf("%+v, state %+v", b, b.State)
	}
	b, err = c.Beat(ctx, 12, "{}", "-1/4/false")
	if err != nil || b.Leader != 11 || b.State != nil || b.Version != "-1/4/false" {
		t.Errorf("a worker that knows the state: %+v, %v", b, err)
	}
	if kept := server.Do("HGET", j.Key.Members(), "11"); kept != `{"name": "a", "round": 7}` {
		t.Errorf("a worker says %s", kept)
	}
	server.Do("HSET", j.Key.Members(), "13", "{}") // whose lease has run out
	s, err := c.Survey(ctx, 11)
	want := &protocol.Survey{
		Alive: []string{"11", "12"}, Owners: map[string]string{"p1": "11", "s0": "11", "p0": "12"},
		Reached: map[string]int{"r1": 7, "p0": 3},
	}
	if err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, %v, want %+v", s, err, want)
	}
	if _, err := c.Survey(ctx, 12); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("a worker that does not lead: %v", err)
	}
	if err := c.Assign(ctx, 11, []string{"p0", "11", "p2", "12"}); err != nil {
		t.Fatal(err)
	}
	next := &protocol.State{Round: 3, Until: 9}
	if err := c.Publish(ctx, 11, next, []string{"s1", "12"}); err != nil {
		t.Fatal(err)
	}
	if s, err = c.Survey(ctx, 11); err != nil || !maps.Equal(s.Owners, map[string]string{
		"p0": "11", "p1": "11", "p2": "12", "s0": "11", "s1": "12",
	}) {
		t.Errorf("owners %v, %v", s.Owners, err)
	}
	if state, mended, err := c.Read(ctx); err != nil || state.Round != 3 || state.Until != 9 || mended != "mark" {
		t.Errorf("%+v, mended %q, %v", state, mended, err)
	}
	if err := c.Reach(ctx, 11, "r0", "p0", 5); err != nil || server.Do("HGET", j.Key.Reached(), "r0") != "5" {
		t.Errorf("reached: %v", err)
	}
	if err := c.Reach(ctx, 12, "r0", "p0", 6); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("a part of another worker: %v", err)
	}
	if err := c.Leave(ctx, 11); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Beat(ctx, 11, "{}", ""); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("a worker that left: %v", err)
	}
	if b, err = c.Beat(ctx, 12, "{}", ""); err != nil || b.Leader != 12 {
		t.Errorf("the leader left, and %d leads: %v", b.Leader, err)
	}
	if err := c.Discard(ctx, []string{j.Key.Owners(), "none"}); err != nil || server.Do("EXISTS", j.Key.Owners()) != "0" {
		t.Errorf("discarded: %v", err)
	}
	if removed, there, err := c.Removed(ctx); err != nil || removed || !there {
		t.Errorf("removed %v, there %v, %v", removed, there, err)
	}
}

// Whoever mends has a lock, halts everybody, and lets them go on with another state, mark and heads.
func TestRepairAnswers(t *testing.T) {
	server, j := created(t)
	ctx, c, r := t.Context(), Control{j}, Repair{j}
	for i, want := range []error{nil, nil} { // it may be taken again
		if err := r.Lock(ctx, "me"); !errors.Is(err, want) {
			t.Errorf("lock %d: %v", i, err)
		}
	}
	if err := r.Lock(ctx, "another"); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("another takes the lock: %v", err)
	}
	if _, err := c.Join(ctx, 11, "{}"); err != nil {
		t.Fatal(err)
	}
	had, err := r.Halt(ctx, -5)
	if err != nil || !had || server.Do("GET", j.Key.Leader()) != "-5" {
		t.Errorf("halted: the spec was there: %v, %v", had, err)
	}
	if _, err := c.Beat(ctx, 11, "{}", ""); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("a worker goes on: %v", err)
	}
	server.Do("DEL", j.Key.Spec())
	if had, err = r.Halt(ctx, -5); err != nil || had || server.Do("GET", j.Key.Spec()) != j.Text {
		t.Errorf("halted again: the spec was there: %v, %v", had, err)
	}
	if err := r.Rule(ctx, -5); err != nil {
		t.Error(err)
	}
	if err := r.Rule(ctx, -6); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("another rules: %v", err)
	}
	if err := r.Mark(ctx, &protocol.State{Round: 3, Until: 5}, "new", -6); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("another marks: %v", err)
	}
	if err := r.Mark(ctx, &protocol.State{Round: 3, Until: 5}, "new", -5); err != nil {
		t.Error(err)
	}
	if state, mended, err := c.Read(ctx); err != nil || state.Round != 3 || mended != "new" {
		t.Errorf("%+v, mended %q, %v", state, mended, err)
	}
	if err := r.MakeHeads(ctx, 3, "heads"); err != nil {
		t.Error(err)
	}
	for _, head := range j.heads() {
		got := strings.Fields(server.Do("HMGET", head, "id", "floor", "mark"))
		if !slices.Equal(got, []string{"7/0", "3", "heads"}) {
			t.Errorf("%s is %q", head, got)
		}
	}
	err = errors.Join(r.Unlock(ctx, "another"), r.Lock(ctx, "me"), r.Unlock(ctx, "me"), r.Lock(ctx, "another"))
	if err != nil {
		t.Errorf("only its owner gives a lock back: %v", err)
	}
	if err := r.Resume(ctx, -5); err != nil || server.Do("EXISTS", j.Key.Leader()) != "0" {
		t.Errorf("resumed: %v", err)
	}
	if err := r.Forget(ctx); err != nil || server.Do("EXISTS", j.Key.Spec()) != "0" {
		t.Errorf("forgotten: %v", err)
	}
}

// Offices and locks last as long as they should: a lease for workers and leaders, three for whoever mends.
func TestExpiry(t *testing.T) {
	server, j := created(t)
	ctx, c, r := t.Context(), Control{j}, Repair{j}
	if _, err := c.Join(ctx, 11, "{}"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Beat(ctx, 11, "{}", ""); err != nil {
		t.Fatal(err)
	}
	if err := r.Lock(ctx, "me"); err != nil {
		t.Fatal(err)
	}
	left := func(key string) time.Duration {
		d, err := time.ParseDuration(strings.TrimSpace(server.Do("PTTL", key)) + "ms")
		if err != nil {
			t.Error(err)
		}
		return d
	}
	check := func(key string, want time.Duration) {
		t.Helper()
		if got := left(key); got > want || got < want-20*time.Second {
			t.Errorf("%s lasts for %v, want %v", key, got, want)
		}
	}
	check(j.Key.Lease(11), time.Minute)
	check(j.Key.Leader(), time.Minute)
	check(j.Key.Lock(), 3*time.Minute)
	if _, err := r.Halt(ctx, -5); err != nil {
		t.Fatal(err)
	}
	check(j.Key.Leader(), 3*time.Minute)
}

// While a job is mended, nothing of it is removed.
func TestRemoveWaitsForMender(t *testing.T) {
	server, j := created(t)
	server.Do("DEL", j.Key.Spec())
	server.Do("SET", j.Key.Lock(), "mender")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Remove(ctx, j.Store, "job"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if server.Do("EXISTS", j.Key.State()) != "1" {
		t.Error("the state is gone")
	}
	if err := j.RemoveKeys(t.Context()); err != nil {
		t.Error(err)
	}
	server.Do("SET", j.Key.Lease(5), "1")
	if err := j.RemoveKeys(t.Context()); err != nil {
		t.Error(err)
	}
	if got := server.Keys(); !slices.Equal(got, []string{j.Key.Lock(), j.Key.Lease(5)}) {
		t.Errorf("keys %q are left, want the lock and the lease", got)
	}
}
