package topoi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// ErrInterrupted is wrapped by the error that Train returns if its context was cancelled. The state was
// written to Options.Checkpoint, if that is set. If writing failed, Events.Warning was called.
var ErrInterrupted = errors.New("interrupted")

// Train learns a model from the documents of c. It returns when the first of the options' conditions for
// stopping is met. If ctx is cancelled before, it finishes the sweep, writes a checkpoint and returns an
// error that wraps ErrInterrupted.
func Train(ctx context.Context, c *corpus.Corpus, opts Options) (m *Model, err error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	var r *run
	defer func() {
		if err = r.corpusFault(err); err != nil {
			m = nil
		}
	}()
	defer guard.Files(&err)()
	ctx, owned, err := claim.Hold(ctx, claim.OfRun(opts.Checkpoint, opts.WorkDir)...)
	if err != nil {
		return nil, err
	}
	defer owned.Release()
	if err := opts.enterWorkDir(); err != nil {
		return nil, err
	}
	r, err = newRun(c, opts.WithDefaults())
	if err != nil {
		return nil, err
	}
	defer r.leave()
	r.owned = owned
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

// run is one training in progress.
type run struct {
	request
	documents
	engine engine.Engine // where the run computes
	parameters

	// model makes the model from the last state.
	model func(ctx context.Context) (*Model, error)

	iteration int
	scores
	stopped StopReason // why the run has ended; "" while it continues

	clock
	saver
	budget
	owned *claim.Set // claims on checkpoint and work directory; nil if another run holds them for this one
}

// request is what a run was asked for, and what follows from it.
type request struct {
	opts    Options
	record  Options         // the options that determine the result
	chosen  registry.Choice // the sampler, and why "auto" chose it
	started string          // hash of Options.Start; "" without
}

// parameters are the priors of a run and the counts by which they are estimated.
type parameters struct {
	priors     *sampler.Priors
	labels     *prior.Labels      // the topics of documents' labels; nil without labels
	regression *prior.Regression  // on columns of documents; nil without columns
	counted    *counts.Histograms // after this iteration; nil until they are needed
	pseudo     *counts.Histograms // of the pseudo-counts; nil until they are needed
}

// newRun splits the corpus and makes the sampler.
func newRun(c *corpus.Corpus, opts Options) (*run, error) {
	r, problem, err := planRun(c, opts, true)
	if err != nil {
		return nil, err
	}
	if err := r.place(problem); err != nil {
		r.leave()
		return r, err
	}
	r.behind = r.docs.NumTokens() >= behindFrom
	return r, nil
}

// start sets the initial state, from the checkpoint if there is one.
func (r *run) start() error {
	r.initialPriors()
	state, err := r.readCheckpoint()
	if state == nil && err == nil && r.opts.Start != nil {
		state, err = r.opts.Start.state(r)
	}
	if err != nil {
		return err
	}
	if state == nil && r.labels != nil {
		state = r.startLabels()
	}
	if state != nil {
		r.resumeAt(state)
	}
	r.priors.Groups = r.groupPriors()
	r.tellStart()
	err = timed(&r.training, func() error {
		if state == nil {
			return r.engine.Start(r.priors)
		}
		err := r.restore(state)
		if err != nil {
			err = r.restoreBefore(err)
		}
		return err
	})
	r.starting = time.Since(r.began) - r.training
	r.scored, r.scoredAfter = r.iteration, r.training
	return err
}

// initialPriors sets the priors from the options.
func (r *run) initialPriors() {
	r.priors = &sampler.Priors{Alpha: make([]float64, r.opts.Topics), Beta: r.opts.Beta}
	for k := range r.priors.Alpha {
		r.priors.Alpha[k] = r.opts.AlphaSum / float64(r.opts.Topics)
	}
}

// resumeAt sets everything that a checkpoint holds except the sampler's state.
func (r *run) resumeAt(state *checkpoint) {
	r.iteration, r.saved, r.history = state.Iteration, state.Iteration, state.History
	r.priors.Alpha, r.priors.Beta = state.Alpha, state.Beta
	if r.regression != nil && state.Columns != nil {
		r.regression.Lambda = state.Columns.Lambda
	}
	r.savedFiles, r.stopped = state.Parts, state.ended(r.record)
	if state.Given {
		r.saved = 0 // no checkpoint holds this state
	}
}

// restore sets the engine to the state of a checkpoint.
func (r *run) restore(state *checkpoint) error {
	err := r.engine.Restore(&engine.State{Topics: state.Topics, Files: state.Parts, Extra: state.Extra, Given: state.Given}, r.priors)
	var elsewhere engine.Elsewhere
	if errors.As(err, &elsewhere) {
		return fmt.Errorf("%s: the checkpoint was written by %s", r.opts.Checkpoint, string(elsewhere))
	}
	return err
}

// iterate does one sweep and whatever is due after it.
func (r *run) iterate(ctx context.Context) error {
	if ctx.Err() != nil {
		return r.interrupt()
	}
	if r.iteration >= r.opts.Iterations {
		r.stopped = StopIterations
		return nil
	}
	r.iteration++
	r.counted = nil
	before := r.training
	err := timed(&r.training, func() error {
		// Finish the sweep even if ctx is cancelled meanwhile, so that there is a state to save.
		if err := r.engine.Sweep(context.WithoutCancel(ctx), r.iteration, r.priors); err != nil {
			return err
		}
		if r.scoreDue() {
			if err := r.engine.Wait(); err != nil {
				return err
			}
		}
		return r.optimize()
	})
	if err != nil {
		return r.kept(fmt.Errorf("iteration %d: %w", r.iteration, err))
	}
	if err := r.corpus.File().Unchanged(); err != nil { // check before anything of this iteration is saved
		return err
	}
	r.late = r.past(r.opts.TimeLimit)
	var score *Score
	if err := timed(&r.scoring, func() (err error) { score, err = r.evaluate(ctx); return err }); err != nil {
		return err
	}
	took := r.training - before
	if score != nil {
		took = r.mean(r.iteration, r.training, took)
	}
	r.stopped = r.rule().reason(r.iteration, r.history, score != nil, r.late)
	if err := r.scoreLast(ctx, score); err != nil {
		return err
	}
	r.tellIteration(took, score)
	if r.stopped != "" {
		return nil
	}
	return timed(&r.saving, r.keepState)
}

// finish writes the last checkpoint and makes the model. Both are done when it returns, so that a user who
// cannot save the model can still continue from the checkpoint. A checkpoint that is held back is in memory.
func (r *run) finish(ctx context.Context) (*Model, error) {
	defer r.endWriting()
	if err := timed(&r.saving, r.holdLast); err != nil {
		return nil, err
	}
	if err := r.engine.Sync(); err != nil {
		return nil, err
	}
	r.finished = time.Now()
	m, err := r.model(ctx)
	if err != nil {
		return nil, err
	}
	r.handed = true
	if err := r.nameTopics(m); err != nil {
		return nil, err
	}
	if r.held {
		m.held.Store(r)
	}
	return m, nil
}

// modelInMemory makes the model from the last state.
func (r *run) modelInMemory(context.Context) (*Model, error) {
	counts, err := r.engine.Counts(engine.EveryWord(r.corpus.NumWords()))
	if err != nil {
		return nil, err
	}
	if r.last == nil { // else the topics have been fetched already
		r.last = &checkpoint{}
		if r.last.Topics, err = r.engine.Topics(); err != nil {
			return nil, err
		}
	}
	m := newModel(r, r.last.Topics, counts)
	if err := r.checkModel(m); err != nil {
		return nil, err
	}
	r.tellDone()
	return m, nil
}

// manifest returns the description of the model.
func (r *run) manifest() Manifest {
	return Manifest{
		Topics: r.opts.Topics, Words: r.corpus.NumWords(),
		Docs: r.docs.NumDocs(), Tokens: r.docs.NumTokens(), Beta: r.priors.Beta,
		Options: r.record, Iterations: r.iteration, Stopped: r.stopped, History: r.history,
		Corpus: r.corpus.Fingerprint(), Pipeline: r.corpus.Pipeline(), Program: r.opts.Program, Started: r.started,
		PseudoTokens: r.opts.Pseudo.Tokens(), Lineage: r.opts.Lineage, Covariates: r.covariates(),
	}
}

// interrupt saves the state and returns an error that says so.
func (r *run) interrupt() error {
	r.stopped = StopInterrupted
	if err := r.keepLast(); err != nil {
		return err
	}
	r.endWriting()
	if err := r.engine.Sync(); err != nil {
		return err
	}
	r.tellDone()
	return fmt.Errorf("%w after iteration %d", ErrInterrupted, r.iteration)
}

// optimize estimates the priors if that is due.
func (r *run) optimize() error {
	interval := r.opts.OptimizeInterval
	if interval < 0 || r.iteration <= r.opts.BurnIn || r.iteration%interval != 0 {
		return nil
	}
	if r.regression != nil {
		return r.learnCovariates()
	}
	h, err := r.statistics()
	if err != nil {
		return err
	}
	length := float64(r.docs.NumTokens()) / float64(r.docs.NumDocs())
	learn := hyper.Learn
	switch {
	case r.labels != nil:
		learn = keepAlpha
	case r.opts.Prior == PriorHDP:
		learn = r.drawHDP
	case r.opts.SymmetricAlpha:
		learn = hyper.LearnSymmetric
	}
	alpha, beta := learn(r.priors.Alpha, r.priors.Beta, h, r.corpus.NumWords(), length, r.opts.Threads)
	r.priors = &sampler.Priors{Alpha: alpha, Beta: beta, Groups: r.priors.Groups}
	return nil
}
