package cluster

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// A worker that mends and is stopped for so long that another leads meanwhile neither deletes
// what that one made nor puts the old state back.
func TestMenderThatWasAway(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	spec := Spec{ID: 7, Protocol: Protocol, Parts: 1, Slices: 1, Topics: 1, Words: 1, Lease: time.Minute}
	job, err := Create(t.Context(), st, "away", spec, State{Round: -1}, nil, []uint64{1})
	if err != nil {
		t.Fatal(err)
	}
	halt := func() *mender {
		m := &mender{job: job, owner: "1", nobody: "-5"}
		_, err := job.ask(t.Context(), scriptHalt, []string{job.keys.spec(), job.keys.removed(), job.keys.leader(), job.keys.members(), job.keys.owners()},
			job.text, job.id(), milliseconds(job.Lease), job.keys.control("lease:"), m.nobody)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	made := job.keys.rows(0, 3)
	if err := job.put(t.Context(), []blobWrite{{job.keys.slice(0, "head"), made, 3, []byte("rows")}}); err != nil {
		t.Fatal(err)
	}

	m := halt()
	if err := st.Delete(t.Context(), job.keys.leader()); err != nil { // it has run out
		t.Fatal(err)
	}
	if _, err := job.ask(t.Context(), scriptLock, []string{job.keys.leader()}, "12", milliseconds(job.Lease)); err != nil {
		t.Fatal(err)
	}
	if err := m.sweep(t.Context(), nil); !errors.Is(err, errLost) {
		t.Errorf("sweeping: %v", err)
	}
	if err := m.mark(t.Context(), &State{Round: -1, Until: 9}); !errors.Is(err, errLost) {
		t.Errorf("marking: %v", err)
	}
	state, mark, err := job.read(t.Context())
	if err != nil || state.Until == 9 || mark != "" || !slices.Contains(server.Keys(), made) {
		t.Errorf("state %+v, mark %q, %v; keys %v", state, mark, err, server.Keys())
	}

	m = halt() // which was not away
	if err := errors.Join(m.sweep(t.Context(), nil), m.mark(t.Context(), &State{Round: -1, Until: 9})); err != nil {
		t.Fatal(err)
	}
	if state, mark, err = job.read(t.Context()); err != nil || state.Until != 9 || mark == "" || slices.Contains(server.Keys(), made) {
		t.Errorf("state %+v, mark %q, %v; keys %v", state, mark, err, server.Keys())
	}
}
