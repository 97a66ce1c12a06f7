package protocol

import "context"

// Control is the store of a job as the machines of this package use it. Every call is one script or command, which
// happens at one moment, and may be sent twice without harm. An error wraps ErrGone if the store has lost or damaged
// something. It is ErrLost if the caller has lost its lease or its office.
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

// Hands do what a Worker decides: they hold the tokens of parts and the rows.
type Hands interface {
	// Take begins a part at the last barrier.
	Take(ctx context.Context, p *Part, s *State) error

	// Drop gives a part up.
	Drop(p *Part) error

	// Fetch gets the rows of a version. It blocks until they have come.
	Fetch(ctx context.Context, s *State, version int) error

	// Sample samples a round of a part.
	Sample(ctx context.Context, p *Part, s *State, round int) error

	// Tell begins to send the changes of a part's last round.
	Tell(ctx context.Context, p *Part) error

	// Save writes a part's share of a meeting.
	Save(ctx context.Context, p *Part, s *State, round int) error

	// Publish writes the rows of a slice at a meeting. It returns ErrBehind if they cannot be made yet.
	Publish(ctx context.Context, s *State, slice, round int) error

	// Flush blocks until all writes under way are done.
	Flush(ctx context.Context) error
}

// Part says how far a part of a worker is.
type Part struct {
	Number  int
	Round   int // the last one sampled; before the first barrier, -1
	Told    int // the last one whose changes were sent
	Saved   int // the last meeting for which it was saved
	Reached int // the last meeting that it was reported to have reached
}

// Spoiled is the round of a part whose topics were left in the middle of a round.
const Spoiled = -2

// Survey is what the leader knows of all workers. An office is a part or a slice: p7 or s3.
type Survey struct {
	Alive   []string          // tokens, sorted
	Owners  map[string]string // office → token
	Reached map[string]int    // field → round
}
