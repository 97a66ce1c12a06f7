package protocol

import "context"

// Control is the store of a job as the machines of this package use it. Every call is one script or command, which
// happens at one moment, and may be sent twice without harm. An error wraps ErrGone if the store has lost or damaged
// something. It is ErrLost if the caller has lost its lease or its office. Any goroutine may call any method.
type Control interface {
	// Join makes a worker a member of the job, and returns the mark of the job's last mending.
	Join(ctx context.Context, token int64, report string) (mended string, err error)

	// Beat renews a worker's lease, and makes it leader if nobody is. It returns the state unless its version is known.
	Beat(ctx context.Context, token int64, report, known string) (*Beat, error)

	// Leave ends a worker's lease at once.
	Leave(ctx context.Context, token int64) error

	// Reach notes the round that a part or slice has reached, under a field. ErrLost says that another worker has it.
	Reach(ctx context.Context, token int64, field, office string, round int) error

	// Read returns the state, nil before there is any, and the mark of the last mending.
	Read(ctx context.Context) (state *State, mended string, err error)

	// Survey tells the leader who is alive and how far everything is. ErrLost says that another worker leads.
	Survey(ctx context.Context, token int64) (*Survey, error)

	// Assign gives offices to workers. changes has an office and its new owner in turn.
	Assign(ctx context.Context, token int64, changes []string) error

	// Publish writes the state and assigns offices at the same moment.
	Publish(ctx context.Context, token int64, state *State, changes []string) error

	// Raise refuses late writes of rounds up to a barrier, and deletes what only older barriers needed.
	Raise(ctx context.Context, state *State) error

	// CheckHeads returns an error if a head is missing, damaged, or ahead of the last barrier.
	CheckHeads(ctx context.Context) error

	// Absent returns those keys and paths that do not exist.
	Absent(ctx context.Context, names []string) ([]string, error)

	// Discard deletes keys.
	Discard(ctx context.Context, names []string) error

	// Removed reports whether somebody is removing the job, and whether it is still there.
	Removed(ctx context.Context) (removed, there bool, err error)
}

// Beat is the answer to a worker that renews its lease.
type Beat struct {
	Leader  int64
	Version string   // of the state; "" if there is none
	State   *State   // nil if its version was known
	Offices []string // those of the worker: p7 or s3
}
