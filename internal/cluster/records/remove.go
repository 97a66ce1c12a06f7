package records

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// Remove deletes all keys of a job, and returns how many there were. It leaves a tombstone, and waits until no worker
// has a lease. That takes up to a third of a lease if all workers run, and a lease if one does not.
func Remove(ctx context.Context, st *store.Store, name string) (int, error) {
	if err := protocol.CheckName(name); err != nil {
		return 0, err
	}
	j := &Job{Blobs: Blobs{protocol.NewLayout(name, protocol.Spec{}), st, nil}}
	removed, err := j.bury(ctx)
	if err != nil {
		return removed, err
	}
	for pause := protocol.PauseBy(protocol.Wall); ; {
		n, here, err := j.removeBlobs(ctx)
		if removed += n; err == nil && !here {
			break
		}
		if err == nil {
			err = pause.Wait(ctx)
		}
		if err != nil {
			return removed, err
		}
	}
	for { // what is left, and what late writers add to it
		found, err := j.Keys(ctx)
		if err == nil && len(found) > 0 {
			err = j.Store.Delete(ctx, found...)
		}
		if err != nil || len(found) == 0 {
			return removed, errors.Join(err, j.removeState())
		}
	}
}

// bury ends a job and leaves its tombstone. A job that is being mended may be absent for a moment, so bury waits until
// nobody mends it. It returns the number of keys that it removed.
func (j *Job) bury(ctx context.Context) (removed int, err error) {
	for pause := protocol.PauseBy(protocol.Wall); ; {
		values, err := j.Store.Get(ctx, j.Key.Spec(), j.Key.Lock())
		if err != nil {
			return 0, err
		}
		if values[0] == nil && values[1] != nil {
			if err := pause.Wait(ctx); err != nil {
				return 0, err
			}
			continue
		}
		id := protocol.AnyJob
		if values[0] != nil {
			removed = 1
			if j.readSpec(string(values[0])) == nil {
				id = j.IDText()
			}
		}
		keys := append(j.controls("spec leader owners state"), j.Key.Tombstone(id))
		_, err = j.ask(ctx, scriptRemove, keys, strconv.Itoa(protocol.TombstoneDays*24*60*60))
		return removed, err
	}
}

// removeBlobs deletes everything but the leases. here reports whether somebody still has a lease or
// mends the job.
func (j *Job) removeBlobs(ctx context.Context) (removed int, here bool, err error) {
	found, err := j.Keys(ctx)
	if err != nil {
		return 0, false, err
	}
	absent, err := j.Store.Missing(ctx, j.Key.Lock())
	if err != nil {
		return 0, false, err
	}
	here = len(absent) == 0
	found = slices.DeleteFunc(found, func(key string) bool {
		lease := strings.HasPrefix(key, j.Key.Control("lease:"))
		here = here || lease
		return lease
	})
	return len(found), here, j.Store.Delete(ctx, found...)
}

// RemoveKeys deletes everything but the leases, before a job is created again.
func (j *Job) RemoveKeys(ctx context.Context) error {
	if err := j.Store.Delete(ctx, j.Key.Spec(), j.Key.Owners()); err != nil {
		return err
	}
	// Twice: a worker that does not know of it may write between the listing of keys and the deletion of heads. The
	// second listing finds that, and after it writes are refused.
	for range 2 {
		if _, _, err := j.removeBlobs(ctx); err != nil && !errors.Is(err, protocol.ErrGone) {
			return err
		}
	}
	return nil
}
