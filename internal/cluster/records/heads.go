package records

import (
	"context"
	"errors"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// heads returns the keys of the heads of all slices and parts.
func (j *Blobs) heads() (names []string) {
	for i := range j.Slices {
		names = append(names, j.Key.Slice(i, "head"))
	}
	for i := range j.Parts {
		names = append(names, j.Key.Part(i, "head"))
	}
	return names
}

// CheckHeads returns protocol.Damage about a head of a slice or part that is missing, cannot be read, or refuses rounds that are
// not over. Heads are there from the beginning to the end of a job.
func (j *Job) CheckHeads(ctx context.Context) error {
	var calls []store.Call
	for _, head := range j.heads() {
		calls = append(calls, store.Call{Keys: []string{head}, Args: []string{j.IDText()}})
	}
	answers, err := j.Store.RunAll(ctx, scriptHead, calls)
	if err != nil {
		return err
	}
	floors := make([]int64, len(answers))
	for i, a := range answers {
		answer, err := j.understand(a)
		if err = headFault(calls[i].Keys[0], err); err != nil {
			return err
		}
		if floors[i], err = answer[1].AsInt64(); err != nil {
			return err
		}
	}
	// The state is read after the heads, because a barrier is published before they are raised.
	state, err := j.State(ctx)
	if err != nil || state == nil {
		return err
	}
	for i, floor := range floors {
		if floor > int64(j.Floor(state)) {
			return &protocol.Damage{Key: calls[i].Keys[0], Err: errAhead}
		}
	}
	return nil
}

// headFault turns what a script said of a head into protocol.Damage about it.
func headFault(head string, err error) error {
	switch {
	case errors.Is(err, errBroken):
		return &protocol.Damage{Key: head, Err: err}
	case errors.Is(err, protocol.ErrGone):
		return protocol.Missing(head)
	}
	return err
}
