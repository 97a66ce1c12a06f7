package reproduce

import (
	"context"
	"fmt"
	"runtime"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/svg"
)

// costLargeData is a million words in documents of a hundred tokens. Most words are
// rare: hardly two tokens that are worked on one after the other are neighbours in
// memory, whatever K.
var costLargeData = corpus.GenerateOptions{Docs: 50_000, Words: 1_000_000, MeanLength: 100, Topics: 1000}

// drawCostLarge draws tokens per second against K for the samplers that do not mind
// K, and the time per token relative to that of the first K. A point is the fastest
// of a few sweeps.
func drawCostLarge(ctx context.Context, l *lab) ([]svg.Chart, error) {
	threads := max(1, l.opts.Threads)
	rate := svg.Chart{
		Title: fmt.Sprintf("%s, %s tokens, %s words", l.name, human.Count(l.corpus.NumTokens()), human.Count(l.corpus.NumWords())),
		X:     svg.Axis{Label: "K, topics", Log: true}, Y: svg.Axis{Label: fmt.Sprintf("tokens per second, threads: %d", threads), Log: true},
	}
	slowdown := svg.Chart{
		Title: "Time per token relative to the first K",
		X:     svg.Axis{Label: "K, topics", Log: true}, Y: svg.Axis{Label: "times as long"},
	}
	for _, name := range []string{"warp", "light"} {
		rates, ratios := svg.Series{Name: name}, svg.Series{Name: name}
		for _, topics := range []int{1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000} {
			if topics > or(l.opts.Topics, 1_000_000) {
				break
			}
			label := fmt.Sprintf("%s, K = %s", name, human.Count(topics))
			seconds, err := l.fastestSweep(ctx, l.lightSpec(label, name, sampler.Tuning{}, topics, or(l.opts.Iterations, 4)))
			if err != nil {
				return nil, err
			}
			runtime.GC() // the sampler's memory, before the next one asks for its own
			add(&rates, float64(topics), float64(l.corpus.NumTokens())/seconds)
			add(&ratios, float64(topics), rates.Y[0]/rates.Y[len(rates.Y)-1])
		}
		rate.Series, slowdown.Series = append(rate.Series, rates), append(slowdown.Series, ratios)
	}
	return []svg.Chart{rate, slowdown}, nil
}
