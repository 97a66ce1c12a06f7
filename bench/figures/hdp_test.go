package figures

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/svg"
	"github.com/topoi-lda/topoi/train"
)

// hdpTrue are documents of 20 topics of equal size.
var hdpTrue = corpus.GenerateOptions{Docs: 2000, Words: 2000, MeanLength: 100, Topics: 20, AlphaSum: 2, BetaSum: 100}

// drawHDP draws how many topics a hierarchical Dirichlet process finds against how many it may have: in documents that were
// made of 20 topics, and in the data.
func drawHDP(ctx context.Context, l *lab) ([]svg.Chart, error) {
	dir, err := os.MkdirTemp("", "topoi-figures-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	made, err := generate(ctx, filepath.Join(dir, "made.topoi"), hdpTrue)
	if err != nil {
		return nil, err
	}
	defer made.Close()
	chart := svg.Chart{
		Title: "Topics that --prior hdp finds",
		X:     svg.Axis{Label: "topics that it may have", Log: true}, Y: svg.Axis{Label: "topics that it finds", Log: true},
	}
	most := cmp.Or(l.opts.Topics, 800)
	bound := svg.Series{Name: "the bound", Dashed: true}
	for k := max(1, most/32); k <= most; k *= 2 {
		bound.X, bound.Y = append(bound.X, float64(k)), append(bound.Y, float64(k))
	}
	for _, c := range []*corpus.Corpus{l.corpus, made} {
		name := l.name
		if c == made {
			name = "generated from 20 topics"
		}
		series := svg.Series{Name: name}
		for _, k := range bound.X {
			if l.opts.Progress != nil {
				l.opts.Progress(fmt.Sprintf("%s, at most %.0f topics", name, k))
			}
			m, err := train.Run(ctx, c, topoi.Options{
				Prior: "hdp", Topics: int(k), Iterations: cmp.Or(l.opts.Iterations, 500), Tolerance: -1, EvaluateEvery: 500, Seed: 1, Threads: l.opts.Threads,
			})
			if err != nil {
				return nil, err
			}
			series.X, series.Y = append(series.X, k), append(series.Y, float64(m.NumTopics()))
		}
		chart.Series = append(chart.Series, series)
	}
	chart.Series = append(chart.Series, bound)
	return []svg.Chart{chart}, nil
}
