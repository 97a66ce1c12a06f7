package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
)

// Recover puts a job back into a store that has lost it, or some of it. One worker
// does it, by calling create when nothing of the job is left; the others wait until
// it is there. It returns the job as it is then.
func (j *Job) Recover(ctx context.Context, create func() error) (*Job, error) {
	for pause := newPause(); ; {
		now, err := j.present(ctx)
		if err != nil || now != nil {
			return now, err
		}
		done, err := j.recoverAlone(ctx, create)
		if err != nil {
			return nil, err
		}
		if !done {
			if err := pause.wait(ctx); err != nil {
				return nil, err
			}
		}
	}
}

// present returns the job if the store has it whole, else nil.
func (j *Job) present(ctx context.Context) (*Job, error) {
	now, err := Open(ctx, j.store, j.Name, j.Program)
	switch {
	case errors.Is(err, ErrNoJob):
		return nil, nil
	case err != nil:
		return nil, err
	case now.ID != j.ID:
		return nil, j.gone()
	}
	state, err := now.State(ctx)
	if errors.Is(err, ErrGone) || err == nil && state == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	whole, err := now.whole(ctx)
	if err != nil || !whole {
		return nil, err
	}
	return now, nil
}

// recoverAlone removes what is left and calls create, unless another worker is
// doing so. The lock is no key of the job, so that removing those leaves it, and
// expires by itself.
func (j *Job) recoverAlone(ctx context.Context, create func() error) (done bool, err error) {
	lock := []string{"topoi:{" + j.Name + "!}:recovery"}
	mine := strconv.FormatUint(rand.Uint64(), 16)
	if _, err := j.ask(ctx, scriptLock, lock, mine, milliseconds(6*j.Lease)); err != nil {
		if errors.Is(err, errLost) {
			return false, nil
		}
		return false, err
	}
	defer func() {
		_, unlockErr := j.ask(ctx, scriptUnlock, lock, mine)
		err = errors.Join(err, unlockErr)
	}()
	if now, err := j.present(ctx); err != nil || now != nil {
		return true, err // another was faster
	}
	if _, err := Remove(ctx, j.store, j.Name); err != nil {
		return false, err
	}
	return true, create()
}
