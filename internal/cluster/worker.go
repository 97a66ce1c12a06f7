package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/lead"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// WorkOptions say what a worker works with.
type WorkOptions struct {
	Job   *protocol.Job
	Plan  *sampler.Plan  // how the training documents are cut for the job's sampler
	Spans []sampler.Span // the job's parts

	// Frequencies says how often each word occurs in the training documents.
	Frequencies []uint64

	// Words returns the words of a part's tokens.
	Words func(part int) ([]uint32, error)

	// Passed is called when the words of a part are not needed for now. It may be nil.
	Passed func(part int)

	Name    string // for status: host and process
	Device  string // for status
	Threads int    // goroutines of this worker

	// Lead is called when this worker becomes the leader. It trains, with the
	// leader as its sampler, until training ends, ctx ends, or it is an error.
	Lead func(ctx context.Context, l *lead.Leader) error

	// Tell is called with what happens to the worker, in one line each, from any
	// goroutine. It may be nil.
	Tell func(text string)

	// Reports is called with the worker's numbers now and then, from any
	// goroutine. It may be nil.
	Reports func(protocol.Report)
}

// Work takes part in a job until its model is complete or ctx ends. A worker that
// was away for longer than its lease joins again. If the store has lost something,
// the error is Damage; Lost is what package mend wants to know then.
func Work(ctx context.Context, o WorkOptions) (Lost, error) {
	if len(o.Spans) != o.Job.Parts {
		return Lost{Job: o.Job}, fmt.Errorf("the job has %d parts and the corpus is cut into %d: run the same program everywhere", o.Job.Parts, len(o.Spans))
	}
	cut := rows.NewCut(o.Frequencies, o.Job.Topics, o.Job.Slices)
	var known *protocol.State // the last one seen, by this session or one before: the store may have lost it meanwhile
	for {
		s := newSession(o, cut)
		err := s.run(ctx)
		if state := s.view().state; state != nil {
			known = state
		}
		if ctx.Err() != nil || !errors.Is(err, protocol.ErrLost) {
			return Lost{o.Job, known, s.mended}, err
		}
		o.tell("the lease ran out: joining again")
		now, err := o.Job.Again(ctx)
		switch {
		case err == nil:
			o.Job = now
		case errors.Is(err, protocol.ErrMissing):
			if err := o.vanished(ctx); !errors.Is(err, protocol.ErrLost) {
				return Lost{o.Job, known, s.mended}, err
			}
		default:
			return Lost{o.Job, known, s.mended}, err
		}
	}
}

func (o *WorkOptions) tell(format string, args ...any) {
	if o.Tell != nil {
		o.Tell(fmt.Sprintf(format, args...))
	}
}

// run joins, works, and leaves.
func (s *session) run(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	if err := s.join(ctx); err != nil {
		if errors.Is(err, protocol.ErrGone) {
			return s.o.vanished(ctx)
		}
		return err
	}
	defer s.leave()
	s.cancel = cancel
	s.ctx = ctx
	s.group.Go(func() { guard.Alone(s.beats) })
	if s.o.Job.Summed {
		s.group.Go(func() { guard.Alone(s.sums) })
	}
	if s.o.Job.Apart {
		s.group.Go(func() { guard.Alone(s.keeps) })
	}
	err := s.work()
	_ = s.drop(func(*held) bool { return true }) // a lost device cannot be left in order, and that is no second fault
	if cause := context.Cause(ctx); err != nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause // what ended the session, rather than what that led to
	}
	if parent.Err() == nil {
		err = s.judge(parent, err)
	}
	cancel(err)
	s.group.Wait()
	if parent.Err() != nil {
		return parent.Err()
	}
	return err
}

// work samples rounds and keeps barriers until the model is complete.
func (s *session) work() error {
	idle := protocol.NewPause()
	for {
		v := s.view()
		switch {
		case s.ctx.Err() != nil:
			return context.Cause(s.ctx)
		case v.state == nil:
			if err := s.unbegun(); err != nil {
				return err
			}
		case v.state.Finished:
			return s.finish()
		default:
			worked, err := s.proceed(v)
			if err != nil {
				return err
			}
			if worked {
				idle, s.verified = protocol.NewPause(), time.Now()
				continue
			}
		}
		if err := s.await(idle); err != nil {
			return err
		}
	}
}

// proceed does the next thing there is to do, and says whether there was any.
func (s *session) proceed(v *view) (worked bool, err error) {
	s.acting = v
	if err := s.take(v); err != nil {
		return s.again(err)
	}
	end := s.rounds.End(v.state.Until)
	next := end
	for _, p := range s.parts {
		next = min(next, p.round)
	}
	if err := s.settle(); err != nil {
		return false, err
	}
	if next < end && v.state.Round >= 0 {
		return s.again(s.round(v.state, next+1))
	}
	return s.barrier(v)
}

// unbegun says what is wrong with a job without a state: the store has lost it, or
// nobody writes it any more.
func (s *session) unbegun() error {
	j := s.o.Job
	if time.Since(s.verified) < min(j.Lease, time.Second) {
		return nil
	}
	s.verified = time.Now()
	absent, err := j.Store.Missing(s.ctx, j.Key.Owners(), j.Key.Reached())
	switch {
	case err != nil:
		return err
	case len(absent) < 2:
		return protocol.Missing(j.Key.State())
	case time.Since(s.report.Joined) > submission(j):
		return fmt.Errorf("the submission of job %s was cut short, and %s is missing: remove the job with Job.Cancel and submit it again", j.Name, j.Key.State())
	}
	return nil
}

// submission is how long a worker waits for a job that is being submitted.
func submission(j *protocol.Job) time.Duration { return max(6*j.Lease, 10*time.Second) }

// errBehind says that a worker has to wait for others, or look at its job again.
var errBehind = errors.New("behind the last barrier")

// again turns being behind into having to look again. What is missing may have been
// deleted because there is a newer barrier, of which this worker has not heard.
func (s *session) again(err error) (worked bool, _ error) {
	if errors.Is(err, errBehind) {
		return false, nil
	}
	if errors.Is(err, protocol.ErrMissing) {
		state, fault := s.o.Job.State(s.ctx)
		if fault == nil && state != nil && state.Version() != s.acting.state.Version() {
			return false, nil
		}
	}
	return err == nil, err
}

// finish waits for the leader to end its work, if that is this worker.
func (s *session) finish() error {
	s.mutex.Lock()
	leads := s.leads
	s.mutex.Unlock()
	if !leads {
		return nil
	}
	select {
	case <-s.led:
		return nil
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// take drops parts that others have now and takes up new ones.
func (s *session) take(v *view) error {
	if err := s.drop(func(p *held) bool { return !slices.Contains(v.parts, p.number) }); err != nil {
		return err
	}
	for _, number := range v.parts {
		at := slices.IndexFunc(s.parts, func(p *held) bool { return p.number == number })
		if at >= 0 && s.parts[at].round >= v.state.Round {
			continue
		}
		if err := s.drop(func(p *held) bool { return p.number == number }); err != nil {
			return err
		}
		p, err := s.hold(number, v.state)
		if err != nil {
			return err
		}
		s.parts = append(s.parts, p)
	}
	slices.SortFunc(s.parts, func(a, b *held) int { return a.number - b.number })
	s.noteProgress()
	return nil
}

// drop drops some parts.
func (s *session) drop(which func(p *held) bool) (err error) {
	s.parts = slices.DeleteFunc(s.parts, func(p *held) bool {
		gone := which(p)
		if gone {
			err = errors.Join(err, p.part.Close())
		}
		return gone
	})
	return err
}

// round samples a round for the parts whose next one it is.
func (s *session) round(state *protocol.State, round int) error {
	err := s.ready(state, s.versionFor(round))
	s.waitFor("", nil)
	if err != nil {
		return err
	}
	step := s.rounds.Step(round)
	for _, p := range s.parts {
		if p.round != round-1 {
			continue
		}
		if err := s.sample(p, round, step, state); err != nil {
			return err
		}
	}
	s.mutex.Lock()
	s.report.Rounds++
	s.mutex.Unlock()
	s.noteProgress()
	if s.told(round) && !s.o.Job.Apart {
		s.prefetch(round)
	}
	return nil
}

// ready sees to it that the rows of a version can be had.
func (s *session) ready(state *protocol.State, version int) error {
	if s.o.Job.Apart {
		return s.rowsAt(version)
	}
	return s.modelAt(state, version)
}

// versionFor returns the version of the model that a round sees: that before it,
// less the staleness; none is older than version 0.
func (s *session) versionFor(round int) int { return max(round-1-s.o.Job.Staleness, 0) }

// waitFor notes what the worker waits for: parts or slices, by the letter before their numbers.
func (s *session) waitFor(letter string, numbers []int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.report.Awaits = nil
	for _, n := range numbers {
		s.report.Awaits = append(s.report.Awaits, letter+strconv.Itoa(n))
	}
}

// priors returns the priors of an iteration, decoded once.
func (s *session) priors(state *protocol.State, iteration int) *sampler.Priors {
	if of := state.PriorsOf(iteration); s.priorsOf != of {
		s.priorsOf, s.decodedPriors = of, of.Decode(s.o.Job.Topics)
	}
	return s.decodedPriors
}

// spend adds the time since begin to a counter of the report.
func (s *session) spend(counter *time.Duration, begin time.Time) {
	s.mutex.Lock()
	*counter += time.Since(begin)
	s.mutex.Unlock()
}
