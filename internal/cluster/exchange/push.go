package exchange

import (
	"context"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/guard"
)

// keep remembers the blobs of this worker's own changes until the model has them.
func (x *wholeRows) keep(round, part int, blobs [][]byte) {
	if x.own[round] == nil {
		x.own[round] = map[int][][]byte{}
	}
	x.own[round][part] = blobs
}

// pushes are blobs on their way to the store.
type pushes struct {
	group sync.WaitGroup
	limit chan struct{}
}

// mostPushes bounds the rounds of changes that wait to be written.
const mostPushes = 4

// push writes the changes of a part in the background, and then notes how far the
// part is. Without changes only that is done.
func (x *core) push(p *held, round int, blobs [][]byte) error {
	j := x.o.Job
	writes := make([]records.Write, len(blobs), len(blobs)+1)
	for i, b := range blobs {
		writes[i] = records.Write{Head: j.Key.Slice(i, "head"), Key: j.Key.Changes(i, round, p.Number), Round: round, Blob: b}
	}
	if j.Apart { // a round without changes
		writes = append(writes, j.TotalsWrite(p.Number, round, p.totals))
	}
	return x.background(func() error {
		if err := j.Put(x.ctx, writes); err != nil {
			return err
		}
		return x.worker.Reach(x.ctx, "r", p.Number, "p", round)
	})
}

// background runs a write beside the work. Its error ends the session.
func (x *core) background(write func() error) error {
	if x.pushes.limit == nil {
		x.pushes.limit = make(chan struct{}, mostPushes)
	}
	begin := time.Now()
	select {
	case x.pushes.limit <- struct{}{}:
	case <-x.ctx.Done():
		return context.Cause(x.ctx)
	}
	x.tally.spend(&x.tally.report.Waiting, begin)
	x.pushes.group.Go(func() {
		defer func() { <-x.pushes.limit }()
		if err := guard.Try(write); err != nil {
			x.cancel(err)
		}
	})
	return nil
}

// flush waits until everything that was pushed is written.
func (x *core) flush() error {
	begin := time.Now()
	x.pushes.group.Wait()
	x.tally.spend(&x.tally.report.Waiting, begin)
	if x.ctx.Err() != nil {
		return context.Cause(x.ctx)
	}
	return nil
}
