package exchange

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// fetchJob is a job of two parts and two slices in a store.
func fetchJob(t *testing.T) *records.Job {
	t.Helper()
	spec := protocol.Spec{
		ID: 7, Protocol: protocol.Protocol, Parts: 2, Slices: 2, Topics: 3, Words: 2, Lease: time.Minute,
	}
	job, err := records.Create(t.Context(), connect(t), "job", spec, protocol.State{Round: -1}, nil, []uint64{1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// A fetch waits for all slices of all parts, tells meanwhile whose are missing, and has each blob in its place.
func TestFetchWaits(t *testing.T) {
	job := fetchJob(t)
	blobs := map[int][][]byte{}
	put := func(part int, slices ...int) {
		t.Helper()
		var writes []records.Write
		for _, slice := range slices {
			key := job.Key.Changes(slice, 5, part)
			writes = append(writes, records.Write{Key: key, Round: 5, Blob: blobs[part][slice]})
		}
		if err := job.Put(t.Context(), writes); err != nil {
			t.Fatal(err)
		}
	}
	for part := range 2 {
		for slice := range 2 {
			var e blob.Encoder
			e.Begin(nil, job.BlobID(blob.Changes, 5, part)(slice))
			blobs[part] = append(blobs[part], e.Finish())
		}
	}
	put(0, 0, 1)
	put(1, 1) // the last slice is there, another is not
	f := startFetch(t.Context(), job, 5, []int{1, 0})
	for want := []string{"p1"}; ; time.Sleep(time.Millisecond) {
		if awaited := f.awaited.Load(); awaited != nil && slices.Equal(*awaited, want) {
			break
		}
	}
	select {
	case <-f.done:
		t.Fatalf("it is done without a slice: %v", f.err)
	case <-time.After(10 * time.Millisecond):
	}
	put(1, 0)
	<-f.done
	if want := [][][]byte{blobs[1], blobs[0]}; f.err != nil || !reflect.DeepEqual(f.blobs, want) {
		t.Errorf("%v, or other blobs than were put", f.err)
	}
	nothing := startFetch(t.Context(), job, 6, nil)
	if <-nothing.done; nothing.err != nil {
		t.Errorf("nothing is fetched: %v", nothing.err)
	}
}

// A fetch that failed is told, and begun again the next time.
func TestFailedFetch(t *testing.T) {
	x := &wholeRows{core: bare(protocol.Spec{}, 1), fetches: map[int]*fetch{}, model: &rows.Model{Solo: -1}}
	fault := errors.New("the store is gone")
	x.fetches[3] = &fetch{done: make(chan struct{}), err: fault}
	close(x.fetches[3].done)
	if _, err := x.changesOfOthers(3); !errors.Is(err, fault) {
		t.Errorf("a fetch that failed: %v", err)
	}
	if x.fetches[3] != nil {
		t.Error("it is not begun again")
	}
}
