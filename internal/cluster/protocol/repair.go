package protocol

import "context"

// Repair is the store of a job as a Mender uses it, beside Control.
type Repair interface {
	// Lock takes or keeps the right to mend the job; ErrLost says that another worker has it.
	Lock(ctx context.Context, owner string) error
	Unlock(ctx context.Context, owner string) error

	// Halt makes everybody join again and lets nobody lead. It also puts back the spec; had reports whether it was there.
	Halt(ctx context.Context, nobody int64) (had bool, err error)

	// Rule keeps the leader's office for nobody. ErrLost says that somebody has led the job since it was halted.
	Rule(ctx context.Context, nobody int64) error

	// Resume lets workers lead again.
	Resume(ctx context.Context, nobody int64) error

	// MakeHeads writes the heads of slices and parts anew, with the mark of this mending.
	MakeHeads(ctx context.Context, floor int, mark string) error

	// Blobs returns the keys of all blobs, and the marks of heads by their keys (see HeadOf).
	Blobs(ctx context.Context) (names []string, marks map[string]string, err error)

	// Sweep deletes the blobs whose heads still have these marks. If the request arrives again after new heads were
	// made, it deletes nothing.
	Sweep(ctx context.Context, names []string, marks map[string]string) error

	// Mark writes the state and the mark of this mending, and forgets the rounds that were reached.
	Mark(ctx context.Context, state *State, mark string, nobody int64) error

	// Forget removes the spec of a job of which nothing else is left.
	Forget(ctx context.Context) error
}
