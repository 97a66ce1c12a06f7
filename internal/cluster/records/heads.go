package records

import (
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// heads returns the keys of the heads of all slices and parts.
func (j *Blobs) heads() []string {
	parts := Each(j.Parts, func(i int) string { return j.Key.Part(i, "head") })
	return append(Each(j.Slices, func(i int) string { return j.Key.Slice(i, "head") }), parts...)
}

// MakeHeads makes the heads of slices and parts. The mark differs from that of the heads before.
func (j *Job) MakeHeads(ctx context.Context, floor int, mark string) error {
	var calls []store.Call
	for _, head := range j.heads() {
		calls = append(calls, store.Call{Keys: []string{head}, Args: []string{j.HeadID(), strconv.Itoa(floor), mark}})
	}
	_, err := j.Store.RunAll(ctx, scriptFound, calls)
	return err
}

// CheckHeads returns Damage about a head that is missing, cannot be read, or refuses rounds that are not over. Heads
// exist from the beginning to the end of a job.
func (j *Job) CheckHeads(ctx context.Context) error {
	floors, err := j.raise(ctx, math.MinInt32)
	if err != nil {
		return err
	}
	// The state is read after the heads, because a barrier is published before they are raised.
	state, err := j.State(ctx)
	if err != nil || state == nil {
		return err
	}
	for i, floor := range floors {
		if floor > int64(j.Floor(state)) {
			return &protocol.Damage{Key: j.heads()[i], Err: errAhead}
		}
	}
	return nil
}

// raise raises the floors of all heads to a barrier, and returns the floors. Those above the barrier stay.
func (j *Job) raise(ctx context.Context, barrier int) (floors []int64, err error) {
	var calls []store.Call
	for i, head := range j.heads() {
		parts := 0
		if i < j.Slices {
			parts = j.Parts // which write changes there
		}
		args := []string{j.HeadID()}
		for _, n := range []int{barrier, j.Staleness, parts, j.VersionsKept()} {
			args = append(args, strconv.Itoa(n))
		}
		calls = append(calls, store.Call{Keys: []string{head}, Args: args})
	}
	answers, err := j.Store.RunAll(ctx, scriptRaise, calls)
	for i := 0; i < len(answers) && err == nil; i++ {
		var a answer
		floor := int64(0)
		if a, err = j.understand(answers[i]); err == nil {
			floor, err = a[1].AsInt64()
		}
		floors, err = append(floors, floor), headFault(calls[i].Keys[0], err)
	}
	return floors, err
}

// checkLate returns Damage about a head that refused a blob, unless the last barrier has passed the head's floor:
// workers must not believe that they have written a blob that was dropped.
func (j *Job) checkLate(ctx context.Context, head string, a answer) error {
	floor, err := a[1].AsInt64()
	if err != nil {
		return err
	}
	state, err := j.State(ctx)
	if err != nil || state == nil || floor <= int64(j.Floor(state)) {
		return err
	}
	return &protocol.Damage{Key: head, Err: errAhead}
}

// headFault turns an error about a head into Damage that names it.
func headFault(head string, err error) error {
	switch {
	case errors.Is(err, errBroken):
		return &protocol.Damage{Key: head, Err: err}
	case errors.Is(err, protocol.ErrGone):
		return protocol.Missing(head)
	}
	return err
}
