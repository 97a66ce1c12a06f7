package figures

import (
	"cmp"
	"context"
	"fmt"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/svg"
)

// lightBeta and a sum of α of lightAlphaSum are the usual setting of LightLDA's
// experiments and of its program.
const (
	lightBeta     = 0.01
	lightAlphaSum = 50
)

// drawLight11 draws the likelihood and its two parts for the three choices of
// proposal, with sparse as the measure of quality.
func drawLight11(ctx context.Context, l *lab) ([]svg.Chart, error) {
	topics, iterations := cmp.Or(l.opts.Topics, 200), cmp.Or(l.opts.Iterations, 100)
	charts := make([]svg.Chart, 3)
	for i, part := range []string{"Full", "Document", "Word"} {
		charts[i] = svg.Chart{
			Title: fmt.Sprintf("%s likelihood, %s, K = %d", part, l.name, topics),
			X:     svg.Axis{Label: "iteration"}, Y: svg.Axis{Label: "nats per token"},
		}
	}
	for _, c := range []struct {
		name, sampler string
		tuning        sampler.Tuning
	}{
		{"sparse", "sparse", sampler.Tuning{}},
		{"light, cycle", "light", sampler.Tuning{Proposal: "cycle"}},
		{"light, doc-proposal", "light", sampler.Tuning{Proposal: "doc"}},
		{"light, word-proposal", "light", sampler.Tuning{Proposal: "word"}},
	} {
		var series [3]svg.Series
		err := l.run(ctx, problem(l.corpus), l.lightSpec(c.name, c.sampler, c.tuning, topics, iterations), func(v look) error {
			joint, doc, word := v.likelihoods(l.corpus.NumWords())
			for i, y := range []float64{joint, doc, word} {
				add(&series[i], float64(v.iteration), y/float64(l.corpus.NumTokens()))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i := range charts {
			series[i].Name = c.name
			charts[i].Series = append(charts[i].Series, series[i])
		}
	}
	return charts, nil
}

func (l *lab) lightSpec(label, name string, tuning sampler.Tuning, topics, iterations int) spec {
	return spec{
		label: label, sampler: name, tuning: tuning, topics: topics,
		alpha: lightAlphaSum / float64(topics), beta: lightBeta,
		iterations: iterations, every: max(1, iterations/25),
	}
}

func drawLight12(ctx context.Context, l *lab) ([]svg.Chart, error) {
	return l.lightComparison(ctx, "seconds, one thread", func(v look) float64 { return v.seconds })
}

func drawLight14(ctx context.Context, l *lab) ([]svg.Chart, error) {
	return l.lightComparison(ctx, "iteration", sweeps)
}

// lightComparison runs sparse, alias and light in one thread with two numbers of
// topics, as the paper does with 1,000 and 10,000.
func (l *lab) lightComparison(ctx context.Context, label string, x func(look) float64) ([]svg.Chart, error) {
	one := *l
	one.opts.Threads = 1
	var charts []svg.Chart
	for _, topics := range []int{cmp.Or(l.opts.Topics, 100), 10 * cmp.Or(l.opts.Topics, 100)} {
		chart := svg.Chart{
			Title: fmt.Sprintf("%s, K = %d", l.name, topics),
			X:     svg.Axis{Label: label}, Y: svg.Axis{Label: "log-likelihood, nats per token"},
		}
		var runs []spec
		for _, name := range []string{"sparse", "alias", "light"} {
			runs = append(runs, one.lightSpec(name, name, sampler.Tuning{}, topics, cmp.Or(l.opts.Iterations, 100)))
		}
		chart, err := one.curves(ctx, chart, problem(l.corpus), runs, func(v look) (float64, float64, error) {
			joint, _, _ := v.likelihoods(l.corpus.NumWords())
			return x(v), joint / float64(l.corpus.NumTokens()), nil
		})
		if err != nil {
			return nil, err
		}
		charts = append(charts, chart)
	}
	return charts, nil
}
