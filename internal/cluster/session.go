package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/topoi-lda/topoi/internal/cluster/exchange"
	"github.com/topoi-lda/topoi/internal/cluster/lead"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/guard"
)

// session is a worker from joining to leaving or losing its lease. It runs the machines of package protocol in
// goroutines.
type session struct {
	o        WorkOptions
	control  records.Control
	lease    *protocol.Lease
	tally    *exchange.Tally
	progress *records.Progress

	ctx    context.Context
	cancel context.CancelCauseFunc
	group  sync.WaitGroup // of the session's goroutines
	led    chan struct{}  // closed when the training that this worker leads has ended
}

func newSession(o WorkOptions) *session {
	s := &session{
		o: o, control: records.Control{Job: o.Job}, led: make(chan struct{}), progress: records.NewProgress(),
		tally: exchange.NewTally(o.Name, o.Device, o.Threads),
	}
	s.lease = protocol.NewLease(rand.Int64N(math.MaxInt64)+1, &o.Job.Layout, s.control, protocol.Wall)
	s.lease.Report = s.report
	s.lease.Leads = func(state *protocol.State) { s.background(func() error { return s.lead(state) }) }
	return s
}

// background runs work in a goroutine of the session. Its error ends the session.
func (s *session) background(work func() error) {
	guarded := func() {
		if err := work(); err != nil && s.ctx.Err() == nil {
			s.cancel(err)
		}
	}
	s.group.Go(func() { guard.Alone(guarded) })
}

// run joins, works, and leaves.
func (s *session) run(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	s.ctx, s.cancel = ctx, cancel
	leave := func() {
		ctx, cancel := context.WithTimeout(context.Background(), s.o.Job.Lease)
		defer cancel()
		s.lease.Leave(ctx)
	}
	if err := s.lease.Join(ctx); err != nil {
		if parent.Err() != nil {
			leave() // the store may have made this worker a member nevertheless
		}
		if errors.Is(err, protocol.ErrMissing) {
			return s.o.vanished(ctx)
		}
		return err
	}
	defer leave()
	err := s.work()
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

// work runs the machines of a worker until the model is complete.
func (s *session) work() error {
	hands := exchange.New(s.ctx, s.cancel, exchange.Options{
		Task: s.o.Task, Threads: s.o.Threads, Tally: s.tally, Progress: s.progress, Words: s.o.Words,
		Passed: s.o.Passed,
	})
	w := protocol.NewWorker(s.lease, protocol.Steps{Rounds: s.o.Rounds, Takes: s.o.Takes}, hands)
	w.Tell, w.Idle = s.o.tell, s.tally.Waited
	hands.Serve(w)
	s.background(func() error { return s.lease.Beats(s.ctx) })
	if s.o.Job.Apart {
		s.background(func() error { return hands.Owner().Work(s.ctx) })
	}
	err := w.Work(s.ctx)
	if err == nil && s.lease.Led() {
		select {
		case <-s.led:
		case <-s.ctx.Done():
			err = context.Cause(s.ctx)
		}
	}
	_ = w.Drop(func(*protocol.Part) bool { return true }) // that a lost device fails again is no second fault
	return err
}

// lead runs the training loop.
func (s *session) lead(state *protocol.State) error {
	defer close(s.led)
	s.o.tell("leading from iteration %d", state.Since)
	l := lead.New(lead.Options{Task: s.o.Task, Own: s.progress, Tell: s.o.tell}, s.lease.Token, state)
	err := s.o.Lead(s.ctx, l)
	if err == nil {
		s.lease.Complete(&l.State)
	}
	if errors.Is(err, protocol.ErrGone) && s.ctx.Err() == nil {
		err = l.MayMiss(s.ctx, err)
	}
	if errors.Is(err, protocol.ErrLost) { // another worker leads, so the lease has run out and the session is over
		err = protocol.ErrLost
	}
	return err
}

// report returns the worker's report for the store.
func (s *session) report() string {
	sent, received := s.o.Job.Store.Moved()
	r := s.tally.Report(sent, received, len(s.lease.View().Slices))
	if s.o.Reports != nil {
		s.o.Reports(r)
	}
	text, _ := json.Marshal(r) // of numbers and strings
	return string(text)
}

// WorkOptions are the job and the resources of a worker.
type WorkOptions struct {
	records.Task

	// Words returns the words of a part's tokens.
	Words func(part int) ([]uint32, error)

	// Passed is called when the words of a part are not needed for now. It may be nil.
	Passed func(part int)

	Name    string // for status: host and process
	Device  string // for status
	Threads int    // goroutines of this worker

	// Lead is called when this worker becomes the leader. It trains, with the leader as its sampler, until training
	// or ctx ends.
	Lead func(ctx context.Context, l *lead.Leader) error

	// Tell is called from any goroutine with one line about an event. It may be nil.
	Tell func(text string)

	// Reports is called from any goroutine with the worker's numbers now and then. It may be nil.
	Reports func(protocol.Report)
}

// Work takes part in a job until its model is complete or ctx ends. A worker whose lease has run out joins again. If
// the store has lost something, the error wraps protocol.ErrGone, and package mend needs what Lost has.
func Work(ctx context.Context, o WorkOptions) (Lost, error) {
	if len(o.Spans) != o.Job.Parts {
		return Lost{Job: o.Job}, fmt.Errorf("the job has %d parts and the corpus is cut into %d: "+
			"run the same program everywhere", o.Job.Parts, len(o.Spans))
	}
	var known *protocol.State // the last one seen, by this session or one before: the store may have lost it meanwhile
	for {
		s := newSession(o)
		err := s.run(ctx)
		if state := s.lease.View().State; state != nil {
			known = state
		}
		if ctx.Err() != nil || !errors.Is(err, protocol.ErrLost) {
			return Lost{o.Job, known, s.lease.Mended}, err
		}
		o.tell("the lease ran out: joining again")
		if err := o.vanished(ctx); !errors.Is(err, protocol.ErrLost) {
			return Lost{o.Job, known, s.lease.Mended}, err
		}
	}
}

func (o *WorkOptions) tell(format string, args ...any) {
	if o.Tell != nil {
		o.Tell(fmt.Sprintf(format, args...))
	}
}

// Lost has what a worker knew of a job when it left.
type Lost struct {
	Job    *records.Job // as it was joined last
	State  *protocol.State
	Mended string
}

// judge returns the error of a session that ended with err. Someone who removes a job leaves a tombstone. So a worker
// that lost the job and finds none knows that the store has lost it.
func (s *session) judge(ctx context.Context, err error) error {
	if !errors.Is(err, protocol.ErrGone) && !errors.Is(err, protocol.ErrLost) { // the leader of a removed job is lost too
		return err
	}
	removed, there, fault := s.control.Removed(ctx)
	switch {
	case fault != nil:
		return fault
	case removed:
		return s.o.Job.Cancelled()
	case !there && s.lease.Away() && !errors.Is(err, protocol.ErrLost):
		return s.o.vanished(ctx)
	}
	return err
}

// vanished reads the job anew. If the store does not have it, it waits a while for others to put it back. The error
// is protocol.ErrLost if the worker should join again, and wraps protocol.ErrGone if the store has lost the job.
func (o *WorkOptions) vanished(ctx context.Context) error {
	j := o.Job
	for pause := protocol.PauseBy(protocol.Wall); ; {
		removed, _, err := records.Control{Job: j}.Removed(ctx)
		if err == nil && removed {
			err = j.Cancelled()
		}
		if err != nil {
			return err
		}
		if now, err := j.Again(ctx); err == nil {
			o.Job = now
			return protocol.ErrLost
		} else if !errors.Is(err, protocol.ErrMissing) {
			return err
		}
		if pause.Waited() >= 2*j.Lease {
			return protocol.Missing(j.Key.Spec())
		}
		if err := pause.Wait(ctx); err != nil {
			return err
		}
	}
}
