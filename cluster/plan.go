package cluster

import (
	"cmp"
	"context"
	"fmt"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/barrier"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/store"
)

// plan is a run and its cut into parts.
type plan struct {
	run         *topoi.Led
	plan        *sampler.Plan
	spans       []sampler.Span
	frequencies []uint64 // V: the training tokens of every word
}

// options are the run's.
func (p *plan) options() *topoi.Options { return p.run.Options() }

// newPlan cuts the corpus.
func newPlan(c *corpus.Corpus, opts topoi.Options, parts, workers int) (*plan, error) {
	run, err := topoi.PlanLed(c, opts)
	if err != nil {
		return nil, err
	}
	p := &plan{run: run, frequencies: run.Frequencies()}
	if p.plan, err = sampler.PlanFor(run.Info(), run.Problem()); err != nil {
		return nil, fmt.Errorf("this cannot be trained by a cluster: %w", err)
	}
	parts = cmp.Or(parts, workers, 8)
	if t := p.options().Tuning; t.Staleness > 0 {
		parts = cmp.Or(t.Parts, sampler.DefaultParts(run.Problem().N()))
		if t.Parts == 0 && workers > parts {
			return nil, fmt.Errorf("%d workers are more than the %d parts into which a corpus of this size is cut with staleness unless told otherwise: set Tuning.Parts to %d or more", workers, parts, workers)
		}
	}
	p.spans = p.plan.Cut(parts)
	return p, nil
}

// create puts the job into the store, at the beginning or at the run's checkpoint.
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
		if spec.Staleness > 0 {
			if origin.Changes, err = barrier.ReadLate(from.Extra, spec.Start, spec.Staleness, len(p.spans), spec.Topics, spec.Words); err != nil {
				return err
			}
		}
	}
	state := protocol.State{Round: -1, Iteration: spec.From, Since: spec.From, Until: spec.From, Training: from.History}
	state.SetPriors(from.Priors)
	_, err = records.Create(ctx, st, name, spec, state, origin, p.frequencies)
	return err
}
