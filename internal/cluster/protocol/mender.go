package protocol

import (
	"context"
	"errors"
	"slices"
)

// Mender repairs a job of which the store has lost something. If the last barrier is complete, it deletes what is
// newer, and all workers join again. Otherwise it creates the job anew. One worker mends; the others wait. One
// goroutine calls Mend; Hold runs beside it and reads only what never changes.
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

	// Again returns the state and the mark of the job as it is in the store now; ErrGone if it is not there.
	Again func(ctx context.Context) (state *State, mended string, err error)

	// Whole reads everything that a barrier consists of, and returns the keys.
	Whole func(ctx context.Context, s *State) (keep []string, err error)

	// Create removes what is left of the job and creates it anew; nil if that is not possible.
	Create func(ctx context.Context) (*State, error)

	guessed bool // the state was not to be had from the store: another may know a later one
}

// Outcome describes what was mended.
type Outcome struct {
	State   State // where the job goes on
	Created bool  // nothing of use was left: Create was called
	Others  bool  // another worker mended it
}

// MendLeases is how many leases others wait for a silent worker that mends.
const MendLeases = 3

// mostTries is how often a worker tries to mend a job that loses something else meanwhile.
const mostTries = 5

// Mend repairs the job, or waits until another worker has.
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

// byOthers returns the outcome if another worker has mended the job, otherwise nil.
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

// alone mends the job, unless another worker does. The lock is no key of the job: it survives the removal of those,
// and expires by itself.
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

// otherMends returns nil for the error that another worker has the lock.
func otherMends(err error) error {
	if errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

// Hold renews the lock, and the office of nobody, until ctx ends. It runs beside Mend. If it fails, the next step
// notices that the lock is lost.
func (m *Mender) Hold(ctx context.Context) {
	for m.Clock.Wait(ctx, m.Job.Lease, nil) == nil {
		if m.Repair.Rule(ctx, m.Nobody) == nil {
			_ = m.Repair.Lock(ctx, m.Owner)
		}
	}
}

// holds returns ErrLost if this worker has lost the lock, or if somebody has led the job since it was halted. A
// worker that was frozen for long must not touch what others have done since.
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

// mend stops everybody, repairs what there is, and lets everybody continue.
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

// lastBarrier returns the state from which the job can continue, and the keys that it needs. The error wraps ErrGone
// if there is none.
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

// sweep deletes the blobs that the barrier does not need. Workers make them anew.
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

// recreate creates the job anew.
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
