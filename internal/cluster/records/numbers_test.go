package records

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// created returns a job of three parts and two slices in a store of its own.
func created(t *testing.T) (*redistest.Server, *Job) {
	t.Helper()
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(st.Close)
	spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Topics: 2, Words: 3, Parts: 3, Slices: 2, Lease: time.Minute}
	j, err := Create(t.Context(), st, "job", spec, protocol.State{Round: -1, Until: 4}, nil, []uint64{1, 1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return server, j
}

// Every head is looked for: one that is missing, or refuses rounds that are not over, is named, whichever it is.
func TestCheckHeads(t *testing.T) {
	server, j := created(t)
	if err := j.CheckHeads(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(j.heads()); n != 5 {
		t.Errorf("%d heads, want one for each part and slice", n)
	}
	for _, head := range j.heads() {
		kept := strings.Fields(server.Do("HGETALL", head))
		if len(kept) == 0 {
			t.Fatalf("%s is no hash", head)
		}
		server.Do("DEL", head)
		if err := j.CheckHeads(t.Context()); !errors.Is(err, protocol.ErrGone) || !strings.Contains(err.Error(), head) {
			t.Errorf("without %s: %v", head, err)
		}
		server.Do(append([]string{"HSET", head}, kept...)...)
		if err := j.CheckHeads(t.Context()); err != nil {
			t.Fatalf("%s is back: %v", head, err)
		}
	}
}

// A job's status tells who has which part, who waits for whom, and how far parts are.
func TestStatus(t *testing.T) {
	server, j := created(t)
	c := Control{j}
	if s, err := j.Status(t.Context()); err != nil || len(s.Workers) != 0 || !slices.Equal(s.Rounds, []int{-1, -1, -1}) || s.Leader != 0 || s.State.Until != 4 {
		t.Fatalf("%+v: %v", s, err)
	}
	reports := []string{
		`{"name": "one", "joined": "2026-01-01T10:00:00Z", "awaits": ["p2", "s0", "p0", "p1"]}`,
		`{"name": "two", "joined": "2026-01-01T09:00:00Z", "awaits": ["p0", "p9", "s1"]}`,
	}
	for i, report := range reports {
		if _, err := c.Join(t.Context(), int64(11+i), report); err != nil {
			t.Fatal(err)
		}
	}
	server.Do("HSET", j.Key.Owners(), "p0", "11", "p1", "12", "p2", "12", "s0", "11", "s1", "12")
	server.Do("HSET", j.Key.Reached(), "r0", "5", "r2", "0", "p0", "3")
	s, err := j.Status(t.Context())
	if err != nil || len(s.Workers) != 2 {
		t.Fatalf("%+v: %v", s, err)
	}
	two, one := s.Workers[0], s.Workers[1] // the oldest first
	if one.Name != "one" || two.Name != "two" || one.Token != 11 || two.Token != 12 {
		t.Errorf("workers %+v", s.Workers)
	}
	if !slices.Equal(one.Has, []int{0}) || !slices.Equal(two.Has, []int{1, 2}) {
		t.Errorf("parts %v and %v", one.Has, two.Has)
	}
	if !slices.Equal(one.WaitsFor, []int64{12}) || !slices.Equal(two.WaitsFor, []int64{11}) {
		t.Errorf("waiting for %v and %v", one.WaitsFor, two.WaitsFor)
	}
	if !slices.Equal(s.Rounds, []int{5, -1, 0}) || len(s.Store) != 1 || s.Store[0].Used == 0 {
		t.Errorf("rounds %v, store %+v", s.Rounds, s.Store)
	}
	server.Do("HSET", j.Key.Reached(), "r1", "x")
	if _, err := j.Status(t.Context()); err == nil || !strings.Contains(err.Error(), j.Key.Reached()) {
		t.Errorf("a round that is no number: %v", err)
	}
}

// A removed job leaves a tombstone, which outlives the leases of its workers, and nothing else.
func TestRemovedIsMarked(t *testing.T) {
	server, j := created(t)
	if _, err := (Control{j}).Join(t.Context(), 11, "{}"); err != nil {
		t.Fatal(err)
	}
	if err := removeUntil(t, server, j, j.Key.Tombstone(j.IDText())); !errors.Is(err, context.Canceled) {
		t.Errorf("a job whose worker has a lease: %v", err)
	}
	if removed, there, err := (Control{j}).Removed(t.Context()); err != nil || !removed || there {
		t.Errorf("removed %v, there %v: %v", removed, there, err)
	}
	other := *j
	other.ID = 8
	if removed, _, err := (Control{&other}).Removed(t.Context()); err != nil || removed {
		t.Errorf("another job of this name: removed %v, %v", removed, err)
	}
	if err := (Control{j}).Leave(t.Context(), 11); err != nil {
		t.Fatal(err)
	}
	if _, err := Remove(t.Context(), j.Store, "job"); err != nil {
		t.Fatal(err)
	}
	if left := strings.TrimSpace(server.Do("KEYS", "*")); left != j.Key.Tombstone(j.IDText()) {
		t.Errorf("keys are left: %s", left)
	}
	server.Do("SET", j.Key.Spec(), "no spec")
	server.Do("SET", j.Key.Control("lease:5"), "1")
	_ = removeUntil(t, server, j, j.Key.Tombstone(protocol.AnyJob)) // of a job that cannot be read
}

// removeUntil removes a job whose worker has a lease, until there is a tombstone. It returns the fault.
func removeUntil(t *testing.T, server *redistest.Server, j *Job, tombstone string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	ended := make(chan error)
	go func() {
		_, err := Remove(ctx, j.Store, "job")
		ended <- err
	}()
	for ctx.Err() == nil && strings.TrimSpace(server.Do("EXISTS", tombstone)) != "1" {
		time.Sleep(time.Millisecond)
	}
	if ctx.Err() != nil {
		t.Errorf("there is no tombstone %s", tombstone)
	}
	cancel()
	return <-ended
}
