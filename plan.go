package topoi

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/training"
)

// planRun splits the corpus and chooses the sampler. If here is true, this process trains on all documents,
// and the words of the problem are theirs; else they may be nil.
func planRun(c *corpus.Corpus, opts Options, here bool) (r *run, problem *sampler.Problem, err error) {
	r = &run{opts: opts, started: opts.Start.hash(), docs: &training.Documents{All: c}}
	r.dir.Path, r.clock.Began = opts.workDir(), time.Now()
	planned := r
	defer func() {
		if err != nil {
			planned.leave()
		}
	}()
	if r.docs.Train, r.docs.Heldout, err = opts.Shared.split(c, opts.split(), opts.Memory > 0); err != nil {
		return nil, nil, err
	}
	if err := r.docs.Check(); err != nil {
		return nil, nil, err
	}
	if err := r.planPriors(); err != nil {
		return nil, nil, err
	}
	problem = &sampler.Problem{
		Groups: r.priors.DocGroups(), Few: r.priors.Labels != nil, Offsets: sampler.Rebase(r.docs.Train.Offsets()), V: c.NumWords(), K: r.opts.Topics,
		Seed: opts.Seed, Threads: opts.Threads, Tuning: opts.Tuning,
	}
	problem.Grids, _ = opts.Shared.caches()
	if here || opts.Memory > 0 {
		if err := r.gather(); err != nil {
			return nil, nil, err
		}
		problem.Words = r.docs.Train.Tokens()
	}
	if err := r.choose(problem, here); err != nil {
		return nil, nil, err
	}
	if err := r.opts.planDraws(r.chosen.Sampler, r.docs.Train.NumTokens(), r.spending != nil, here); err != nil {
		return nil, nil, err
	}
	r.record = recordOptions(r.opts, r.chosen.Sampler.Name, problem.Tuning)
	r.opts.Iterations -= r.opts.lastSweeps()
	r.rule = newStopRule(&r.opts, r.chosen.Sampler, r.docs.Train)
	r.scorer = scorer{opts: &r.opts, docs: r.docs, priors: r.priors, sample: r.rule.atPlateau()}
	r.saver = saver{opts: &r.opts, at: &r.position, present: r.checkpoint, inFiles: r.spending != nil, keptAt: r.clock.Began}
	return r, problem, nil
}

// planPriors reads what the priors depend on. Labels determine the number of topics.
func (r *run) planPriors() (err error) {
	o, docs := &r.opts, r.docs.Train
	r.priors = &training.Priors{
		Every: o.OptimizeInterval, BurnIn: o.BurnIn, HDP: o.Prior == PriorHDP, Symmetric: o.SymmetricAlpha, Seed: o.Seed,
		Words: docs.NumWords(), Length: float64(docs.NumTokens()) / float64(docs.NumDocs()), Pseudo: o.Pseudo, Threads: o.Threads,
	}
	switch o.Prior {
	case PriorLabels:
		if r.priors.Labels, err = prior.NewLabels(docs.NumDocs(), docs.Label, o.Free); err == nil {
			o.Topics = r.priors.Labels.Topics
		}
	case PriorCovariates:
		r.priors.Regression, err = prior.NewRegression(o.Formula, docs, o.Topics, o.AlphaSum, o.Threads)
	}
	return err
}

// choose chooses the sampler and its tuning.
func (r *run) choose(p *sampler.Problem, here bool) (err error) {
	o := &r.opts
	asked, ok := registry.Find(o.Sampler)
	choice := registry.Choice{Sampler: asked, Tuning: p.Tuning}
	switch {
	case !ok && o.Sampler != "auto":
		return fmt.Errorf("unknown sampler %q", o.Sampler)
	case !ok:
		choice = registry.Choose(p, registry.Run{Learnt: o.OptimizeInterval > 0, Drawn: o.Prior != "", ByWorkers: !here})
	}
	if p.Groups != nil && !choice.Sampler.Grouped {
		return fmt.Errorf("sampler %q has one α for all documents, and Options.Prior = %s does not: choose auto, batch or gibbs", choice.Sampler.Name, o.Prior)
	}
	if r.chosen, r.spending, err = keepBudget(o, r.docs, choice, p); err != nil {
		return err
	}
	p.Tuning = r.chosen.Tuning
	if err := r.chosen.Sampler.Fits(p); err != nil {
		return err
	}
	if err := p.Guide(o.Pseudo, r.chosen.Sampler); err != nil {
		return err
	}
	if p.Tuning.Staleness == 0 {
		p.Tuning.Parts = 0 // it has no effect, so the model does not record it
	}
	return nil
}

// Share splits a corpus as runs with the given options do. Only the options about held-out documents matter.
func Share(c *corpus.Corpus, opts Options) (*Shared, error) {
	docs, heldout, err := opts.split().Split(c)
	return &Shared{corpus: c, by: opts.split(), docs: docs, heldout: heldout}, err
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
	defer r.leave()
	model, checkpoint, err := outputBytes(filepath.Clean(parent), c, opts)
	if err != nil {
		return Needs{}, err
	}
	run := ondisk.Run{Sampler: r.chosen.Sampler, Problem: problem, Split: r.record.split().Bytes(c.NumDocs())}
	if r.docs.Heldout != nil {
		run.HeldOut = r.docs.Heldout.Tokens()
	}
	memory, entries, err := ondisk.Needs(run)
	if opts.Memory > 0 {
		memory = min(memory, uint64(opts.Memory))
	}
	const entryBytes, fixed = 8, 1 << 16 // (topic, count); manifest, labels and the like
	return Needs{Memory: memory, Model: model + entryBytes*entries + fixed, Checkpoint: checkpoint}, err
}
