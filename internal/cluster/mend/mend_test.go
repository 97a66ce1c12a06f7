package mend

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
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
	spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Parts: 1, Slices: 1, Topics: 1, Words: 1, Lease: time.Minute}
	job, err := protocol.Create(t.Context(), st, "away", spec, protocol.State{Round: -1}, nil, []uint64{1})
	if err != nil {
		t.Fatal(err)
	}
	halt := func() *mender {
		m := &mender{job: job, owner: "1", nobody: "-5"}
		_, err := job.Ask(t.Context(), protocol.ScriptHalt, []string{job.Key.Spec(), job.Key.Removed(), job.Key.Leader(), job.Key.Members(), job.Key.Owners()},
			job.Text, job.IDText(), protocol.Milliseconds(job.Lease), job.Key.Control("lease:"), m.nobody)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	made := job.Key.Rows(0, 3)
	if err := job.Put(t.Context(), []protocol.Write{{Head: job.Key.Slice(0, "head"), Key: made, Round: 3, Blob: []byte("rows")}}); err != nil {
		t.Fatal(err)
	}

	m := halt()
	if err := st.Delete(t.Context(), job.Key.Leader()); err != nil { // it has run out
		t.Fatal(err)
	}
	if _, err := job.Ask(t.Context(), protocol.ScriptLock, []string{job.Key.Leader()}, "12", protocol.Milliseconds(job.Lease)); err != nil {
		t.Fatal(err)
	}
	if err := m.sweep(t.Context(), nil); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("sweeping: %v", err)
	}
	if err := m.mark(t.Context(), &protocol.State{Round: -1, Until: 9}); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("marking: %v", err)
	}
	state, mark, err := job.Read(t.Context())
	if err != nil || state.Until == 9 || mark != "" || !slices.Contains(server.Keys(), made) {
		t.Errorf("state %+v, mark %q, %v; keys %v", state, mark, err, server.Keys())
	}

	m = halt() // which was not away
	if err := errors.Join(m.sweep(t.Context(), nil), m.mark(t.Context(), &protocol.State{Round: -1, Until: 9})); err != nil {
		t.Fatal(err)
	}
	if state, mark, err = job.Read(t.Context()); err != nil || state.Until != 9 || mark == "" || slices.Contains(server.Keys(), made) {
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
	spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Parts: 1, Slices: 1, Topics: 1, Words: 1, Lease: time.Second}
	job, err := protocol.Create(t.Context(), st, "missed", spec, protocol.State{Round: -1}, nil, []uint64{1})
	if err != nil {
		t.Fatal(err)
	}
	var rows blob.Encoder
	rows.Begin(nil, job.BlobID(blob.Counts, 3, 0)(0))
	rows.Counts(0, []counts.Entry{{Topic: 0, Count: 1}})
	err = job.Put(t.Context(), []protocol.Write{
		{Head: job.Key.Slice(0, "head"), Key: job.Key.Rows(0, 3), Round: 3, Blob: rows.Finish()},
		{Head: job.Key.Part(0, "head"), Key: job.Key.Topics(0, 3), Round: 3, Blob: blob.EncodeTopics(job.PartID(0, 3), []uint32{0}, 1)},
	})
	if err == nil {
		err = st.Delete(t.Context(), job.Key.State())
	}
	if err != nil {
		t.Fatal(err)
	}
	type result struct {
		*Result
		err error
	}
	mend := func(known *protocol.State) chan result {
		c := make(chan result, 1)
		go func() {
			done, err := Job(t.Context(), Options{Job: job, Spans: []sampler.Span{{LastDoc: 1, End: 1, LastBlock: 1}}, Known: known})
			c <- result{done, err}
		}()
		return c
	}
	missed := mend(&protocol.State{Round: 0})
	time.Sleep(50 * time.Millisecond)
	knows := <-mend(&protocol.State{Round: 3})
	if knows.err != nil || knows.State.Round != 3 || knows.Others {
		t.Errorf("the one that knows: %+v, %v", knows.Result, knows.err)
	}
	if waited := <-missed; waited.err != nil || waited.State.Round != 3 || !waited.Others {
		t.Errorf("the one that missed it: %+v, %v", waited.Result, waited.err)
	}
}
