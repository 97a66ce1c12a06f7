package topoi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/training"
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
		if r != nil && err != nil {
			m, err = nil, r.saver.explain(err)
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
	r.saver.owned = owned
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
	opts    Options
	record  Options         // the options that determine the result
	chosen  registry.Choice // the sampler, and why "auto" chose it
	started string          // hash of Options.Start; "" without
	docs    *training.Documents
	priors  *training.Priors
	rule    stopRule
	budget

	engine engine.Engine                             // where the run computes
	model  func(ctx context.Context) (*Model, error) // makes the model from the last state

	position
	scorer scorer
	saver  saver
	clock  training.Clock
	late   bool // the time limit has passed: no further sweep begins
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
	r.saver.behind = r.docs.Train.NumTokens() >= behindFrom
	return r, nil
}

// use sets the engine that computes.
func (r *run) use(e engine.Engine) { r.engine, r.scorer.engine, r.saver.engine = e, e, e }

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

// initial sets the priors with which the run begins. It returns the state of the checkpoint or of Options.Start, or nil
// if there is neither.
func (r *run) initial() (*checkpoint, error) {
	r.priors.Begin(r.opts.Topics, r.opts.AlphaSum, r.opts.Beta)
	if r.opts.Resume {
		state, err := readCheckpoint(r.opts.Checkpoint)
		if err == nil {
			err = state.belongs(r.opts.Checkpoint, r.record, r.opts.Pseudo, r.docs)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return state, err
		}
	}
	if r.opts.Start == nil {
		return nil, nil
	}
	return r.opts.Start.state(r.record, r.docs)
}

// resumeAt sets everything that a checkpoint holds except the sampler's state.
func (r *run) resumeAt(state *checkpoint) {
	r.position = position{state.Iteration, state.History, state.ended(r.record)}
	r.priors.Resume(state.Alpha, state.Beta, (*prior.Columns)(state.Columns))
	r.saver.saved, r.saver.savedFiles = state.Iteration, state.Parts
	if state.Given {
		r.saver.saved = 0 // no checkpoint holds this state
	}
}

// startLabels returns the initial state of a run with labels: every token has a topic that its document may have.
func (r *run) startLabels() *checkpoint {
	labels, now := r.priors.Labels, r.priors.Now
	p := &sampler.Problem{Offsets: sampler.Rebase(r.docs.Train.Offsets()), Groups: labels.Groups, Seed: r.opts.Seed}
	z := sampler.StartInGroups(p, labels.Of(now.Alpha))
	return &checkpoint{Options: r.record, Alpha: slices.Clone(now.Alpha), Beta: now.Beta, Topics: topics.List{Wide: z}, Given: true}
}

// restore sets the engine to the state of a checkpoint.
func (r *run) restore(state *checkpoint) error {
	err := r.engine.Restore(&engine.State{Topics: state.Topics, Files: state.Parts, Extra: state.Extra, Given: state.Given}, r.priors.Now)
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
	before := r.clock.Training
	if err := training.Timed(&r.clock.Training, func() error { return r.sweep(ctx) }); err != nil {
		return fmt.Errorf("iteration %d: %w", r.iteration, err)
	}
	if err := r.docs.All.File().Unchanged(); err != nil { // check before anything of this iteration is saved
		return err
	}
	r.late = r.clock.Past(r.opts.TimeLimit)
	took, score := r.clock.Training-before, (*Score)(nil)
	if r.scoreDue() {
		err := training.Timed(&r.clock.Scoring, func() (err error) { score, err = r.scorer.score(ctx, r.iteration); return err })
		if err != nil {
			return err
		}
		r.history = append(r.history, *score)
		took = r.clock.Scored(r.iteration, took)
	}
	r.stopped = r.rule.reason(r.iteration, r.history, score != nil, r.late)
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
	if err == nil {
		r.priors.Learn(r.iteration, h)
	}
	return err
}

// finish writes the last checkpoint and makes the model. Both are done when it returns, so that a user who
// cannot save the model can still continue from the checkpoint. A checkpoint that is held back is in memory.
func (r *run) finish(ctx context.Context) (*Model, error) {
	defer r.saver.wait()
	if err := training.Timed(&r.clock.Saving, r.saver.holdLast); err != nil {
		return nil, err
	}
	if err := r.engine.Sync(); err != nil {
		return nil, err
	}
	r.clock.Finished = time.Now()
	m, err := r.model(ctx)
	if err != nil {
		return nil, err
	}
	r.docs = nil // they belong to the model now
	if err := r.nameTopics(m); err != nil {
		return nil, err
	}
	if r.saver.held {
		m.held.Store(&r.saver)
	}
	return m, nil
}

// modelInMemory makes the model from the last state.
func (r *run) modelInMemory(context.Context) (*Model, error) {
	counts, err := r.engine.Counts(engine.EveryWord(r.docs.All.NumWords()))
	if err != nil {
		return nil, err
	}
	var z topics.List
	if r.saver.last != nil { // the topics have been fetched already
		z = r.saver.last.Topics
	} else if z, err = r.engine.Topics(); err != nil {
		return nil, err
	}
	m := r.newModel(z, counts)
	if err := checkModel(m); err != nil {
		return nil, err
	}
	r.tellDone()
	return m, nil
}

// manifest returns the description of the model.
func (r *run) manifest() Manifest {
	return Manifest{
		Topics: r.opts.Topics, Words: r.docs.All.NumWords(),
		Docs: r.docs.Train.NumDocs(), Tokens: r.docs.Train.NumTokens(), Beta: r.priors.Now.Beta,
		Options: r.record, Iterations: r.iteration, Stopped: r.stopped, History: r.history,
		Corpus: r.docs.All.Fingerprint(), Pipeline: r.docs.All.Pipeline(), Program: r.opts.Program, Started: r.started,
		PseudoTokens: r.opts.Pseudo.Tokens(), Lineage: r.opts.Lineage, Covariates: (*Covariates)(r.priors.Columns()),
	}
}

// checkpoint returns the present state without what the engine saves.
func (r *run) checkpoint() *checkpoint {
	state := &checkpoint{
		Options: r.record, Corpus: r.docs.All.Fingerprint(), Pseudo: r.opts.Pseudo.Hash(), Iteration: r.iteration,
		Alpha: slices.Clone(r.priors.Now.Alpha), Beta: r.priors.Now.Beta, Columns: (*Covariates)(r.priors.Columns()),
		History: r.history, Stopped: r.stopped,
	}
	if r.stopped == StopInterrupted || r.stopped == StopTimeLimit { // after these the user wants to continue
		state.Stopped = ""
	}
	return state
}

// interrupt saves the state and returns an error that says so.
func (r *run) interrupt() error {
	r.stopped = StopInterrupted
	if err := r.saver.keepLast(); err != nil {
		return err
	}
	r.saver.wait()
	if err := r.engine.Sync(); err != nil {
		return err
	}
	r.tellDone()
	return fmt.Errorf("%w after iteration %d", ErrInterrupted, r.iteration)
}
