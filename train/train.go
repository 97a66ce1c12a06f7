// Package train trains models. [Run] takes a corpus and [topoi.Options]:
//
//	m, err := train.Run(ctx, c, topoi.Options{Topics: 100})
//
// A run splits the corpus, chooses sampler and device, sweeps until nothing improves, keeps checkpoints, averages states
// and makes a [topoi.Model]. A program that only opens models does not need this package, and does not link samplers.
package train

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/training"
)

// ErrInterrupted is wrapped by the error that Run returns if its context was cancelled, beside the error of the
// context ([context.Canceled] or [context.DeadlineExceeded]) and its cause. The state was written to
// Options.Checkpoint, if that is set. If writing failed, Events.Warning was called.
var ErrInterrupted = errors.New("interrupted")

// Run learns a model from the documents of c. It returns when the first of the options' conditions for
// stopping is met. If ctx is cancelled before, it finishes the sweep, writes a checkpoint and returns an
// error that wraps ErrInterrupted. [topoi.ErrStop] as the cause of that ends the run with a model instead.
func Run(ctx context.Context, c *corpus.Corpus, o topoi.Options) (m *topoi.Model, err error) {
	opts := options{o.WithDefaults()}
	if err := Validate(o); err != nil {
		return nil, err
	}
	var r *run
	var owned *claim.Set
	defer func() {
		if r != nil && err != nil {
			m, err = nil, owned.Explain(r.saver.explain(err))
		}
	}()
	defer guard.Files(&err)()
	ctx, owned, err = claim.Hold(ctx, claim.OfRun(opts.Checkpoint, opts.WorkDir)...)
	if err != nil {
		return nil, err
	}
	defer owned.Release()
	if err := opts.enterWorkDir(); err != nil {
		return nil, err
	}
	r, err = newRun(c, opts)
	if err != nil {
		return nil, err
	}
	defer r.leave()
	r.saver.owned, r.whole = owned, true
	if err := r.start(); err != nil {
		return nil, err
	}
	for r.stopped == "" {
		if err := r.iterate(ctx); err != nil {
			return nil, err
		}
	}
	return r.finish(ctx)
}

// newRun splits the corpus and makes the sampler.
func newRun(c *corpus.Corpus, opts options) (*run, error) {
	r, problem, err := planRun(c, opts, true)
	if err != nil {
		return nil, err
	}
	if err := r.place(problem); err != nil {
		r.leave()
		return r, sampler.Name(err, r.docs.All.Word)
	}
	r.saver.behind = r.docs.Train.NumTokens() >= behindFrom
	return r, nil
}

// start sets the initial state, from the checkpoint if there is one.
func (r *run) start() error {
	state, err := r.initial()
	if err != nil {
		return err
	}
	if state == nil && r.priors.Labels != nil {
		state = r.startLabels()
	}
	if state != nil {
		r.resumeAt(state)
	}
	r.priors.SetGroups()
	r.tellStart()
	err = training.Timed(&r.clock.Training, func() error {
		if state == nil {
			return r.engine.Start(r.priors.Now)
		}
		err := r.restore(state)
		if err != nil {
			err = r.restoreBefore(err)
		}
		return err
	})
	r.clock.Starting = time.Since(r.clock.Began) - r.clock.Training
	r.clock.Scored(r.iteration, 0)
	return err
}

// iterate does one sweep, and scores, saves or ends the run if that is due.
func (r *run) iterate(ctx context.Context) error {
	asked := errors.Is(context.Cause(ctx), topoi.ErrStop)
	switch {
	case asked && r.whole && r.iteration > 0:
		return endAsked(ctx, r)
	case ctx.Err() != nil && (!asked || r.whole):
		return r.interrupt(ctx)
	}
	if r.iteration >= r.opts.Iterations {
		r.stopped = topoi.StopIterations
		return nil
	}
	r.iteration++
	before := r.clock.Training
	if err := training.Timed(&r.clock.Training, func() error { return r.sweep(ctx) }); err != nil {
		return fmt.Errorf("iteration %d: %w", r.iteration, err)
	}
	if err := r.docs.All.Unchanged(); err != nil { // check before anything of this iteration is saved
		return err
	}
	r.late = r.clock.Past(r.opts.TimeLimit)
	took, score := r.clock.Training-before, (*topoi.Score)(nil)
	if r.scoreDue() {
		err := training.Timed(&r.clock.Scoring, func() (err error) {
			score,
				err = r.scorer.score(ctx, r.iteration)
			return err
		})
		if err != nil {
			return err
		}
		r.history = append(r.history, *score)
		took = r.clock.Scored(r.iteration, took)
	}
	r.stopped = r.rule.reason(r.iteration, r.history, score != nil, r.engine.ExtraBytes() == 0, r.late)
	if r.stopped != "" && score != nil && score.HeldoutSample != nil { // all of them, at the end
		if err := r.scorer.heldout(ctx, score); err != nil {
			return err
		}
		r.history[len(r.history)-1] = *score
	}
	r.tellIteration(took, score)
	if r.stopped != "" {
		return nil
	}
	return training.Timed(&r.clock.Saving, r.saver.keep)
}

// endAsked ends a run after the last sweep, with a score of all held-out documents.
func endAsked(ctx context.Context, r *run) error {
	r.stopped, r.late = topoi.StopAsked, true
	if err := training.Timed(&r.clock.Training, r.engine.Wait); err != nil {
		return err
	}
	return training.Timed(&r.clock.Scoring, func() error {
		if n := len(r.history); n == 0 || r.history[n-1].Iteration < r.iteration {
			score, err := r.scorer.score(ctx, r.iteration)
			if err != nil {
				return err
			}
			r.history = append(r.history, *score)
		}
		if last := &r.history[len(r.history)-1]; last.HeldoutSample != nil && last.Heldout == nil {
			return r.scorer.heldout(ctx, last)
		}
		return nil
	})
}

// scoreDue reports whether the state is scored after this iteration.
func (r *run) scoreDue() bool { return r.opts.evaluates(r.iteration) || r.late }

// sweep resamples every token once and estimates the priors if that is due. It finishes the sweep even if ctx is
// cancelled meanwhile, so that there is a state to save.
func (r *run) sweep(ctx context.Context) error {
	r.scorer.counted = nil
	if err := r.engine.Sweep(context.WithoutCancel(ctx), r.iteration, r.priors.Now); err != nil {
		return err
	}
	if r.scoreDue() {
		if err := r.engine.Wait(); err != nil {
			return err
		}
	}
	if !r.priors.Due(r.iteration) {
		return nil
	}
	h, err := r.scorer.statistics()
	if err != nil {
		return err
	}
	return r.priors.Learn(r.iteration, h)
}

// finish writes the last checkpoint and makes the model. Both are done when it returns, so that a user who
// cannot save the model can still continue from the checkpoint. A checkpoint that is held back is in memory.
func (r *run) finish(ctx context.Context) (*topoi.Model, error) {
	defer r.saver.wait()
	if err := training.Timed(&r.clock.Saving, r.saver.holdLast); err != nil {
		return nil, err
	}
	if err := r.engine.Sync(); err != nil {
		return nil, err
	}
	if err := average(ctx, r); err != nil {
		return nil, err
	}
	r.clock.Finished = time.Now()
	m, err := r.model()
	if err != nil {
		return nil, err
	}
	r.docs = nil // they belong to the model now
	return m, nil
}

// interrupt saves the state and returns the error of an interrupted run.
func (r *run) interrupt(ctx context.Context) error {
	r.stopped = stopInterrupted
	if err := r.saver.keepLast(); err != nil {
		return err
	}
	r.saver.wait()
	if err := r.engine.Sync(); err != nil {
		return err
	}
	r.tellDone()
	return training.Interrupted(ctx, ErrInterrupted, fmt.Sprintf("iteration %d", r.iteration))
}
