package exchange

import (
	"context"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/guard"
)

// mostWrites bounds the writes that wait for the store.
const mostWrites = 4

// put writes blobs beside the work, and calls done, unless it is nil, when they are written.
func (x *core) put(writes []records.Write, done func() error) error {
	return x.background(func() error {
		err := x.o.Job.Put(x.ctx, writes)
		if err == nil && done != nil {
			err = done()
		}
		return err
	})
}

// reached returns a function that notes that others have all that a part changed in a round.
func (x *core) reached(p *localPart, round int) func() error {
	return func() error { return x.worker.Reach(x.ctx, "r", p.Number, "p", round) }
}

// background runs a write beside the work. Its error ends the session.
func (x *core) background(write func() error) error {
	begin := time.Now()
	select {
	case x.limit <- struct{}{}:
	case <-x.ctx.Done():
		return context.Cause(x.ctx)
	}
	x.tally.spend(&x.tally.report.Waiting, begin)
	x.writes.Go(func() {
		defer func() { <-x.limit }()
		if err := guard.Try(write); err != nil {
			x.cancel(err)
		}
	})
	return nil
}

func (x *core) Flush(context.Context) error {
	begin := time.Now()
	x.writes.Wait()
	x.tally.spend(&x.tally.report.Waiting, begin)
	return context.Cause(x.ctx)
}
