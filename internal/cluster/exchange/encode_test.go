package exchange

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
)

// bare returns what exchanges have in common, of a job that nobody works on.
func bare(spec protocol.Spec, threads int) *core {
	job := &records.Job{Blobs: records.Blobs{Layout: protocol.NewLayout("job", spec)}}
	takes := func(int, int) bool { return true }
	return &core{
		o: Options{Task: records.Task{Job: job, Takes: takes}, Threads: threads}, tally: NewTally("worker", "cpu", threads),
		limit: make(chan struct{}, mostWrites),
	}
}

// All goroutines add to the totals, and none keeps anything for the next time, though another one's work failed.
func TestShare(t *testing.T) {
	x, totals := bare(protocol.Spec{Topics: 2}, 3), []uint64{10, 10}
	all := func(fault error) func(c *coder, i int) error {
		var met sync.WaitGroup // so that each number has a goroutine
		met.Add(3)
		return func(c *coder, i int) error {
			c.totals[1] += uint64(i) - 2 // modulo 2^64
			met.Done()
			met.Wait()
			return fault
		}
	}
	if err := x.share(3, totals, all(nil)); err != nil || !slices.Equal(totals, []uint64{10, 7}) {
		t.Errorf("totals %v, %v", totals, err)
	}
	fault := errors.New("it fails")
	if err := x.share(3, totals, all(fault)); !errors.Is(err, fault) {
		t.Errorf("all fail: %v", err)
	}
	totals = []uint64{10, 10}
	if err := x.share(0, totals, nil); err != nil || !slices.Equal(totals, []uint64{10, 10}) {
		t.Errorf("nothing is added, and totals are %v, %v", totals, err)
	}
}
