package cluster

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/sampler"
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

// A worker that missed a barrier cannot put back a state that the store has lost: what it knows of has been deleted. It waits for
// one that knows the later state.
func TestMenderThatMissedABarrier(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	spec := Spec{ID: 7, Protocol: Protocol, Parts: 1, Slices: 1, Topics: 1, Words: 1, Lease: time.Second}
	job, err := Create(t.Context(), st, "missed", spec, State{Round: -1}, nil, []uint64{1})
	if err != nil {
		t.Fatal(err)
	}
	var rows blob.Encoder
	rows.Begin(nil, job.blobID(blob.Counts, 3, 0)(0))
	rows.Counts(0, []counts.Entry{{Topic: 0, Count: 1}})
	err = job.put(t.Context(), []blobWrite{
		{job.keys.slice(0, "head"), job.keys.rows(0, 3), 3, rows.Finish()},
		{job.keys.part(0, "head"), job.keys.topics(0, 3), 3, blob.EncodeTopics(job.partID(0, 3), []uint32{0}, 1)},
	})
	if err == nil {
		err = st.Delete(t.Context(), job.keys.state())
	}
	if err != nil {
		t.Fatal(err)
	}
	o := WorkOptions{Job: job, Spans: []sampler.Span{{LastDoc: 1, End: 1, LastBlock: 1}}}
	type result struct {
		*Mending
		err error
	}
	mend := func(known *State) chan result {
		c := make(chan result, 1)
		go func() {
			done, err := Mend(t.Context(), o, Lost{Job: job, State: known}, nil)
			c <- result{done, err}
		}()
		return c
	}
	missed := mend(&State{Round: 0})
	time.Sleep(50 * time.Millisecond)
	knows := <-mend(&State{Round: 3})
	if knows.err != nil || knows.State.Round != 3 || knows.Others {
		t.Errorf("the one that knows: %+v, %v", knows.Mending, knows.err)
	}
	if waited := <-missed; waited.err != nil || waited.State.Round != 3 || !waited.Others {
		t.Errorf("the one that missed it: %+v, %v", waited.Mending, waited.err)
	}
}
