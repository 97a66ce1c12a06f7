package figures

import (
	"cmp"
	"context"
	"fmt"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/svg"
)

// agaPrior is α and β of AGA-LDA's experiments (§5).
const agaPrior = 0.1

// drawAGA1 draws the score of left-out documents against iteration for the eight
// choices of freshness and for gibbs. The paper's mini-batches of KOS have 330
// documents: ten a sweep, here of any corpus.
func drawAGA1(ctx context.Context, l *lab) ([]svg.Chart, error) {
	topics, iterations := cmp.Or(l.opts.Topics, 128), cmp.Or(l.opts.Iterations, 60)
	train, heldout := l.split()
	chart := svg.Chart{
		Title: fmt.Sprintf("Freshness of counts, %s, K = %d", l.name, topics),
		X:     svg.Axis{Label: "iteration"}, Y: svg.Axis{Label: "held-out, nats per token"},
	}
	runs := []spec{{label: "standard CGS (gibbs)", sampler: "gibbs", dashed: true}}
	for i := range 8 {
		f := batch.Freshness{Doc: i&4 > 0, Word: i&2 > 0, Topic: i&1 > 0}
		runs = append(runs, spec{label: f.String(), sampler: "batch", tuning: sampler.Tuning{Fresh: f.String(), MiniBatches: 10}})
	}
	for i := range runs {
		s := &runs[i]
		s.topics, s.alpha, s.beta, s.iterations, s.every = topics, agaPrior, agaPrior, iterations, max(1, iterations/20)
	}
	chart, err := l.curves(ctx, chart, problem(train), runs, l.scores(ctx, heldout, sweeps))
	return []svg.Chart{chart}, err
}
