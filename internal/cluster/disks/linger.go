package disks

import (
	"context"
	"errors"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Linger stays until a job that is complete is removed; somebody else serves meanwhile. It says whether the job is to be worked on after
// all, because it was mended and goes on from an earlier barrier.
func (d *Disk) Linger(ctx context.Context) (again bool, err error) {
	d.tell("the model is complete: this worker stays until it is collected, because topics are on its disk")
	for {
		removed, again, err := d.look(ctx)
		if removed || again || err != nil {
			return again, err
		}
		select {
		case <-time.After(min(d.job.Lease/4, time.Second)):
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// look looks whether a job that was complete has been removed, or is so no more.
func (d *Disk) look(ctx context.Context) (removed, again bool, err error) {
	now, err := d.job.Again(ctx)
	switch {
	case errors.Is(err, protocol.ErrCancelled):
		return true, false, nil
	case errors.Is(err, protocol.ErrMissing): // for a moment only, if somebody mends it
		absent, err := d.job.Store.Missing(ctx, d.job.Key.Lock())
		return len(absent) > 0, false, err
	case err != nil:
		return false, false, err
	}
	state, _, err := now.Read(ctx)
	if err != nil || state == nil {
		return false, false, nil // which those who work on it see to
	}
	return false, !state.Finished, nil
}
