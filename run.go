package topoi

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/training"
)

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

// budget says how a run keeps within Options.Memory.
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
func (r *run) manifest() Manifest {
	return Manifest{
		Topics: r.opts.Topics, Words: r.docs.All.NumWords(),
		Docs: r.docs.Train.NumDocs(), Tokens: r.docs.Train.NumTokens(), Beta: r.priors.Now.Beta, Draws: r.draws,
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
