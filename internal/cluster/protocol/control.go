package protocol

import "context"

// Control is what the machines of this package ask of a job's store. Every call is one script or command, which
// happens at one moment, and may be sent twice without harm. An error wraps ErrGone if the store has lost what was
// asked for or holds it damaged, and is ErrLost if the caller has no say any more.
type Control interface {
	// Join makes a worker a member of the job, and returns the mark of the job's last mending.
	Join(ctx context.Context, token int64, report string) (mended string, err error)

	// Beat renews a worker's lease, and makes it leader if nobody is. The state is not sent if its version is known.
	Beat(ctx context.Context, token int64, report, known string) (*Beat, error)

	// Leave ends a worker's lease at once.
	Leave(ctx context.Context, token int64) error

	// Reach notes the round that a part or slice has come to, under a field. ErrLost says that another worker has it.
	Reach(ctx context.Context, token int64, field, office string, round int) error

	// Read returns the state, nil before there is any, and the mark of the last mending.
	Read(ctx context.Context) (state *State, mended string, err error)

	// Survey tells the leader who is alive and how far everything is. ErrLost says that another worker leads.
	Survey(ctx context.Context, token int64) (*Survey, error)

	// Assign gives out offices: an office and its new owner in turn.
	Assign(ctx context.Context, token int64, changes []string) error

	// Publish writes the state and gives out offices at the same moment.
	Publish(ctx context.Context, token int64, state *State, changes []string) error

	// Raise refuses late writers of rounds up to a barrier, and deletes what only older barriers needed.
	Raise(ctx context.Context, state *State) error

	// CheckHeads returns an error if a head is missing, damaged, or ahead of the last barrier.
	CheckHeads(ctx context.Context) error

	// Absent returns those of keys and paths that do not exist.
	Absent(ctx context.Context, names []string) ([]string, error)

	// Discard deletes keys.
	Discard(ctx context.Context, names []string) error

	// Removed reports whether somebody removes the job, and whether it is still there.
	Removed(ctx context.Context) (removed, there bool, err error)
}

// Beat is what a worker is told when it renews its lease.
type Beat struct {
	Leader  int64
	Version string   // of the state; "" if there is none
	State   *State   // nil if its version was known
	Offices []string // those of the worker: p7 or s3
}

// Repair is what a mender asks of a store, beside what Control has.
type Repair interface {
	// Lock takes or keeps the right to mend the job; ErrLost says that another worker has it.
	Lock(ctx context.Context, owner string) error
	Unlock(ctx context.Context, owner string) error

	// Halt lets nobody lead and everybody join again, and puts back what the job is. had reports whether that was
	// there.
	Halt(ctx context.Context, nobody int64) (had bool, err error)

	// Rule keeps the leader's office of nobody; ErrLost says that somebody has led the job since it was halted.
	Rule(ctx context.Context, nobody int64) error

	// Resume lets workers lead again.
	Resume(ctx context.Context, nobody int64) error

	// MakeHeads writes the heads of slices and parts anew, with the mark of this mending.
	MakeHeads(ctx context.Context, floor int, mark string) error

	// Blobs returns the keys of all blobs, and the marks of their heads by the keys of the heads (see HeadOf).
	Blobs(ctx context.Context) (names []string, marks map[string]string, err error)

	// Sweep deletes the blobs whose heads still have these marks. A request that arrives a second time, after new
	// heads were made, deletes nothing.
	Sweep(ctx context.Context, names []string, marks map[string]string) error

	// Mark writes the state and the mark of this mending, and forgets what anybody has reached.
	Mark(ctx context.Context, state *State, mark string, nobody int64) error

	// Forget removes the spec of a job of which nothing else is left.
	Forget(ctx context.Context) error
}

// Hands do what a Worker decides: they have the parts' tokens and the rows.
type Hands interface {
	// Take begins a part where the last barrier left it.
	Take(ctx context.Context, p *Part, s *State) error

	// Drop gives a part up.
	Drop(p *Part) error

	// Fetch brings the rows of a version, which rounds after it see. It blocks until they have come.
	Fetch(ctx context.Context, s *State, version int) error

	// Sample samples a round of a part.
	Sample(ctx context.Context, p *Part, s *State, round int) error

	// Tell sends what the last round of a part changed on its way.
	Tell(ctx context.Context, p *Part) error

	// Save writes what a meeting consists of for a part.
	Save(ctx context.Context, p *Part, s *State, round int) error

	// Publish writes the rows of a slice at a meeting, or returns ErrBehind if they cannot be made yet.
	Publish(ctx context.Context, s *State, slice, round int) error

	// Flush blocks until everything is written that is on its way.
	Flush(ctx context.Context) error
}

// Part is how far a part is that a worker has.
type Part struct {
	Number  int
	Round   int // the last one sampled; before the first barrier, -1
	Told    int // the last one whose changes are on their way to others
	Saved   int // where workers last met and what is wanted of it there was written
	Reached int // where workers last met and this worker said that it is there
}

// Spoiled is the round of a part whose topics were left half-way.
const Spoiled = -2
