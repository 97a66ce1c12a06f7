package topoi

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/training"
)

// This file lets package cluster lead training, by way of package training.

func init() {
	training.Plan = func(c *corpus.Corpus, opts any) (training.Run, error) { return planLed(c, opts.(Options)) }
}

// ledRun is a run whose sampler is a cluster. It implements training.Run.
type ledRun struct {
	*run
	problem *sampler.Problem
}

func planLed(c *corpus.Corpus, opts Options) (*ledRun, error) {
	r, problem, err := planRun(c, opts, false)
	if err != nil {
		return nil, err
	}
	r.opts.Sampler, r.opts.Tuning = r.record.Sampler, r.record.Tuning
	return &ledRun{r, problem}, nil
}

func (r *ledRun) Options() any              { return &r.opts }
func (r *ledRun) Docs() *corpus.Corpus      { return r.docs }
func (r *ledRun) Frequencies() []uint64     { return frequencies(r.docs) }
func (r *ledRun) Info() sampler.Info        { return r.info }
func (r *ledRun) Problem() *sampler.Problem { return r.problem }

// history is what a new leader must know beyond iteration and priors. Package cluster
// shows it in a job's status.
type history struct {
	Scores  []Score    `json:"history,omitempty"`
	Stopped StopReason `json:"stopped,omitempty"`
	Warning string     `json:"warning,omitempty"` // why the last checkpoint could not be written
}

// Begin implements training.Run.
func (r *ledRun) Begin() (*training.State, error) {
	r.initialPriors()
	from, err := r.readCheckpoint()
	if err != nil {
		return nil, err
	}
	s := &training.State{Priors: r.priors}
	var h history
	if from != nil {
		s.Iteration, s.Priors = from.Iteration, &sampler.Priors{Alpha: from.Alpha, Beta: from.Beta}
		s.Topics, s.Extra = from.Topics.Wide, from.Extra
		h.Scores, h.Stopped = from.History, from.ended(r.record)
	}
	s.History, err = json.Marshal(h)
	return s, err
}

// resume sets the run to a state of the job.
func (r *ledRun) resume(at *training.State) error {
	var h history
	if err := json.Unmarshal(at.History, &h); err != nil {
		return fmt.Errorf("the job's history in the store cannot be read: %w", err)
	}
	r.iteration, r.saved, r.priors = at.Iteration, at.Iteration, at.Priors
	r.history, r.stopped = h.Scores, h.Stopped
	return nil
}

// Lead implements training.Run: all workers of the cluster are the sampler.
func (r *ledRun) Lead(ctx context.Context, from *training.State, by training.Leader) error {
	if err := r.resume(from); err != nil {
		return err
	}
	r.engine, r.began = engine.ByWorkers(by, r.docs.NumTokens()), by.Submitted()
	by.Join(ctx, r.nextBarrier, func() (json.RawMessage, error) {
		return json.Marshal(history{r.history, r.stopped, r.warning})
	})
	r.tellStart()
	if err := timed(&r.training, func() error { return r.engine.Start(r.priors) }); err != nil {
		return err
	}
	for r.stopped == "" {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.iterate(ctx); err != nil {
			return err
		}
	}
	if err := r.keepLast(); err != nil {
		return err
	}
	if err := by.Finish(r.priors); err != nil {
		return err
	}
	r.tellDone()
	return nil
}

// nextBarrier returns the next iteration after which something is due, whether
// that needs the documents' histograms, and whether it needs nothing else: priors are estimated from them alone.
func (r *run) nextBarrier(iteration int) (until int, histograms, brief bool) {
	o := r.opts
	for until = iteration + 1; ; until++ {
		evaluate := o.evaluates(until) || until > o.Iterations
		optimize := o.OptimizeInterval > 0 && until > o.BurnIn && until%o.OptimizeInterval == 0
		checkpoint := o.Checkpoint != "" && until%o.checkpointEvery() == 0
		if evaluate || optimize || checkpoint || o.TimeLimit > 0 {
			return until, evaluate || optimize, !evaluate && !checkpoint && o.TimeLimit == 0
		}
	}
}

// Model implements training.Run.
func (r *ledRun) Model(at *training.State, of training.Trained) (any, error) {
	if err := r.resume(at); err != nil {
		return nil, err
	}
	z := make([]uint32, r.docs.NumTokens())
	of.Topics(z)
	m := newModel(r.run, topics.List{Wide: z}, of)
	return m, r.checkModel(m)
}
