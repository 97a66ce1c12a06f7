package mend

import (
	"errors"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/store"
)

// A worker that mends and is stopped for so long that another leads meanwhile does not put the old state back.
func TestMenderThatWasAway(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Parts: 1, Slices: 1, Topics: 1, Words: 1, Lease: time.Minute}
	job, err := records.Create(t.Context(), st, "away", spec, protocol.State{Round: -1}, nil, []uint64{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	repair := records.Repair{Job: job}
	halt := func() {
		if _, err := repair.Halt(t.Context(), -5); err != nil {
			t.Fatal(err)
		}
	}
	halt()
	if err := st.Delete(t.Context(), job.Key.Leader()); err != nil { // it has run out
		t.Fatal(err)
	}
	control := records.Control{Job: job}
	if _, err := control.Join(t.Context(), 12, "{}"); err != nil {
		t.Fatal(err)
	}
	if b, err := control.Beat(t.Context(), 12, "{}", ""); err != nil || b.Leader != 12 {
		t.Fatalf("%+v, %v", b, err)
	}
	if err := repair.Rule(t.Context(), -5); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("ruling: %v", err)
	}
	if err := repair.Mark(t.Context(), &protocol.State{Round: -1, Until: 9}, "m", -5); !errors.Is(err, protocol.ErrLost) {
		t.Errorf("marking: %v", err)
	}
	state, mark, err := job.Read(t.Context())
	if err != nil || state.Until == 9 || mark != "" {
		t.Errorf("state %+v, mark %q, %v", state, mark, err)
	}

	halt() // which was not away
	if err := errors.Join(repair.Rule(t.Context(), -5), repair.Mark(t.Context(), &protocol.State{Round: -1, Until: 9}, "m", -5)); err != nil {
		t.Fatal(err)
	}
	if state, mark, err = job.Read(t.Context()); err != nil || state.Until != 9 || mark == "" {
		t.Errorf("state %+v, mark %q, %v", state, mark, err)
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
	job, err := records.Create(t.Context(), st, "missed", spec, protocol.State{Round: -1}, nil, []uint64{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var rows blob.Encoder
	rows.Begin(nil, job.BlobID(blob.Counts, 3, 0)(0))
	rows.Counts(0, []counts.Entry{{Topic: 0, Count: 1}})
	err = job.Put(t.Context(), []records.Write{
		{Key: job.Key.Rows(0, 3), Round: 3, Blob: rows.Finish()},
		{Key: job.Key.Topics(0, 3), Round: 3, Blob: blob.EncodeTopics(job.PartID(0, 3), []uint32{0}, 1)},
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
			done, err := Job(t.Context(), Options{Task: records.Task{Job: job, Spans: []sampler.Span{{LastDoc: 1, End: 1, LastBlock: 1}}}, Known: known})
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
