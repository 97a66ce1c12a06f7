package protocol

import "context"

// Hands do what a Worker decides: they hold the tokens of parts and the rows. The worker calls one method at a time,
// from its own goroutine.
type Hands interface {
	// Take begins a part at the last barrier.
	Take(ctx context.Context, p *Part, s *State) error

	// Drop gives a part up.
	Drop(p *Part) error

	// Fetch gets the rows of a version. It blocks until they have come.
	Fetch(ctx context.Context, s *State, version int) error

	// Sample samples a round of a part.
	Sample(ctx context.Context, p *Part, s *State, round int) error

	// Send begins to send the changes of a part's last round to others.
	Send(ctx context.Context, p *Part) error

	// Save writes a part's share of a meeting.
	Save(ctx context.Context, p *Part, s *State, round int) error

	// Publish writes the rows of a slice at a meeting. It returns ErrBehind if they cannot be made yet.
	Publish(ctx context.Context, s *State, slice, round int) error

	// Flush blocks until all writes under way are done.
	Flush(ctx context.Context) error
}

// Part describes how far a part of a worker is.
type Part struct {
	Number  int
	Round   int // the last one sampled; before the first barrier, -1
	Sent    int // the last one whose changes were sent
	Saved   int // the last meeting for which it was saved
	Reached int // the last meeting that it was reported to have reached
}

// Spoiled is the round of a part whose topics were left in the middle of a round.
const Spoiled = -2
