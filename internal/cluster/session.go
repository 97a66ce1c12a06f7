package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/topoi-lda/topoi/internal/cluster/exchange"
	"github.com/topoi-lda/topoi/internal/cluster/lead"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/guard"
)

// session is a worker from joining to leaving or losing its lease: the goroutines in which the machines of package
// protocol run, and what they work with.
type session struct {
	o        WorkOptions
	cut      *rows.Cut
	rounds   *protocol.Rounds
	control  records.Control
	lease    *protocol.Lease
	tally    *exchange.Tally
	progress records.Progress

	ctx    context.Context
	cancel context.CancelCauseFunc
	group  sync.WaitGroup // of the session's goroutines
	led    chan struct{}  // closed when the training that this worker leads has ended
}

func newSession(o WorkOptions, c *rows.Cut) *session {
	s := &session{
		o: o, cut: c, rounds: &protocol.Rounds{Plan: o.Plan}, control: records.Control{Job: o.Job}, led: make(chan struct{}),
		tally: exchange.NewTally(o.Name, o.Device, o.Threads),
	}
	s.lease = protocol.NewLease(rand.Int64N(math.MaxInt64)+1, &o.Job.Layout, s.control, protocol.Wall)
	s.lease.Report, s.lease.Leads = s.report, func(state *protocol.State) { s.background(func() error { return s.lead(state) }) }
	return s
}

// background runs something beside the work until the session ends. Its error ends the session.
func (s *session) background(work func() error) {
	s.group.Go(func() {
		guard.Alone(func() {
			if err := work(); err != nil && s.ctx.Err() == nil {
				s.cancel(err)
			}
		})
	})
}

// run joins, works, and leaves.
func (s *session) run(parent context.Context) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	s.ctx, s.cancel = ctx, cancel
	if err := s.lease.Join(ctx); err != nil {
		if errors.Is(err, protocol.ErrMissing) {
			return s.o.vanished(ctx)
		}
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), s.o.Job.Lease)
		defer cancel()
		s.lease.Leave(ctx)
	}()
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
	j := s.o.Job
	o := exchange.Options{
		Job: j, Plan: s.o.Plan, Spans: s.o.Spans, Cut: s.cut, Rounds: s.rounds, Threads: s.o.Threads,
		Tally: s.tally, Progress: &s.progress, Words: s.o.Words, Passed: s.o.Passed,
	}
	hands := exchange.New(s.ctx, s.cancel, o)
	w := protocol.NewWorker(s.lease, protocol.Steps{Rounds: s.rounds, Takes: o.Takes}, hands)
	w.Tell, w.Idle = s.o.tell, s.tally.Waited
	hands.Serve(w)
	s.background(func() error { return s.lease.Beats(s.ctx) })
	if j.Summed || j.Apart {
		owner := &protocol.Owner{Worker: w, Make: hands.Make, Lose: hands.Lose, Wrote: hands.Wrote()}
		owner.Each = func(n int, f func(i int)) { rows.Spread(max(1, s.o.Threads), n, func(_, i int) { f(i) }) }
		s.background(func() error { return owner.Work(s.ctx) })
	}
	err := w.Work(s.ctx)
	if err == nil && s.lease.Led() {
		select {
		case <-s.led:
		case <-s.ctx.Done():
			err = context.Cause(s.ctx)
		}
	}
	_ = w.Drop(func(*protocol.Part) bool { return true }) // a lost device cannot be left in order, and that is no second fault
	return err
}

// lead runs the training.
func (s *session) lead(state *protocol.State) error {
	defer close(s.led)
	s.o.tell("leading from iteration %d", state.Since)
	l := lead.New(lead.Options{Job: s.o.Job, Plan: s.o.Plan, Spans: s.o.Spans, Cut: s.cut, Own: &s.progress, Tell: s.o.tell}, s.lease.Token, state)
	err := s.o.Lead(s.ctx, l)
	if errors.Is(err, protocol.ErrGone) && s.ctx.Err() == nil {
		err = l.MayMiss(s.ctx, err)
	}
	if errors.Is(err, protocol.ErrLost) {
		// Another leads. Its lease ran out with the office, so that the whole
		// session is over.
		err = protocol.ErrLost
	}
	return err
}

// report returns what the worker says of itself, for the store.
func (s *session) report() string {
	sent, received := s.o.Job.Store.Moved()
	r := s.tally.Report(sent, received, len(s.lease.View().Slices))
	if s.o.Reports != nil {
		s.o.Reports(r)
	}
	text, _ := json.Marshal(r) // of numbers and strings
	return string(text)
}
