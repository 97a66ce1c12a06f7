package protocol

import (
	"context"
	"errors"
	"slices"
)

// Mender puts a job right of which the store has lost something. Where the last barrier is whole, everything goes on
// from there: what is newer is deleted, and all workers join again. Otherwise the job is created anew. One worker
// mends; others wait until it has.
type Mender struct {
	Job     *Layout
	Control Control
	Repair  Repair
	Clock   Clock

	Known  *State // the last state of which this worker knew; nil for none
	Mended string // the mark of the last mending of which it knew
	Owner  string // a random text
	Nobody int64  // the token of a leader that leads nothing, below zero: no worker has it
	Mark   string // a random text: that of this mending

	// Again returns the state and the mark of the job as others may have put it back; ErrGone if it is not there.
	Again func(ctx context.Context) (state *State, mended string, err error)

	// Whole reads all that a barrier consists of, and returns its keys.
	Whole func(ctx context.Context, s *State) (keep []string, err error)

	// Create puts the job anew into a store from which it removes what is left; nil if that is not possible.
	Create func(ctx context.Context) (*State, error)

	guessed bool // the state was not to be had from the store: another may know a later one
}

// Outcome is what there was to mend, and how.
type Outcome struct {
	State   State // where the job goes on
	Created bool  // nothing of use was left: Create was called
	Others  bool  // another worker mended it
}

// MendLeases is how many leases long a worker that mends and says nothing is waited for.
const MendLeases = 3

// mostTries is how often a worker begins to mend a job of which something is lost meanwhile.
const mostTries = 5

// Mend puts the job right, or waits until another worker has.
func (m *Mender) Mend(ctx context.Context) (*Outcome, error) {
	tries := 0
	for pause := PauseBy(m.Clock); ; {
		if done, err := m.byOthers(ctx); err != nil || done != nil {
			return done, err
		}
		done, err := m.alone(ctx)
		var taken Taken
		if tries++; errors.Is(err, ErrGone) && m.guessed && pause.Waited() < MendLeases*m.Job.Lease {
			err = nil // it may have been deleted for a later barrier
		} else if (errors.Is(err, ErrGone) || errors.As(err, &taken)) && m.Create != nil && tries < mostTries {
			err = nil // something else was lost meanwhile, or a store that went back has the job again
		}
		if err != nil || done != nil {
			return done, err
		}
		if err := pause.Wait(ctx); err != nil {
			return nil, err
		}
	}
}

// byOthers returns where the job goes on if another worker has mended it.
func (m *Mender) byOthers(ctx context.Context) (*Outcome, error) {
	state, mark, err := m.Again(ctx)
	if err == nil && (state == nil || mark == m.Mended) {
		return nil, nil
	}
	if err == nil {
		err = m.Control.CheckHeads(ctx)
	}
	switch {
	case errors.Is(err, ErrGone):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &Outcome{State: *state, Others: true}, nil
}

// alone mends the job, unless another worker is doing so. The lock is no key of the job, so that removing those
// leaves it, and expires by itself.
func (m *Mender) alone(ctx context.Context) (done *Outcome, err error) {
	if err := m.Repair.Lock(ctx, m.Owner); err != nil {
		return nil, otherMends(err)
	}
	defer func() {
		if fault := m.release(context.WithoutCancel(ctx)); err == nil {
			err = fault // otherwise what is held runs out by itself
		}
	}()
	if done, err := m.byOthers(ctx); err != nil || done != nil {
		return done, err // another was faster
	}
	done, err = m.mend(ctx)
	return done, otherMends(err)
}

// otherMends returns nil for the error that another has the lock: then it mends.
func otherMends(err error) error {
	if errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

// Hold renews the lock, and the office of nobody, until ctx ends. It runs beside Mend. If it fails, the next step
// finds out that the lock is lost.
func (m *Mender) Hold(ctx context.Context) {
	for m.Clock.Wait(ctx, m.Job.Lease, nil) == nil {
		if m.Repair.Rule(ctx, m.Nobody) == nil {
			_ = m.Repair.Lock(ctx, m.Owner)
		}
	}
}

// holds reports whether this worker still has the lock, and nobody has led the job since it was halted. One that was
// stopped for longer than it is waited for must not touch what others have done since.
func (m *Mender) holds(ctx context.Context) error {
	if err := m.Repair.Lock(ctx, m.Owner); err != nil {
		return err
	}
	return m.Repair.Rule(ctx, m.Nobody)
}

// release gives the lock back and lets workers lead again.
func (m *Mender) release(ctx context.Context) error {
	if err := m.Repair.Resume(ctx, m.Nobody); err != nil {
		return err
	}
	return m.Repair.Unlock(ctx, m.Owner)
}

// mend stops everybody, sees what there is, and lets everybody go on.
func (m *Mender) mend(ctx context.Context) (*Outcome, error) {
	had, err := m.Repair.Halt(ctx, m.Nobody)
	if err != nil {
		return nil, err
	}
	state, keep, err := m.lastBarrier(ctx)
	switch gone := errors.Is(err, ErrGone); {
	case gone && m.Create != nil:
		return m.recreate(ctx)
	case gone && !had:
		_ = m.Repair.Forget(ctx) // nothing else is left, and err is returned anyway
	case err == nil:
		err = m.sweep(ctx, keep)
	}
	if err == nil {
		err = m.Repair.MakeHeads(ctx, m.Job.Floor(state), m.Mark)
	}
	if err != nil {
		return nil, err
	}
	return &Outcome{State: *state}, m.Repair.Mark(ctx, state, m.Mark, m.Nobody)
}

// lastBarrier returns the state from which the job can go on, and the keys that it needs. The error wraps ErrGone if
// there is none.
func (m *Mender) lastBarrier(ctx context.Context) (*State, []string, error) {
	state, _, err := m.Control.Read(ctx)
	m.guessed = errors.Is(err, ErrGone) || err == nil && state == nil
	if m.guessed {
		if state = m.Known; state == nil {
			return nil, nil, Missing(m.Job.Key.State())
		}
	} else if err != nil {
		return nil, nil, err
	}
	if state.Round < 0 && state.Iteration != m.Job.From {
		return nil, nil, &Damage{m.Job.Key.State(), errors.New("it is of another beginning")}
	}
	keep, err := m.Whole(ctx, state)
	return state, keep, err
}

// sweep deletes the blobs that the barrier does not need: workers make them anew.
func (m *Mender) sweep(ctx context.Context, keep []string) error {
	found, marks, err := m.Repair.Blobs(ctx)
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, key := range keep {
		needed[key] = true
	}
	found = slices.DeleteFunc(found, func(key string) bool { return needed[key] })
	if err := m.holds(ctx); err != nil { // looking took its time
		return err
	}
	return m.Repair.Sweep(ctx, found, marks)
}

// recreate puts the job into the store anew.
func (m *Mender) recreate(ctx context.Context) (*Outcome, error) {
	if err := m.holds(ctx); err != nil {
		return nil, err
	}
	state, err := m.Create(ctx)
	if err != nil {
		return nil, err
	}
	return &Outcome{State: *state, Created: true}, m.Repair.Mark(ctx, state, m.Mark, m.Nobody)
}
