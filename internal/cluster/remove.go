package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/store"
)

// Remove deletes everything that carries a job's name, and returns how many keys
// there were. The job is marked as removed until no worker has a lease: that takes
// up to a third of a lease where all are well, and a lease where one is not.
func Remove(ctx context.Context, st *store.Store, name string) (int, error) {
	if err := CheckName(name); err != nil {
		return 0, err
	}
	j := &Job{Name: name, store: st, keys: keys{name}}
	values, err := st.Get(ctx, j.keys.spec())
	if err != nil {
		return 0, err
	}
	removed := 0
	if values[0] != nil {
		removed = 1
	}
	id := anyJob
	if values[0] != nil && j.readSpec(string(values[0])) == nil {
		id = j.id()
	}
	_, err = j.ask(ctx, scriptRemove, []string{j.keys.spec(), j.keys.leader(), j.keys.owners(), j.keys.state(), j.keys.removed()}, id)
	if err != nil {
		return removed, err
	}
	for pause := newPause(); ; {
		n, here, err := j.removeBlobs(ctx)
		removed += n
		if err != nil {
			return removed, err
		}
		if !here {
			break
		}
		if err := pause.wait(ctx); err != nil {
			return removed, err
		}
	}
	return removed, errors.Join(j.removeRest(ctx), j.removeState())
}

// anyJob is the id of a job whose own cannot be read.
const anyJob = "any"

// removeBlobs deletes all but the mark and the leases. It says whether somebody still
// has a lease or mends the job.
func (j *Job) removeBlobs(ctx context.Context) (removed int, here bool, err error) {
	found, err := j.Keys(ctx)
	if err != nil {
		return 0, false, err
	}
	lease := j.keys.control("lease:")
	here = slices.ContainsFunc(found, func(key string) bool { return strings.HasPrefix(key, lease) })
	if absent, err := j.store.Missing(ctx, j.keys.lock()); err != nil {
		return 0, false, err
	} else if len(absent) == 0 {
		here = true
	}
	found = slices.DeleteFunc(found, func(key string) bool { return strings.HasPrefix(key, lease) || key == j.keys.removed() })
	return len(found), here, j.store.Delete(ctx, found...)
}

// removeRest deletes what is left, and what late writers add to it.
func (j *Job) removeRest(ctx context.Context) error {
	for {
		found, err := j.Keys(ctx)
		if err != nil || len(found) == 0 {
			return err
		}
		if err := j.store.Delete(ctx, found...); err != nil {
			return err
		}
	}
}

// removeKeys deletes everything but the leases, before a job is put into the store anew.
func removeKeys(ctx context.Context, st *store.Store, name string) error {
	j := &Job{Name: name, store: st, keys: keys{name}}
	if err := st.Delete(ctx, j.keys.spec(), j.keys.owners()); err != nil {
		return err
	}
	_, _, err := j.removeBlobs(ctx)
	if errors.Is(err, ErrGone) {
		return nil
	}
	return err
}
