package protocol

import (
	"context"
	"errors"
	"maps"
	"time"
)

// Leader decides what the leading worker does. It gives every part and slice to a living worker, waits until all have
// reached a round, and opens the rounds up to the next meeting. One goroutine uses it: that of the training loop.
type Leader struct {
	Token   int64
	Job     *Layout
	Control Control
	Clock   Clock
	Rounds  *Rounds
	State   State // where workers met last

	// Tell is called with what happens, in one line each.
	Tell func(format string, args ...any)

	// Own blocks for a while until this process itself has reached a round: before, there is no need to ask about
	// others. It may be nil.
	Own func(ctx context.Context, round int, most time.Duration)

	between *Pause    // while workers go on without the leader: nobody waits for what it tells of their iterations
	looked  time.Time // when it last saw that the store has its state
}

// Await waits until all parts have sampled a round and, at a meeting, everything of it is in the store. Meanwhile it
// gives the offices of dead workers to others.
func (l *Leader) Await(ctx context.Context, round int, meets bool) error {
	var last map[string]int
	pause := l.between
	if meets || pause == nil {
		pause = PauseBy(l.Clock)
	}
	for {
		if l.Own != nil {
			l.Own(ctx, round, l.Job.Lease/8)
		}
		s, err := l.Control.Survey(ctx, l.Token)
		if err != nil {
			return err
		}
		if meets && !maps.Equal(last, s.Reached) { // all others wait for the leader then, and the rest may come soon
			last, pause = s.Reached, PauseBy(l.Clock)
		}
		begun := len(s.Owners) > 0
		if changes := s.Assign(l.Job, false); len(changes) > 0 {
			if begun {
				l.Tell("%d parts and slices go to other workers", len(changes)/2)
			}
			if err := l.Control.Assign(ctx, l.Token, changes); err != nil {
				return err
			}
		}
		if s.ReachedAll(l.Job, round, meets) {
			return nil
		}
		if err := l.look(ctx); err != nil {
			return err
		}
		if err := pause.Wait(ctx); err != nil {
			return err
		}
	}
}

// look checks now and then that the store still has the published state. A store that comes back without its last
// moments may have an older one. Workers would stop there, and the leader would wait for ever.
func (l *Leader) look(ctx context.Context) error {
	now := l.Clock.Now()
	if l.looked.IsZero() {
		l.looked = now
	}
	if now.Sub(l.looked) < l.Job.Lease {
		return nil
	}
	l.looked = now
	there, _, err := l.Control.Read(ctx)
	if err == nil && there != nil && l.State.LaterThan(there) {
		err = ErrLost // this worker begins again where the store is now
	}
	return err
}

// Start waits for the first barrier of a job, unless it has been passed. Before, it waits at most so long for the
// expected workers.
func (l *Leader) Start(ctx context.Context, most time.Duration) error {
	if l.State.Round >= 0 {
		return nil
	}
	for pause := PauseBy(l.Clock); ; {
		s, err := l.Control.Survey(ctx, l.Token)
		if err != nil {
			return err
		}
		if len(s.Alive) >= l.Job.Workers || pause.Waited() > most {
			return l.Sweep(ctx, l.State.Until)
		}
		if err := pause.Wait(ctx); err != nil {
			return err
		}
	}
}

// Sweep waits until an iteration is done. If workers meet there, it updates the state.
func (l *Leader) Sweep(ctx context.Context, iteration int) error {
	round := l.Rounds.End(iteration)
	if err := l.Await(ctx, round, iteration == l.State.Until); err != nil {
		return err
	}
	if iteration == l.State.Until {
		l.State.Meet(round)
	}
	return nil
}

// Open decides where workers meet next, given what after returns. They meet earlier if the store would have to keep
// too much.
func (l *Leader) Open(after func(iteration int) (until int, histograms, brief bool)) {
	s := &l.State
	s.Until, s.Histograms, s.Brief = after(s.Since)
	most := l.Rounds.End(s.Iteration) + l.Job.MostRounds() // where there is a barrier at the latest
	for t := s.Since + 1; t < s.Until; t++ {
		if l.Rounds.End(t) >= most {
			s.Until, s.Histograms, s.Brief = t, false, false
		}
	}
	if s.Brief { // unless one more barrier would be due before the next time
		next, _, _ := after(s.Until)
		s.Brief = !l.Job.Apart && l.Rounds.End(next) <= most
	}
	l.between = PauseBy(l.Clock)
}

// Publish writes the state, assigns free offices, and deletes what is not needed any more.
func (l *Leader) Publish(ctx context.Context) error {
	s, err := l.Control.Survey(ctx, l.Token)
	if err != nil {
		return err
	}
	// A worker that is given a part begins at the barrier, so parts move there alone.
	changes := s.Assign(l.Job, l.State.Since == l.State.Iteration)
	if err := l.Control.Publish(ctx, l.Token, &l.State, changes); err != nil {
		return err
	}
	return l.Control.Raise(ctx, &l.State)
}

// MayMiss returns err, about something missing, or ErrLost if another worker leads and may have deleted it.
func (l *Leader) MayMiss(ctx context.Context, err error) error {
	if _, fault := l.Control.Survey(ctx, l.Token); errors.Is(fault, ErrLost) {
		return ErrLost
	}
	return err
}
