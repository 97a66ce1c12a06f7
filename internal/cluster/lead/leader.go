// Package lead is the leader of a job: the one of its workers that runs the training loop and distributes the work.
package lead

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/barrier"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Options are the job and the progress of a leader.
type Options struct {
	records.Task
	Own *records.Progress // of the worker of this process

	// Tell is called with what happens, in one line each.
	Tell func(format string, args ...any)
}

// After returns the iteration after which workers meet next, given the one after which they met last. histograms is
// true if they are wanted there, brief if nothing else is.
type After = func(iteration int) (until int, histograms, brief bool)

// Leader is the worker that trains. To the training loop it is a sampler whose sweeps are done by all workers. It
// also gives every part and slice to a living worker.
type Leader struct {
	*barrier.Reader // after Join

	*protocol.Leader

	ctx  context.Context
	o    Options
	job  *records.Job
	at   int // the iteration that has been swept
	late []byte

	next    After
	history func() (json.RawMessage, error)
}

// WorkersWait is how long the first worker waits for the others that are expected. Tests make it longer.
var WorkersWait = 5 * time.Second

// New returns the leader of a job that continues from a state. token is the worker's.
func New(o Options, token int64, state *protocol.State) *Leader {
	return &Leader{o: o, job: o.Job, at: state.Since, Leader: &protocol.Leader{
		Token: token, Job: &o.Job.Layout, Control: records.Control{Job: o.Job}, Clock: protocol.Wall,
		Rounds: o.Rounds, State: *state, Tell: o.Tell, Own: o.Own.Await,
	}}
}

// Resume returns where training stands: the iterations done, the priors, and the history so far.
func (l *Leader) Resume() (iteration int, priors *sampler.Priors, history json.RawMessage) {
	return l.State.Since, l.State.Priors.Decode(l.job.Topics), l.State.Training
}

// Start implements sampler.Sampler. The topics are those of the last barrier, or those the job was submitted with; z
// is not used.
func (l *Leader) Start([]uint32, *sampler.Priors) error { return l.Leader.Start(l.ctx, WorkersWait) }

// Join is called before Start. Methods without a context of their own ask the store under ctx. After is called with
// the iteration after which workers met last; history returns what Resume is to return from there on.
func (l *Leader) Join(ctx context.Context, after After, history func() (json.RawMessage, error)) {
	l.ctx, l.next, l.history = ctx, after, history
	l.Reader = barrier.NewReader(ctx, l.o.Task)
}

// Sweep implements sampler.Sampler. Where workers met it opens the rounds up to the next meeting. Then it waits until
// the iteration is done.
//
// Sweeps end with the leader's context, not with the given one: a training loop may want to finish a sweep before it
// stops, but other workers finish it anyway.
func (l *Leader) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	if iteration == l.State.Since+1 {
		l.Open(l.next)
		l.State.SetPriors(priors)
		if err := l.publish(l.ctx); err != nil {
			return err
		}
	}
	if err := l.Leader.Sweep(l.ctx, iteration); err != nil {
		return err
	}
	l.at = iteration
	return nil
}

// publish writes the state, with the history from which training continues.
func (l *Leader) publish(ctx context.Context) (err error) {
	if l.State.Training, err = l.history(); err != nil {
		return err
	}
	return l.Publish(ctx)
}

// Submitted returns when the job was submitted.
func (l *Leader) Submitted() time.Time { return l.job.Submitted }

// Finish publishes that the model is complete. Training must have ended at a barrier.
func (l *Leader) Finish(priors *sampler.Priors) error {
	if l.at != l.State.Iteration {
		return fmt.Errorf("training ended after iteration %d, which is no barrier", l.at)
	}
	l.State.Finished, l.State.Until = true, l.State.Iteration
	l.State.SetPriors(priors)
	return l.publish(l.ctx)
}

// Fetch implements training.Leader: it fetches histograms if workers left some where they met.
func (l *Leader) Fetch() error {
	if !l.State.Histograms {
		return nil
	}
	round := l.Rounds.End(l.State.Since)
	if err := l.FetchStatistics(round); err != nil {
		return err
	}
	return l.FetchHistograms(round)
}

// FetchCounts fetches n_k and the rows of some words at the barrier that was reached.
func (l *Leader) FetchCounts(words func() []uint32) error { return l.FetchWords(l.State.Round, words) }

// FetchTopics fetches the topics of the barrier that was reached, and the late changes that a checkpoint needs.
func (l *Leader) FetchTopics() error {
	var err error
	if l.late, err = l.FetchLate(l.State.Round); err != nil {
		return err
	}
	return l.Reader.FetchTopics(l.State.Round)
}

// SaveExtra implements training.Leader. It returns the late changes after FetchTopics.
func (l *Leader) SaveExtra() []byte { return l.late }
