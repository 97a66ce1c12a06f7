package train

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/training"
)

// planRun splits the corpus and chooses the sampler. If here is true, this process trains on all documents,
// and the words of the problem are theirs; else they may be nil.
func planRun(c *corpus.Corpus, opts options, here bool) (*run, *sampler.Problem, error) {
	r := &run{opts: opts, started: startHash(opts.Start), docs: &training.Documents{All: c}}
	r.dir.Path, r.clock.Began = opts.workDir(), time.Now()
	problem, err := r.plan(here)
	if err == nil {
		err = r.opts.planDraws(r.chosen.Sampler, r.docs.Train.NumTokens(), here)
	}
	if err != nil {
		r.leave()
		return nil, nil, err
	}
	r.record = recordOptions(r.opts.Options, r.chosen.Sampler.Name, topoi.Tuning(problem.Tuning))
	r.opts.Iterations -= r.opts.lastSweeps()
	r.rule = newStopRule(&r.opts, r.chosen.Sampler, r.docs.Train)
	r.scorer = scorer{opts: &r.opts, docs: r.docs, priors: r.priors, sample: r.rule.atPlateau()}
	r.saver = saver{
		opts: &r.opts, at: &r.position, present: r.checkpoint, inFiles: r.spending != nil,
		pace: training.Pace{Kept: r.clock.Began},
	}
	return r, problem, nil
}

// plan returns the problem that the sampler gets.
func (r *run) plan(here bool) (problem *sampler.Problem, err error) {
	opts := &r.opts
	r.docs.Train, r.docs.Heldout, err = opts.Shared.Of().Split(r.docs.All, opts.split(), opts.Memory > 0)
	if err == nil {
		err = r.docs.Check()
	}
	if err == nil {
		r.priors, err = planPriors(opts, r.docs.Train)
	}
	if err != nil {
		return nil, err
	}
	problem = &sampler.Problem{
		Offsets: sampler.Rebase(r.docs.Train.Offsets()), V: r.docs.All.NumWords(), K: opts.Topics, Seed: opts.Seed,
		Threads: opts.Threads, Tuning: sampler.Tuning(opts.Tuning),
	}
	r.priors.Describe(problem)
	problem.Grids, _ = opts.Shared.Of().Caches()
	if here || opts.Memory > 0 {
		if err := r.gather(); err != nil {
			return nil, err
		}
		problem.Words = r.docs.Train.Tokens()
	}
	return problem, r.choose(problem, here)
}

// planPriors reads the labels or columns on which the priors depend. Labels determine the number of topics.
func planPriors(o *options, docs *corpus.Corpus) (p *training.Priors, err error) {
	p = &training.Priors{
		Every: o.OptimizeInterval, BurnIn: o.BurnIn, HDP: o.Prior == prior.HDP, Symmetric: o.SymmetricAlpha,
		Seed:  o.Seed,
		Words: docs.NumWords(), Length: float64(docs.NumTokens()) / float64(docs.NumDocs()), Pseudo: o.Pseudo,
		Threads: o.Threads,
		Rarer:   training.Large(docs),
	}
	switch o.Prior {
	case prior.ByLabels:
		if p.Labels, err = prior.NewLabels(docs.NumDocs(), docs.Label, o.Free); err == nil {
			o.Topics = p.Labels.Topics
		}
	case prior.ByCovariates:
		p.Regression, err = prior.NewRegression(o.Formula, docs, o.Topics, o.AlphaSum, o.Threads)
	}
	return p, err
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
		sized := *p // pseudo-counts take room
		if sized.Guidable(o.Pseudo) {
			sized.Pseudo = o.Pseudo
		}
		choice = registry.Choose(&sized, registry.Run{
			Learnt: o.OptimizeInterval > 0, Drawn: o.Prior != "",
			Guided: o.Pseudo != nil, ByWorkers: !here,
		})
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
func Share(c *corpus.Corpus, opts topoi.Options) (*topoi.Shared, error) {
	by := options{opts}.split()
	docs, heldout, err := by.Split(c)
	return topoi.NewShared(&training.Shared{Corpus: c, By: by, Docs: docs, Heldout: heldout}), err
}

// Needs describes how many bytes a run will take, as far as that is known before it begins.
type Needs struct {
	Memory     uint64 // the most memory in use during training, without that of a GPU
	Model      uint64 // largest size of the saved model
	Checkpoint uint64 // size of its checkpoint; 0 without one
}

// Predict returns how many bytes a run with the given options will take. parent is the directory in which
// its model will be saved. Predict reads every token once.
func Predict(c *corpus.Corpus, o topoi.Options, parent string) (Needs, error) {
	opts := options{o.WithDefaults()}
	if err := Validate(opts.Options); err != nil {
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
	run := ondisk.Run{Sampler: r.chosen.Sampler, Problem: problem, Split: r.opts.split().Bytes(c.NumDocs())}
	if r.docs.Heldout != nil {
		run.HeldOut = r.docs.Heldout.Tokens()
	}
	memory, entries, err := ondisk.Needs(run)
	if n := uint64(r.record.Draws); n > 0 {
		run.Sampler, problem.Tuning = drawing(r.chosen)
		entries = 2 * min(n*entries, uint64(problem.V)*uint64(problem.K)) // sums over all draws, and over all but the last
		memory += run.Sampler.Tables(problem) + 8*uint64(problem.N()) + 8*entries
	}
	if opts.Memory > 0 {
		memory = min(memory, uint64(opts.Memory))
	}
	const entryBytes, fixed = 8, 1 << 16 // (topic, count); manifest, labels and the like
	return Needs{Memory: memory, Model: model + entryBytes*entries + fixed, Checkpoint: checkpoint}, err
}

// keepBudget finds out how to keep within Options.Memory. It returns the sampler to use, which differs from chosen only
// if "auto" chose it and it does not fit. The budget is nil if tokens stay in memory.
func keepBudget(o *options, docs *training.Documents, chosen registry.Choice,
	p *sampler.Problem,
) (registry.Choice, *ondisk.Budget, error) {
	if o.Memory == 0 {
		return chosen, nil, nil
	}
	budget, err := fit(o, docs, chosen, p)
	if o.Sampler == "auto" {
		for _, smaller := range chosen.Smaller(p) {
			if !errors.Is(err, ondisk.ErrBudget) {
				break
			}
			chosen = smaller
			chosen.Reason += " in " + human.Bytes(o.Memory)
			budget, err = fit(o, docs, chosen, p)
		}
	}
	switch {
	case err != nil || budget.InMemory:
		return chosen, nil, err
	case p.Tuning.Staleness > 0:
		return chosen, nil, errors.New("a run with staleness cannot be trained from files: leave out the memory budget")
	case o.Device != "auto" && o.Device != "cpu":
		return chosen, nil, errors.New("training from files works on the CPU only: train with device cpu, or limit the GPU's memory instead")
	}
	return chosen, budget, nil
}

// fit divides the memory of Options.Memory for a sampler.
func fit(o *options, docs *training.Documents, chosen registry.Choice, p *sampler.Problem) (*ondisk.Budget, error) {
	tuned := *p
	tuned.Tuning = chosen.Tuning
	need := ondisk.Run{Sampler: chosen.Sampler, Problem: &tuned, Memory: uint64(o.Memory), Release: docs.Train.Release}
	need.Split = o.split().Bytes(docs.All.NumDocs())
	if docs.Heldout != nil {
		need.HeldOut = docs.Heldout.Tokens()
	}
	if o.Start != nil { // its topics are in memory, and those of training documents a second time
		need.Split += 8 * uint64(len(o.Start.Topics))
	}
	return fitBudget(need)
}

// fitBudget is ondisk.Fit. Tests replace it to give small corpora a budget.
var fitBudget = ondisk.Fit
