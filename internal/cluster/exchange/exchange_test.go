package exchange

import (
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// The owner of a slice makes rows of those before and what parts changed, from memory or from the store.
func TestMake(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for name, lose := range map[string]bool{"memory": false, "store": true} {
		spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Parts: 2, Slices: 1, Topics: 3, Words: 1, Apart: true, Lease: time.Minute}
		frequencies := []uint64{4}
		job, err := records.Create(t.Context(), st, name, spec, protocol.State{Round: -1}, nil, frequencies, nil)
		if err != nil {
			t.Fatal(err)
		}
		var e blob.Encoder
		e.Begin(nil, job.BlobID(blob.Counts, 0, 0)(0))
		e.Counts(0, []counts.Entry{{Topic: 0, Count: 3}, {Topic: 1, Count: 1}})
		writes := []records.Write{{Key: job.Key.Rows(0, 0), Round: 0, Blob: e.Finish()}}
		for round := 1; round <= 2; round++ {
			for part := range 2 {
				e.Begin(nil, job.BlobID(blob.Changes, round, part)(0))
				e.Changes(0, []counts.Change{{Topic: 0, Delta: -1}, {Topic: uint32(1 + part), Delta: 1}})
				writes = append(writes, records.Write{Key: job.Key.Changes(0, round, part), Round: round, Blob: e.Finish()})
				if round == 2 {
					break // the other part has nothing to do
				}
			}
		}
		if err := job.Put(t.Context(), writes); err != nil {
			t.Fatal(err)
		}
		x := New(t.Context(), func(error) {}, Options{Task: records.Task{Job: job, Cut: rows.NewCut(frequencies, 3, 1)}, Tally: NewTally("a", "cpu", 1), Threads: 1})
		x.o.Takes = func(part, round int) bool { return round == 1 || part == 0 }
		for round := 1; round <= 2; round++ {
			if err := x.apart.makeRows(t.Context(), 0, round); err != nil {
				t.Fatal(err)
			}
			if lose {
				x.apart.loseSlice(0) // so that the next one comes from the store
			}
		}
		values, err := st.Get(t.Context(), job.Key.Rows(0, 2))
		if err != nil || values[0] == nil {
			t.Fatalf("%s: nothing was made: %v", name, err)
		}
		d, err := blob.Open(values[0], job.BlobID(blob.Counts, 2, 0)(0))
		if err != nil || !d.Next() {
			t.Fatal(err)
		}
		want := []counts.Entry{{Topic: 1, Count: 3}, {Topic: 2, Count: 1}}
		if got := d.Counts(nil); !slices.Equal(got, want) {
			t.Errorf("rows %v, want %v", got, want)
		}
	}
}

// A report has the times that were spent, and what the worker waits for.
func TestTally(t *testing.T) {
	tally := NewTally("a", "cpu", 4)
	tally.Waited(time.Second)
	tally.spend(&tally.report.Coding, time.Now().Add(-time.Minute))
	tally.update(func(r *protocol.Report) { r.Rounds++ })
	tally.awaits("p3", "p5")
	r := tally.Report(10, 20, 2)
	if r.Waiting != time.Second || r.Coding < time.Minute || r.Rounds != 1 || !slices.Equal(r.Awaits, []string{"p3", "p5"}) || r.Sent != 10 || r.Slices != 2 {
		t.Errorf("%+v", r)
	}
}
