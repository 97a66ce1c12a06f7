package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/barrier"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/train"
)

// plan is a run and its cut into parts.
type plan struct {
	run         *train.Led
	plan        *sampler.Plan
	spans       []sampler.Span
	frequencies []uint64 // V: the training tokens and pseudo-counts of every word
	counted     []uint64 // V: the tokens alone, of a corpus that is read in ranges
}

// task returns a job with this plan, for a worker.
func (p *plan) task(j *records.Job) records.Task {
	return records.NewTask(j, p.plan, p.spans, p.frequencies)
}

// options are the run's.
func (p *plan) options() *topoi.Options { return p.run.Options() }

// newPlan cuts the corpus. guide is nil, or that of an existing job.
func newPlan(c *corpus.Corpus, opts topoi.Options, guide json.RawMessage, how SubmitOptions) (*plan, error) {
	run, err := train.PlanLed(c, opts, guide)
	if err != nil {
		return nil, err
	}
	p := &plan{run: run}
	if err := p.count(c, how.frequencies); err != nil {
		return nil, err
	}
	if p.plan, err = sampler.PlanFor(run.Info(), run.Problem()); err != nil {
		return nil, fmt.Errorf("this cannot be trained by a cluster: %w", err)
	}
	parts := cmp.Or(how.Layout.Parts, 2*how.Workers, 8)
	if t := p.options().Tuning; t.Staleness > 0 {
		parts = cmp.Or(t.Parts, sampler.DefaultParts(run.Problem().N()))
		if t.Parts == 0 && how.Workers > parts {
			if how.exactly {
				return nil, fmt.Errorf("%d workers are more than the %d parts into which a corpus of this size is cut with "+
					"staleness unless told otherwise: set Tuning.Parts to %d or more", how.Workers, parts, how.Workers)
			}
			opts.Tuning.Parts = how.Workers
			return newPlan(c, opts, guide, how)
		}
	}
	p.spans = p.plan.Cut(parts)
	return p, nil
}

// count sets the frequencies of words. given are those that the submitter has counted, or nil.
func (p *plan) count(c *corpus.Corpus, given []uint64) error {
	if !c.Ranged() {
		p.frequencies = p.run.Frequencies()
		return nil
	}
	if p.options().Holdout > 0 {
		return ErrRanged
	}
	if p.counted = given; given == nil {
		var err error
		if p.counted, err = countWords(c); err != nil {
			return err
		}
	}
	p.frequencies = p.options().Pseudo.AddFrequencies(slices.Clone(p.counted))
	return nil
}

// create creates the job in the store, at the beginning or at the run's checkpoint.
func (p *plan) create(ctx context.Context, st *store.Store, name string, spec protocol.Spec) error {
	from, err := p.run.Begin()
	if err != nil {
		return err
	}
	spec.From, spec.Start = from.Iteration, 0
	for t := 1; t <= spec.From; t++ {
		spec.Start += p.plan.Rounds(t)
	}
	var origin *records.Origin
	if from.Topics != nil {
		origin = &records.Origin{Topics: func(part int) []uint32 {
			return from.Topics[p.spans[part].Begin:p.spans[part].End]
		}}
		if from.Given {
			origin.Changes = barrier.NoLate(spec.Start, spec.Staleness, len(p.spans))
		} else if spec.Staleness > 0 {
			origin.Changes, err = barrier.ReadLate(from.Extra, spec.Start, spec.Staleness, len(p.spans), spec.Topics,
				spec.Words)
			if err != nil {
				return err
			}
		}
	}
	state := protocol.State{Round: -1, Iteration: spec.From, Since: spec.From, Until: spec.From, Training: from.History}
	state.SetPriors(from.Priors)
	_, err = records.Create(ctx, st, name, spec, state, origin, p.frequencies, p.options().Pseudo)
	return err
}

// find finds the job in the store and cuts the corpus for it.
func (j Job) find(ctx context.Context, c *corpus.Corpus, st *store.Store) (*records.Job, *plan, error) {
	found, err := records.Open(ctx, st, j.Name, j.build())
	if err != nil {
		return nil, nil, err
	}
	if found.Corpus != c.Fingerprint() {
		return nil, nil, fmt.Errorf("job %s is about another corpus: its fingerprint is %s and that of the one given is %s; "+
			"give the corpus that was submitted", j.Name, found.Corpus, c.Fingerprint())
	}
	opts, err := readOptions(found.Spec, j.Name)
	if err != nil {
		return nil, nil, err
	}
	if found.Guide != nil {
		if err := found.FetchPseudo(ctx); err != nil {
			return nil, nil, err
		}
	}
	opts.Device, opts.Program, opts.Pseudo = "cpu", j.Program, found.Pseudo
	how := SubmitOptions{Layout: Layout{Parts: found.Parts}, exactly: true}
	if c.Ranged() {
		if how.frequencies, err = j.receiveFrequencies(ctx, found); err != nil {
			return nil, nil, err
		}
	}
	p, err := newPlan(c, opts.WithDefaults(), found.Guide, how)
	return found, p, err
}

// readOptions reads the options with which a job was submitted.
func readOptions(spec protocol.Spec, name string) (opts topoi.Options, err error) {
	if err := json.Unmarshal(spec.Options, &opts); err != nil {
		return opts, fmt.Errorf("the options of job %s cannot be read: %w", name, err)
	}
	return opts, nil
}
