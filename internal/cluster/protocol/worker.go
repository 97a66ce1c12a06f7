package protocol

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Worker decides what a member of a job does next: it takes up its parts, samples their rounds in order, and writes
// what barriers consist of. Its Hands do the work.
//
// One goroutine calls Work, and its Hands call Settle, Still and Look while Work waits for them. Reach and VersionFor,
// like the methods of Lease and Steps, may be called from any goroutine: by an Owner, or by writes in the background.
type Worker struct {
	*Lease
	Steps
	Hands Hands

	// Tell is called with what happens, in one line each.
	Tell func(format string, args ...any)

	// Idle is called with the time for which the worker waited.
	Idle func(time.Duration)

	// These belong to the goroutine of Work.
	parts    []*Part   // by number
	acting   *View     // what this worker is acting upon; a later one may be known
	verified time.Time // when it last saw that what it wrote is still there
	joined   time.Time // never changes

	making    sync.Mutex  // guards published, which an Owner changes
	published map[int]int // by slice: the last round whose rows this worker wrote
}

// Steps numbers a job's rounds, and says which parts have something to do in each.
type Steps struct {
	Rounds *Rounds
	Takes  func(part, round int) bool
}

// NewWorker returns a worker that has joined.
func NewWorker(l *Lease, s Steps, hands Hands) *Worker {
	now := l.clock.Now()
	return &Worker{Lease: l, Steps: s, Hands: hands, published: map[int]int{}, verified: now, joined: now}
}

// superseded reports whether the job has another state than the one given.
func (w *Worker) superseded(ctx context.Context, s *State) bool {
	now, _, err := w.control.Read(ctx)
	return err == nil && now != nil && now.Version() != s.Version()
}

// Drop drops some parts.
func (w *Worker) Drop(which func(p *Part) bool) (err error) {
	w.parts = slices.DeleteFunc(w.parts, func(p *Part) bool {
		gone := which(p)
		if gone {
			err = errors.Join(err, w.Hands.Drop(p))
		}
		return gone
	})
	return err
}

// VersionFor returns the version of the model that a round sees: the one before it, less the staleness, but not below
// 0.
func (w *Worker) VersionFor(round int) int { return max(round-1-w.job.Staleness, 0) }

// Reach reports that a part or slice has reached a round, under the given field. If another worker has it now, that
// one reports the same, and the error is nil.
func (w *Worker) Reach(ctx context.Context, field string, number int, office string, round int) error {
	err := w.control.Reach(ctx, w.Token, field+strconv.Itoa(number), office+strconv.Itoa(number), round)
	if errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

// furthest returns the last round of each slice whose rows this worker wrote.
func (w *Worker) furthest() map[int]int {
	w.making.Lock()
	defer w.making.Unlock()
	return maps.Clone(w.published)
}

// note notes the last round whose rows this worker wrote for a slice.
func (w *Worker) note(slice, round int) {
	w.making.Lock()
	defer w.making.Unlock()
	w.published[slice] = round
}

// due reports whether workers meet next after a round.
func (x Steps) due(s *State, round int) bool {
	return round > s.Round && round == x.Rounds.End(s.Until)
}
