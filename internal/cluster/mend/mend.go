// Package mend puts a job right of which the store has lost something.
package mend

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Options say what to mend, and with what.
type Options struct {
	Job    *protocol.Job
	Plan   *sampler.Plan   // how the training documents are cut for the job's sampler
	Spans  []sampler.Span  // the job's parts
	Known  *protocol.State // the last state of which this worker knew; nil for none
	Mended string          // the mark of the last mending of which it knew

	// Create puts the job anew into a store from which it has been removed; nil if that is not possible.
	Create func() error
}

// Result is what there was to mend, and how.
type Result struct {
	Job     *protocol.Job  // as it is now
	State   protocol.State // where it goes on
	Created bool           // nothing of use was left: Create was called
	Others  bool           // another worker mended it
}

// mender mends one job.
type mender struct {
	o       Options
	job     *protocol.Job
	guessed bool   // the state was not to be had from the store: another may know a later one
	owner   string // of the lock
	nobody  string // the token of a leader that leads nothing, below zero: no worker has it
}

// Job puts a job right of which the store has lost something. Where the last
// barrier is whole, everything goes on from there: what is newer is deleted, and all
// workers join again. Otherwise Create is called, if there is one. One worker mends; others wait until it has.
func Job(ctx context.Context, o Options) (*Result, error) {
	m := &mender{o: o, job: o.Job}
	for pause := protocol.NewPause(); ; {
		if done, err := m.byOthers(ctx); err != nil || done != nil {
			return done, err
		}
		done, err := m.alone(ctx)
		if m.guessed && errors.Is(err, protocol.ErrGone) && protocol.WallSince(pause.Began) < mendLeases*m.job.Lease {
			err = nil // it may have been deleted for a later barrier
		}
		if err != nil || done != nil {
			return done, err
		}
		if err := pause.Wait(ctx); err != nil {
			return nil, err
		}
	}
}

// byOthers returns the job if another worker has mended it.
func (m *mender) byOthers(ctx context.Context) (*Result, error) {
	now, err := m.job.Again(ctx)
	if errors.Is(err, protocol.ErrGone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	state, mark, err := now.Read(ctx)
	if errors.Is(err, protocol.ErrGone) || err == nil && (state == nil || mark == m.o.Mended) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := now.CheckHeads(ctx); err != nil {
		if errors.Is(err, protocol.ErrGone) {
			return nil, nil
		}
		return nil, err
	}
	return &Result{Job: now, State: *state, Others: true}, nil
}

// alone mends the job, unless another worker is doing so. The lock is no key of the
// job, so that removing those leaves it, and expires by itself.
func (m *mender) alone(ctx context.Context) (done *Result, err error) {
	m.owner, m.nobody = strconv.FormatUint(rand.Uint64(), 16), strconv.FormatInt(-1-rand.Int64N(1<<62), 10)
	if err := m.holds(ctx); err != nil {
		return nil, otherMends(err)
	}
	ctx, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { m.keepHolding(ctx) })
	defer func() {
		stop()
		group.Wait()
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

// otherMends is nil for the error that another has the lock: then it mends.
func otherMends(err error) error {
	if errors.Is(err, protocol.ErrLost) {
		return nil
	}
	return err
}

// holds takes the lock, or says that another has it.
func (m *mender) holds(ctx context.Context) error {
	_, err := m.job.Ask(ctx, protocol.ScriptLock, []string{m.job.Key.Lock()}, m.owner, protocol.Milliseconds(mendLeases*m.job.Lease))
	return err
}

// mendLeases is how many leases long a worker that mends and says nothing is waited for.
const mendLeases = 3

// keepHolding renews the lock, and the office of nobody, until ctx ends.
func (m *mender) keepHolding(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-time.After(m.job.Lease):
			// If that fails, the next step finds out that the lock is lost.
			_ = m.holds(ctx)
			_ = m.rules(ctx)
		case <-ctx.Done():
		}
	}
}

// rules says whether nobody has led the job since this worker halted it. One that was stopped for
// longer than it is waited for must not touch what others have done since.
func (m *mender) rules(ctx context.Context) error {
	_, err := m.job.Ask(ctx, protocol.ScriptRenew, []string{m.job.Key.Leader()}, m.nobody, protocol.Milliseconds(mendLeases*m.job.Lease))
	return err
}

// release gives the lock back and lets workers lead again.
func (m *mender) release(ctx context.Context) error {
	if _, err := m.job.Ask(ctx, protocol.ScriptUnlock, []string{m.job.Key.Leader()}, m.nobody); err != nil {
		return err
	}
	_, err := m.job.Ask(ctx, protocol.ScriptUnlock, []string{m.job.Key.Lock()}, m.owner)
	return err
}

// mend stops everybody, sees what there is, and lets everybody go on.
func (m *mender) mend(ctx context.Context) (*Result, error) {
	j := m.job
	answer, err := j.Ask(ctx, protocol.ScriptHalt, []string{j.Key.Spec(), j.Key.Removed(), j.Key.Leader(), j.Key.Members(), j.Key.Owners()},
		j.Text, j.IDText(), protocol.Milliseconds(mendLeases*j.Lease), j.Key.Control("lease:"), m.nobody)
	if errors.Is(err, protocol.ErrLost) {
		return nil, j.Cancelled() // which is no loss of the lock
	}
	if err != nil {
		return nil, err
	}
	state, keep, err := m.lastBarrier(ctx)
	if errors.Is(err, protocol.ErrGone) && m.o.Create != nil {
		return m.recreate(ctx)
	}
	if had, _ := answer[1].AsInt64(); errors.Is(err, protocol.ErrGone) && had == 0 {
		_ = j.Store.Delete(ctx, j.Key.Spec()) // nothing else is left; what is wrong with the store is said anyway
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	if err := m.holds(ctx); err != nil { // reading took its time
		return nil, err
	}
	if err := m.sweep(ctx, keep); err != nil {
		return nil, err
	}
	if err := j.MakeHeads(ctx, j.Floor(state)); err != nil {
		return nil, err
	}
	return &Result{Job: j, State: *state}, m.mark(ctx, state)
}

// lastBarrier returns the state from which the job can go on, and the keys that it
// needs. The error is Damage if there is none.
func (m *mender) lastBarrier(ctx context.Context) (*protocol.State, []string, error) {
	j := m.job
	state, _, err := j.Read(ctx)
	m.guessed = errors.Is(err, protocol.ErrGone) || err == nil && state == nil
	if m.guessed {
		if state = m.o.Known; state == nil {
			return nil, nil, protocol.Missing(j.Key.State())
		}
	} else if err != nil {
		return nil, nil, err
	}
	if state.Round < 0 && state.Iteration != j.From {
		return nil, nil, &protocol.Damage{Key: j.Key.State(), Err: errors.New("it is of another beginning")}
	}
	keep, err := m.check(ctx, state)
	return state, keep, err
}

// sweep deletes the blobs that the barrier does not need: workers make them anew.
func (m *mender) sweep(ctx context.Context, keep []string) error {
	found, err := m.job.Keys(ctx)
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, key := range keep {
		needed[key] = true
	}
	control := m.job.Key.Control("")
	found = slices.DeleteFunc(found, func(key string) bool {
		return needed[key] || strings.HasPrefix(key, control) || strings.HasSuffix(key, "}:head") || strings.Contains(key, "}:corpus:")
	})
	if err := m.rules(ctx); err != nil { // looking took its time
		return err
	}
	return m.job.Store.Delete(ctx, found...)
}

// mark notes the state, and that the job has been mended.
func (m *mender) mark(ctx context.Context, state *protocol.State) error {
	j := m.job
	text, err := protocol.Seal(state)
	if err != nil {
		return err
	}
	_, err = j.Ask(ctx, protocol.ScriptMark, []string{j.Key.Spec(), j.Key.State(), j.Key.Reached(), j.Key.Leader()}, state.Version(), text, strconv.FormatUint(rand.Uint64()|1, 16), m.nobody)
	return err
}

// recreate removes what is left and puts the job into the store anew.
func (m *mender) recreate(ctx context.Context) (*Result, error) {
	j := m.job
	if err := m.holds(ctx); err != nil {
		return nil, err
	}
	if err := m.rules(ctx); err != nil {
		return nil, err
	}
	if err := protocol.RemoveKeys(ctx, j.Store, j.Name); err != nil {
		return nil, err
	}
	if err := m.o.Create(); err != nil {
		return nil, err
	}
	now, err := j.Again(ctx)
	if err != nil {
		return nil, err
	}
	state, _, err := now.Read(ctx)
	if err == nil && state == nil {
		err = protocol.Missing(j.Key.State())
	}
	if err != nil {
		return nil, err
	}
	return &Result{Job: now, State: *state, Created: true}, m.mark(ctx, state)
}
