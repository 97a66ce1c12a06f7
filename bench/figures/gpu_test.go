package figures

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/svg"
)

// onGPU draws a figure of the first GPU.
func onGPU(draw func(*lab, context.Context, *device.Device) ([]svg.Chart, error)) func(context.Context, *lab) ([]svg.Chart, error) {
	return func(ctx context.Context, l *lab) ([]svg.Chart, error) {
		d, err := device.Open(0)
		if err != nil {
			return nil, err
		}
		defer d.Close()
		return draw(l, ctx, d)
	}
}

// speedups draws how many times faster a sweep of the parallel CGS on the GPU is than one
// of gibbs on one CPU thread, against P, and beside it η of the partition, which bounds
// how much of P can be had.
func (l *lab) speedups(ctx context.Context, d *device.Device) ([]svg.Chart, error) {
	topics := cmp.Or(l.opts.Topics, 128)
	s := spec{topics: topics, alpha: yanAlpha, beta: yanBeta, every: 1}
	one := *l
	one.opts.Threads = 1
	s.label, s.sampler, s.iterations = "gibbs, one thread", "gibbs", 2
	gibbs, err := one.fastestSweep(ctx, s)
	if err != nil {
		return nil, err
	}
	speed := svg.Chart{
		Title:  fmt.Sprintf("Parallel CGS on %s, %s, K = %d", d.Name(), l.name, topics),
		X:      svg.Axis{Label: "P", Log: true},
		Y:      svg.Axis{Label: "times as fast as gibbs on one CPU thread", Log: true},
		Series: []svg.Series{{Name: "grid on the GPU"}},
	}
	balance := svg.Chart{
		Title: "Efficiency of the partition, " + l.name,
		X:     svg.Axis{Label: "P", Log: true}, Y: svg.Axis{Label: "η"}, Series: []svg.Series{{Name: "η"}},
	}
	s.sampler, s.device, s.iterations = "grid", d, cmp.Or(l.opts.Iterations, 2)
	for _, p := range []int{1, 4, 16, 64, 128, 256, 512} {
		if p > l.corpus.NumDocs() {
			break
		}
		s.label, s.tuning.Partitions = fmt.Sprintf("grid, P = %d", p), p
		seconds, err := l.fastestSweep(ctx, s)
		if err != nil {
			return nil, err
		}
		_, eta := grid.Balanced(matrix(l, false), p, 8, l.opts.Seed)
		add(&speed.Series[0], float64(p), gibbs/seconds)
		add(&balance.Series[0], float64(p), eta)
	}
	return []svg.Chart{speed, balance}, nil
}

// fastestSweep trains on the whole corpus and returns the seconds of the fastest sweep.
func (l *lab) fastestSweep(ctx context.Context, s spec) (float64, error) {
	best, before := math.Inf(1), 0.0
	s.every = 1
	err := l.run(ctx, problem(l.corpus), s, func(v look) error {
		best, before = min(best, v.seconds-before), v.seconds
		return nil
	})
	return best, err
}

// panelCharts draws the held-out score against training time for panel on the GPU, beside
// the same sampler on the CPU with all threads, batch on the GPU and gibbs, as the paper
// has its programs beside a sequential one (K = 128, α = β = 0.1); and tokens per second
// of the two samplers on the GPU against K, up to Options.Topics.
func (l *lab) panelCharts(ctx context.Context, d *device.Device) ([]svg.Chart, error) {
	scores, err := l.scoresOverTime(ctx, d)
	if err != nil {
		return nil, err
	}
	speeds, err := l.speedsOverTopics(ctx, d)
	return []svg.Chart{scores, speeds}, err
}

func (l *lab) scoresOverTime(ctx context.Context, d *device.Device) (svg.Chart, error) {
	topics, iterations := cmp.Or(l.opts.Topics, 128), cmp.Or(l.opts.Iterations, 100)
	train, heldout := l.split()
	chart := svg.Chart{
		Title: fmt.Sprintf("Held-out score on %s, %s, K = %d", d.Name(), l.name, topics),
		X:     svg.Axis{Label: "seconds of training", Log: true}, Y: svg.Axis{Label: "held-out, nats per token"},
	}
	runs := []spec{
		{label: "panel, GPU", sampler: "panel", device: d, iterations: iterations},
		{label: "batch, GPU", sampler: "batch", device: d, iterations: iterations},
		{label: "panel, CPU, all threads", sampler: "panel", iterations: max(2, iterations/10), dashed: true},
		{label: "gibbs, CPU, one thread", sampler: "gibbs", iterations: max(2, iterations/25), dashed: true},
	}
	for i := range runs {
		s := &runs[i]
		s.topics, s.alpha, s.beta, s.every = topics, agaPrior, agaPrior, max(1, s.iterations/10)
	}
	return l.curves(ctx, chart, problem(train), runs, l.scores(ctx, heldout, func(v look) float64 { return v.seconds }))
}

func (l *lab) speedsOverTopics(ctx context.Context, d *device.Device) (svg.Chart, error) {
	chart := svg.Chart{
		Title: fmt.Sprintf("Speed on %s, %s", d.Name(), l.name),
		X:     svg.Axis{Label: "K", Log: true}, Y: svg.Axis{Label: "million tokens per second", Log: true},
	}
	tokens := float64(l.corpus.NumTokens())
	for _, name := range []string{"panel", "batch"} {
		series := svg.Series{Name: name + ", GPU"}
		for _, topics := range []int{32, 64, 128, 256, 512, 1024, 2048, 4096} {
			if topics > cmp.Or(l.opts.Topics, 4096) {
				break
			}
			s := spec{
				label: fmt.Sprintf("%s, K = %d", name, topics), sampler: name, device: d, tuning: sampler.Tuning{MiniBatches: 10},
				topics: topics, alpha: agaPrior, beta: agaPrior, iterations: cmp.Or(l.opts.Iterations, 3),
			}
			seconds, err := l.fastestSweep(ctx, s)
			if err != nil {
				return chart, err
			}
			add(&series, float64(topics), tokens/seconds/1e6)
		}
		chart.Series = append(chart.Series, series)
	}
	return chart, nil
}
