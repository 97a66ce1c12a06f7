// Package lead is the leader of a job, one of its workers: it trains, and sees to it that others do what there is to do.
package lead

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/barrier"
	"github.com/topoi-lda/topoi/internal/cluster/offices"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Options say what a leader leads with.
type Options struct {
	Job   *protocol.Job
	Plan  *sampler.Plan      // how the training documents are cut for the job's sampler
	Spans []sampler.Span     // the job's parts
	Cut   *rows.Cut          // the job's slices
	Own   *protocol.Progress // of the worker of this process

	// Tell is called with what happens, in one line each.
	Tell func(format string, args ...any)
}

// Leader is the worker that trains: to the training loop it is a sampler, whose
// sweeps are done by all workers. It also sees to it that every part and slice is
// some living worker's.
type Leader struct {
	*barrier.Reader // after Join

	ctx     context.Context
	o       Options
	job     *protocol.Job
	token   string
	rounds  *protocol.Rounds
	state   protocol.State // where workers met last
	at      int            // the iteration that has been swept
	late    []byte
	between *protocol.Pause // while workers go on without the leader: nobody waits for what it tells of their iterations

	next    func(iteration int) (until int, histograms, brief bool) // see Join
	history func() (json.RawMessage, error)
}

// New returns the leader of a job that goes on from a state. token is the worker's.
func New(o Options, token int64, state *protocol.State) *Leader {
	return &Leader{
		o: o, job: o.Job, token: strconv.FormatInt(token, 10), rounds: &protocol.Rounds{Plan: o.Plan},
		state: *state, at: state.Since, between: protocol.NewPause(),
	}
}

// Resume returns where training stands: the iterations done, the priors, and the history
// up to there.
func (l *Leader) Resume() (iteration int, priors *sampler.Priors, history json.RawMessage) {
	return l.state.Since, l.state.Priors.Decode(l.job.Topics), l.state.Training
}

// Start implements sampler.Sampler. The topics are those the job was submitted
// with, or those of its last barrier; z is not used.
func (l *Leader) Start([]uint32, *sampler.Priors) error {
	if l.state.Round >= 0 {
		return nil
	}
	ctx := l.ctx
	if err := l.awaitWorkers(ctx); err != nil {
		return err
	}
	round := l.rounds.End(l.state.Until)
	if err := l.wait(ctx, round, true); err != nil {
		return err
	}
	l.state.Meet(round)
	return nil
}

// Join is called before Start. The store is asked under ctx by methods that have no
// context of their own. next says after which iteration workers are to meet next, given
// the iteration of the last time, whether histograms are wanted there, and whether nothing else is; history returns
// what Resume is to return from there on.
func (l *Leader) Join(ctx context.Context, next func(iteration int) (until int, histograms, brief bool), history func() (json.RawMessage, error)) {
	l.ctx, l.next, l.history = ctx, next, history
	l.Reader = barrier.NewReader(ctx, l.job, l.o.Cut, l.o.Spans)
}

// Sweep implements sampler.Sampler: where workers met it opens the rounds up to the
// next one; then it waits until an iteration is done.
//
// Sweeps end with the leader's context, not with the one given: a training loop
// may want to finish a sweep before it stops, but other workers finish it anyway.
func (l *Leader) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	ctx := l.ctx
	if iteration == l.state.Since+1 {
		if err := l.open(ctx, priors); err != nil {
			return err
		}
	}
	round := l.rounds.End(iteration)
	if err := l.wait(ctx, round, iteration == l.state.Until); err != nil {
		return err
	}
	if iteration == l.state.Until {
		l.state.Meet(round)
	}
	l.at = iteration
	return nil
}

// open publishes where workers met and how far to go from there, and
// then deletes what nobody needs any more.
func (l *Leader) open(ctx context.Context, priors *sampler.Priors) error {
	s := &l.state
	s.Until, s.Histograms, s.Brief = l.next(s.Since)
	most := l.rounds.End(s.Iteration) + l.job.MostRounds() // where there is a barrier at the latest
	for t := s.Since + 1; t < s.Until; t++ {
		if l.rounds.End(t) >= most {
			s.Until, s.Histograms, s.Brief = t, false, false
		}
	}
	if s.Brief { // unless one more barrier would be due before the next time
		after, _, _ := l.next(s.Until)
		s.Brief = l.job.MeetsBriefly() && l.rounds.End(after) <= most
	}
	s.SetPriors(priors)
	l.between = protocol.NewPause()
	return l.publish(ctx)
}

// Submitted returns when the job was submitted.
func (l *Leader) Submitted() time.Time { return l.job.Submitted }

// Finish says that the model is complete. Training must have ended at a barrier.
func (l *Leader) Finish(priors *sampler.Priors) error {
	if l.at != l.state.Iteration {
		return fmt.Errorf("training ended after iteration %d, which is no barrier", l.at)
	}
	l.state.Finished, l.state.Until = true, l.state.Iteration
	l.state.SetPriors(priors)
	return l.publish(l.ctx)
}

// MayMiss returns err, about something that was not to be found, unless another worker
// leads and may have deleted it.
func (l *Leader) MayMiss(ctx context.Context, err error) error {
	if _, fault := offices.Look(ctx, l.job, l.token); errors.Is(fault, protocol.ErrLost) {
		return protocol.ErrLost
	}
	return err
}

// Fetch implements training.Leader: it fetches what histograms need from where workers met.
func (l *Leader) Fetch() error {
	if !l.state.Histograms {
		return nil
	}
	round := l.rounds.End(l.state.Since)
	if err := l.FetchStatistics(round); err != nil {
		return err
	}
	return l.FetchHistograms(round)
}

// FetchCounts fetches n_k and the rows of some words at the barrier that was reached.
func (l *Leader) FetchCounts(words func() []uint32) error { return l.FetchWords(l.state.Round, words) }

// FetchTopics fetches the topics of the barrier that was reached, and what else a
// checkpoint needs.
func (l *Leader) FetchTopics() error {
	var err error
	l.late, err = l.FetchLate(l.state.Round, func(part, round int) bool {
		return l.o.Plan.Takes(l.o.Spans[part], l.rounds.Step(round))
	})
	if err != nil {
		return err
	}
	return l.Reader.FetchTopics(l.state.Round)
}

// SaveExtra implements training.Leader, after FetchTopics: the late changes.
func (l *Leader) SaveExtra() []byte { return l.late }
