package train

import (
	"cmp"
	"slices"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/training"
)

// run is one training in progress.
type run struct {
	opts    options
	record  topoi.Options   // the options that determine the result
	chosen  registry.Choice // the sampler, and why "auto" chose it
	started string          // hash of Options.Start; "" without
	docs    *training.Documents
	priors  *training.Priors
	rule    stopRule
	budget

	engine engine.Engine                // where the run computes
	model  func() (*topoi.Model, error) // makes the model from the last state

	position
	scorer scorer
	saver  saver
	clock  training.Clock
	late   bool // the time limit has passed, or somebody has asked to stop: no further sweep begins
	whole  bool // the run may be asked to stop; false for one that makes draws of another run
}

// budget describes how a run keeps within Options.Memory.
type budget struct {
	memoryLimit int64            // see StartInfo
	spending    *ondisk.Budget   // how memory is used if tokens are kept in files; nil if they are in memory
	dir         training.WorkDir // for the files
}

// use sets the engine that computes.
func (r *run) use(e engine.Engine) { r.engine, r.scorer.engine, r.saver.engine = e, e, e }

// leave releases what the run holds.
func (r *run) leave() {
	r.saver.wait()
	if r.engine != nil {
		_ = r.engine.Close() // all results have been saved or handed over
		r.engine = nil
	}
	_ = r.docs.Close() // they were only read
	r.dir.Close()
}

// manifest returns the description of the model.
func (r *run) manifest() topoi.Manifest {
	return topoi.Manifest{
		Topics: r.opts.Topics, Words: r.docs.All.NumWords(),
		Docs: r.docs.Train.NumDocs(), Tokens: r.docs.Train.NumTokens(), Beta: r.priors.Now.Beta, Draws: r.draws,
		Options: r.record, Iterations: r.iteration, Stopped: r.stopped, History: r.history,
		Corpus: r.docs.All.Fingerprint(), Pipeline: r.docs.All.Pipeline(), Program: r.opts.Program, Started: r.started,
		PseudoTokens: r.opts.Pseudo.Tokens(), Lineage: r.opts.Lineage, Covariates: (*topoi.Covariates)(r.priors.Columns()),
	}
}

// stopInterrupted is the state of a run whose context was cancelled. No model and no file has it.
const stopInterrupted topoi.StopReason = "interrupted"

// checkpoint returns the present state without what the engine saves.
func (r *run) checkpoint() *checkpoint {
	state := &checkpoint{
		Options: r.record, Corpus: r.docs.All.Fingerprint(), Pseudo: r.opts.Pseudo.Hash(), Iteration: r.iteration,
		Alpha: slices.Clone(r.priors.Now.Alpha), Beta: r.priors.Now.Beta, Columns: (*topoi.Covariates)(r.priors.Columns()),
		History: r.history, Stopped: r.stopped,
	}
	if r.stopped == stopInterrupted || r.stopped == topoi.StopTimeLimit || r.stopped == topoi.StopAsked { // after these the user wants to continue
		state.Stopped = ""
	}
	return state
}

// tellStart reports the run that is about to begin.
func (r *run) tellStart() {
	if r.opts.Events.Start == nil {
		return
	}
	info := topoi.StartInfo{
		Sampler: r.record.Sampler, Reason: r.chosen.Reason, Device: r.engine.Place(), Threads: r.opts.Threads,
		Docs: r.docs.Train.NumDocs(), Words: r.docs.All.NumWords(), Tokens: r.docs.Train.NumTokens(),
		Topics: r.opts.Topics, Iteration: r.iteration, Iterations: r.record.Iterations,
		NotRepeatable: r.record.Device != "", MemoryLimit: r.memoryLimit,
	}
	if r.docs.Heldout != nil {
		info.HeldOut = r.docs.Heldout.NumDocs()
	}
	if r.opts.Start != nil && r.iteration == r.opts.Start.Iteration {
		info.Iteration = 0 // the run begins from Options.Start, not from a checkpoint
	}
	r.opts.Events.Start(info)
}

// tellIteration reports a sweep that took the given time. score may be nil.
func (r *run) tellIteration(took time.Duration, score *topoi.Score) {
	if r.opts.Events.Iteration == nil {
		return
	}
	r.opts.Events.Iteration(topoi.IterationInfo{
		Iteration: r.iteration, Iterations: r.record.Iterations,
		Elapsed: time.Since(r.clock.Began), Training: r.clock.Training,
		TokensPerSecond: float64(r.docs.Train.NumTokens()) / max(took.Seconds(), 1e-9),
		Score:           score,
	})
}

// tellDone reports the end of the run.
func (r *run) tellDone() {
	if r.opts.Events.Done == nil {
		return
	}
	c := &r.clock
	info := topoi.DoneInfo{
		Iteration: r.iteration, Reason: r.stopped, Elapsed: time.Since(c.Began), Training: c.Training,
		Starting: c.Starting, Scoring: c.Scoring, Saving: c.Saving,
		Finishing: time.Since(cmp.Or(c.Finished, time.Now())),
		Rising:    (r.stopped == topoi.StopIterations || r.rule.most > 0) && r.rule.rising(r.history),
	}
	if n := len(r.history); n > 0 {
		info.Score = &r.history[n-1]
	}
	r.opts.Events.Done(info)
}
