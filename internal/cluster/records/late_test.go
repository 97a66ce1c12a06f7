package records

import (
	"errors"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// Blobs of rounds that are over, or of a job that is, leave no trace.
func TestLateWrites(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Topics: 2, Words: 3, Parts: 2, Slices: 2, Lease: time.Minute}
	j, err := Create(t.Context(), st, "late", spec, protocol.State{Round: -1}, nil, []uint64{1, 1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	put := func(j *Job, round int) error {
		return j.Put(t.Context(), []Write{{Key: j.Key.Changes(1, round, 0), Round: round, Blob: []byte("x")}})
	}
	has := func(round int) bool {
		values, err := st.Get(t.Context(), j.Key.Changes(1, round, 0))
		if err != nil {
			t.Fatal(err)
		}
		return values[0] != nil
	}
	for round := 1; round <= 4; round++ {
		if err := put(j, round); err != nil || !has(round) {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	if err := (Control{j}).Raise(t.Context(), &protocol.State{Round: 3}); err != nil {
		t.Fatal(err)
	}
	for round, want := range map[int]bool{1: false, 2: false, 3: false, 4: true} {
		if has(round) != want {
			t.Errorf("after the barrier of round 3, round %d is there: %v", round, !want)
		}
	}
	if err := put(j, 2); !errors.Is(err, errAhead) || has(2) {
		t.Errorf("a head that refuses rounds after the last barrier: %v", err)
	}
	repair := Repair{j}
	if _, err := repair.Halt(t.Context(), -5); err != nil {
		t.Fatal(err)
	}
	if err := repair.Mark(t.Context(), &protocol.State{Round: 3}, "mark", -5); err != nil {
		t.Fatal(err)
	}
	if err := put(j, 2); err != nil || has(2) {
		t.Errorf("a late write is kept, or an error: %v", err)
	}
	other := *j
	other.ID = 8
	if err := put(&other, 5); !errors.Is(err, protocol.ErrGone) || has(5) {
		t.Errorf("a write of another job: %v", err)
	}
	if n, err := Remove(t.Context(), st, "late"); n == 0 || err != nil {
		t.Fatalf("removed %d keys, %v", n, err)
	}
	if err := put(j, 6); !errors.Is(err, protocol.ErrGone) {
		t.Errorf("a write after the end: %v", err)
	}
	if left := server.Left(); len(left) > 0 {
		t.Errorf("keys are left: %s", left)
	}
}
