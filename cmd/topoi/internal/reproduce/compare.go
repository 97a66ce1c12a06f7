package reproduce

import (
	"context"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/svg"
)

// drawCost draws nanoseconds per token against K for every sampler, in one
// thread, on documents enough for 20,000 tokens and the words in them. Dense
// samplers stop where their tables outgrow costMemory. A point is the fastest of
// the last three of five sweeps.
func drawCost(ctx context.Context, l *lab) ([]svg.Chart, error) {
	const tokens, sweeps, warm = 20_000, 5, 2
	one := *l
	one.opts.Threads = 1
	p := compact(problem(l.corpus), tokens)
	chart := svg.Chart{
		Title: fmt.Sprintf("Time per token, %s, %d tokens", l.name, len(p.Words)),
		X:     svg.Axis{Label: "K", Log: true}, Y: svg.Axis{Label: "ns per token, one thread", Log: true},
	}
	for _, info := range registry.List() {
		series := svg.Series{Name: info.Name + ", " + info.Cost}
		for _, topics := range []int{100, 300, 1000, 3000, 10_000, 30_000, 100_000} {
			if topics > info.MaxK || topics > or(l.opts.Topics, 100_000) || int64(costBytes(info.Name, p, topics)) > costMemory {
				break
			}
			best, before := math.Inf(1), 0.0
			s := one.lightSpec(fmt.Sprintf("%s, K = %d", info.Name, topics), info.Name, sampler.Tuning{}, topics, sweeps)
			err := one.run(ctx, p, s, func(v look) error {
				if v.iteration > warm {
					best = min(best, v.seconds-before)
				}
				before = v.seconds
				return nil
			})
			if err != nil {
				return nil, err
			}
			add(&series, float64(topics), best*1e9/float64(len(p.Words)))
		}
		chart.Series = append(chart.Series, series)
	}
	return []svg.Chart{chart}, nil
}

// costMemory bounds the tables of a dense sampler in drawCost.
const costMemory = 2 << 30

// costBytes estimates the memory that goes with K.
func costBytes(name string, p sampler.Problem, topics int) int {
	switch name {
	case "alias", "light":
		return 0
	case "cvb":
		return 4*topics*len(p.Words) + 20*topics*p.V
	default:
		return 4 * topics * p.V
	}
}

// compact keeps the first documents with about so many tokens, and numbers the
// words in them anew.
func compact(p sampler.Problem, tokens int) sampler.Problem {
	d := 0
	for d < p.D() && int(p.Offsets[d]) < tokens {
		d++
	}
	small := sampler.Problem{Offsets: p.Offsets[:d+1]}
	used := make([]bool, p.V)
	for _, w := range p.Words[:p.Offsets[d]] {
		used[w] = true
	}
	number := make([]uint32, p.V)
	for w, yes := range used {
		number[w] = uint32(small.V)
		if yes {
			small.V++
		}
	}
	for _, w := range p.Words[:p.Offsets[d]] {
		small.Words = append(small.Words, number[w]) // increasing, so documents stay sorted
	}
	return small
}

// drawQuality draws the held-out score (document completion on the last tenth of
// the documents) against iteration for every sampler, and three seeds of gibbs,
// whose spread is the measure.
func drawQuality(ctx context.Context, l *lab) ([]svg.Chart, error) {
	topics, iterations := or(l.opts.Topics, 50), or(l.opts.Iterations, 300)
	train, heldout := l.split()
	chart := svg.Chart{
		Title: fmt.Sprintf("Document completion, %s, K = %d", l.name, topics),
		X:     svg.Axis{Label: "iteration"}, Y: svg.Axis{Label: "held-out, nats per token"},
	}
	one := func(label, name string, tuning sampler.Tuning, seed uint64) error {
		seeded := *l
		seeded.opts.Seed = seed
		series, err := seeded.curve(ctx, problem(train), seeded.lightSpec(label, name, tuning, topics, iterations), l.scores(ctx, heldout, sweeps))
		series.Dashed = name == "gibbs"
		chart.Series = append(chart.Series, series)
		return err
	}
	for seed := l.opts.Seed; seed < l.opts.Seed+3; seed++ {
		if err := one(fmt.Sprintf("gibbs, seed %d", seed), "gibbs", sampler.Tuning{}, seed); err != nil {
			return nil, err
		}
	}
	for _, c := range qualityVariants() {
		if err := one(c.label, c.sampler, c.tuning, l.opts.Seed); err != nil {
			return nil, err
		}
	}
	return []svg.Chart{chart}, nil
}

// qualityVariants lists every sampler but gibbs, and the forms of cvb and mean.
func qualityVariants() []spec {
	var list []spec
	for _, info := range registry.List() {
		if info.Name != "gibbs" {
			list = append(list, spec{label: info.Name, sampler: info.Name})
		}
	}
	return append(list,
		spec{label: "cvb, zero-order", sampler: "cvb", tuning: sampler.Tuning{CVB: "zero"}},
		spec{label: "mean, uncollapsed", sampler: "mean", tuning: sampler.Tuning{Uncollapsed: true}},
	)
}
