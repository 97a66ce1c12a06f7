package topoi

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// planRun splits the corpus and chooses the sampler. If here is true, this process trains on all documents,
// and the words of the problem are theirs; else they may be nil.
func planRun(c *corpus.Corpus, opts Options, here bool) (r *run, problem *sampler.Problem, err error) {
	r = &run{request: request{opts: opts, started: opts.Start.hash()}, documents: documents{corpus: c}, clock: clock{began: time.Now()}, saver: saver{keptAt: time.Now()}}
	planned := r
	defer func() {
		if err != nil {
			planned.dropDocs()
		}
	}()
	if r.docs, r.heldout, err = opts.Shared.split(c, opts); err != nil {
		return nil, nil, err
	}
	switch {
	case r.docs.NumTokens() == 0:
		return nil, nil, errors.New("there is nothing to train on: the training documents hold no tokens")
	case r.heldout != nil && r.heldout.NumTokens() < 2:
		return nil, nil, errors.New("the held-out documents hold no tokens to score: choose a larger held-out fraction, or none")
	}
	if err := r.readLabels(); err != nil {
		return nil, nil, err
	}
	opts.Topics = r.opts.Topics
	if err := r.readCovariates(); err != nil {
		return nil, nil, err
	}
	problem = &sampler.Problem{
		Groups: r.groupsOfDocs(), Offsets: sampler.Rebase(r.docs.Offsets()), V: c.NumWords(), K: opts.Topics,
		Seed: opts.Seed, Threads: opts.Threads, Tuning: opts.Tuning,
	}
	problem.Grids, _ = opts.Shared.caches()
	if here || opts.Memory > 0 {
		if err := r.gather(); err != nil {
			return nil, nil, err
		}
		problem.Words = r.docs.Tokens()
	}
	asked, ok := registry.Find(opts.Sampler)
	choice := registry.Choice{Sampler: asked, Tuning: problem.Tuning}
	switch {
	case !ok && opts.Sampler != "auto":
		return nil, nil, fmt.Errorf("unknown sampler %q", opts.Sampler)
	case !ok:
		choice = registry.Choose(problem, registry.Run{Learnt: opts.OptimizeInterval > 0, Drawn: opts.Prior != "", ByWorkers: !here})
	}
	if problem.Groups != nil && !choice.Sampler.Grouped {
		return nil, nil, fmt.Errorf("sampler %q has one α for all documents, and Options.Prior = %s does not: choose auto, batch or gibbs", choice.Sampler.Name, opts.Prior)
	}
	if choice, err = r.keepBudget(choice, problem); err != nil {
		return nil, nil, err
	}
	r.chosen, problem.Tuning = choice, choice.Tuning
	if err := choice.Sampler.Fits(problem); err != nil {
		return nil, nil, err
	}
	if err := problem.Guide(opts.Pseudo, choice.Sampler); err != nil {
		return nil, nil, err
	}
	if problem.Tuning.Staleness == 0 {
		problem.Tuning.Parts = 0 // it has no effect, so the model does not record it
	}
	r.record = recordOptions(opts, choice.Sampler.Name, problem.Tuning)
	return r, problem, nil
}

// Needs says how many bytes a run will take, as far as that is known before it begins.
type Needs struct {
	Memory     uint64 // the most memory in use during training, without that of a GPU
	Model      uint64 // largest size of the saved model
	Checkpoint uint64 // size of its checkpoint; 0 without one
}

// Predict returns how many bytes a run with the given options will take. parent is the directory in which
// its model will be saved. Predict reads every token once.
func Predict(c *corpus.Corpus, opts Options, parent string) (Needs, error) {
	opts = opts.WithDefaults()
	if err := opts.Validate(); err != nil {
		return Needs{}, err
	}
	r, problem, err := planRun(c, opts, true)
	if err != nil {
		return Needs{}, err
	}
	defer r.dropDocs()
	model, checkpoint, err := outputBytes(filepath.Clean(parent), c, opts)
	if err != nil {
		return Needs{}, err
	}
	run := ondisk.Run{Sampler: r.chosen.Sampler, Problem: problem, Split: r.record.split().Bytes(c.NumDocs())}
	if r.heldout != nil {
		run.HeldOut = r.heldout.Tokens()
	}
	memory, entries, err := ondisk.Needs(run)
	if opts.Memory > 0 {
		memory = min(memory, uint64(opts.Memory))
	}
	const entryBytes, fixed = 8, 1 << 16 // (topic, count); manifest, labels and the like
	return Needs{Memory: memory, Model: model + entryBytes*entries + fixed, Checkpoint: checkpoint}, err
}
