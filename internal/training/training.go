// Package training holds what a run is made of that needs no type of package topoi: its documents, priors, clock and
// work directory. It also holds what the loop there and a cluster that leads it agree on: where a run stands, who does
// its sampling, and what a model is made of.
package training

import (
	"context"
	"encoding/json"
	"time"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// State is where a run stands between two iterations.
type State struct {
	Iteration int
	Priors    *sampler.Priors
	History   json.RawMessage // scores and the like, as package topoi writes them

	Topics []uint32 // z of a checkpoint, corpus order; nil: there is none
	Extra  []byte   // what the sampler keeps beside z there
	Given  bool     // they are those of no checkpoint: there is no Extra
}

// Leader does the sampling of a run, by many workers.
type Leader interface {
	sampler.Chain

	// Fetch fetches what histograms need from where workers met.
	Fetch() error

	// SaveExtra returns what the sampler keeps beside z, after FetchTopics.
	SaveExtra() []byte

	// FetchCounts fetches n_k and n_wk of some words, distinct and increasing.
	FetchCounts(words func() []uint32) error

	// FetchTopics fetches what a checkpoint needs beyond Fetch.
	FetchTopics() error

	// Join is called once, before Start: next says after which iteration workers must
	// meet next, given the one at which they met last, whether histograms are
	// wanted there, and whether nothing else is; history returns State.History at such a meeting.
	Join(ctx context.Context, next func(iteration int) (until int, histograms, brief bool),
		history func() (json.RawMessage, error))

	// Submitted returns when the job was submitted.
	Submitted() time.Time

	// Finish records that the model is complete.
	Finish(priors *sampler.Priors) error
}

// Trained is the content of a model.
type Trained interface {
	counts.Rows
	TopicTotals() []uint64
	Topics(z []uint32)
}

// Writing is a checkpoint on its way to the disk.
type Writing struct {
	Iteration int
	Size      int64         // bytes of the file, once it is known
	Took      time.Duration // since the making of the state began
	err       error
	done      chan struct{} // closed when the rest is known
}

// Write begins to write a checkpoint whose making has begun at the given time.
func Write(iteration int, begin time.Time, write func() (size int64, err error)) *Writing {
	w := &Writing{Iteration: iteration, done: make(chan struct{})}
	guard.Go(func() {
		defer close(w.done)
		w.Size, w.err = write()
		w.Took = time.Since(begin)
	})
	return w
}

// Wait waits until the checkpoint is there, or returns why it is not.
func (w *Writing) Wait() error {
	<-w.done
	return w.err
}

// Clock records when a run began and how it spent its time.
type Clock struct {
	Began    time.Time
	Training time.Duration // in sweeps and prior estimation
	Starting time.Duration // before the first sweep
	Scoring  time.Duration // on scores
	Saving   time.Duration // waiting for checkpoints
	Finished time.Time     // when the last sweep and its checkpoint were done

	scored      int           // iteration of the last score, or at which the run began
	scoredAfter time.Duration // training time up to then
}

// Past reports whether the run has reached its time limit; 0 means no limit.
func (c *Clock) Past(limit time.Duration) bool { return limit > 0 && time.Since(c.Began) >= limit }

// Scored records that a score belongs to an iteration, and returns the mean time of a sweep since the last score.
// Sweeps may overlap, as they do on a device; then only a mean is meaningful. took is what the last sweep seemed to
// take.
func (c *Clock) Scored(iteration int, took time.Duration) time.Duration {
	if n := iteration - c.scored; n > 0 { // a job may go back to an earlier iteration
		took = (c.Training - c.scoredAfter) / time.Duration(n)
	}
	c.scored, c.scoredAfter = iteration, c.Training
	return took
}

// Timed adds the time f takes to spent.
func Timed(spent *time.Duration, f func() error) error {
	begin := time.Now()
	defer func() { *spent += time.Since(begin) }()
	return f()
}
