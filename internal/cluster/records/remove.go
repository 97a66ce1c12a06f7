package records

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// Remove deletes everything that carries a job's name, and returns how many keys
// there were. The job is marked as removed until no worker has a lease: that takes
// up to a third of a lease where all are well, and a lease where one is not.
func Remove(ctx context.Context, st *store.Store, name string) (int, error) {
	if err := protocol.CheckName(name); err != nil {
		return 0, err
	}
	j := &Job{Blobs: Blobs{protocol.NewLayout(name, protocol.Spec{}), st}}
	values, err := st.Get(ctx, j.Key.Spec())
	if err != nil {
		return 0, err
	}
	removed := 0
	if values[0] != nil {
		removed = 1
	}
	id := AnyJob
	if values[0] != nil && j.readSpec(string(values[0])) == nil {
		id = j.IDText()
	}
	_, err = j.Ask(ctx, scriptRemove, []string{j.Key.Spec(), j.Key.Leader(), j.Key.Owners(), j.Key.State(), j.Key.Removed()}, id)
	if err != nil {
		return removed, err
	}
	for pause := protocol.NewPause(); ; {
		n, here, err := j.removeBlobs(ctx)
		removed += n
		if err != nil {
			return removed, err
		}
		if !here {
			break
		}
		if err := pause.Wait(ctx); err != nil {
			return removed, err
		}
	}
	return removed, errors.Join(j.removeRest(ctx), j.removeState())
}

// AnyJob is the id of a job whose own cannot be read.
const AnyJob = "any"

// removeBlobs deletes all but the mark and the leases. It says whether somebody still
// has a lease or mends the job.
func (j *Job) removeBlobs(ctx context.Context) (removed int, here bool, err error) {
	found, err := j.Keys(ctx)
	if err != nil {
		return 0, false, err
	}
	lease := j.Key.Control("lease:")
	here = slices.ContainsFunc(found, func(key string) bool { return strings.HasPrefix(key, lease) })
	if absent, err := j.Store.Missing(ctx, j.Key.Lock()); err != nil {
		return 0, false, err
	} else if len(absent) == 0 {
		here = true
	}
	found = slices.DeleteFunc(found, func(key string) bool { return strings.HasPrefix(key, lease) || key == j.Key.Removed() })
	return len(found), here, j.Store.Delete(ctx, found...)
}

// removeRest deletes what is left, and what late writers add to it.
func (j *Job) removeRest(ctx context.Context) error {
	for {
		found, err := j.Keys(ctx)
		if err != nil || len(found) == 0 {
			return err
		}
		if err := j.Store.Delete(ctx, found...); err != nil {
			return err
		}
	}
}

// RemoveKeys deletes everything but the leases, before a job is put into the store anew.
func RemoveKeys(ctx context.Context, st *store.Store, name string) error {
	j := &Job{Blobs: Blobs{protocol.NewLayout(name, protocol.Spec{}), st}}
	if err := st.Delete(ctx, j.Key.Spec(), j.Key.Owners()); err != nil {
		return err
	}
	// Twice: what a worker that has not heard of it writes between the listing of keys and the
	// deletion of heads is met by the second listing, and after that writes are refused.
	for range 2 {
		if _, _, err := j.removeBlobs(ctx); err != nil && !errors.Is(err, protocol.ErrGone) {
			return err
		}
	}
	return nil
}
