package figures

import (
	"cmp"
	"context"
	"fmt"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/svg"
)

// butterflyLike is about as large as the corpus of Steele and Tristan 2017: 3,072,662 tokens of Wikipedia.
var butterflyLike = corpus.GenerateOptions{Docs: 43_556, Words: 37_286, MeanLength: 70.5, Topics: 50}

// butterflies times the butterfly paper's three ways to draw all topics once, in both precisions, on the first
// GPU (Steele and Tristan 2017, Fig. 7): a sweep of mean, whose draws they are. Options.Topics bounds K.
func (l *lab) butterflies(ctx context.Context, d *device.Device) ([]svg.Chart, error) {
	var charts []svg.Chart
	for _, precision := range []string{"float32", "float64"} {
		chart := svg.Chart{
			Title: fmt.Sprintf("A sweep of mean on %s, %s, %s", d.Name(), l.name, precision),
			X:     svg.Axis{Label: "K"}, Y: svg.Axis{Label: "milliseconds"},
		}
		for _, way := range []struct{ draw, name string }{
			{"linear", "baseline (Alg. 1)"}, {"transposed", "transposed (Alg. 4)"}, {"butterfly", "butterfly (Alg. 7)"},
		} {
			series := svg.Series{Name: way.name}
			for _, topics := range []int{4, 8, 16, 32, 64, 112, 128, 256, 384, 512, 640, 768, 1000, 1024} {
				if topics > cmp.Or(l.opts.Topics, 1024) {
					break
				}
				s := l.lightSpec(fmt.Sprintf("%s, %s, K = %d", way.draw, precision, topics), "mean",
					sampler.Tuning{Draw: way.draw, Precision: precision}, topics, cmp.Or(l.opts.Iterations, 3))
				s.device = d
				seconds, err := l.fastestSweep(ctx, s)
				if err != nil {
					return nil, err
				}
				add(&series, float64(topics), 1e3*seconds)
			}
			chart.Series = append(chart.Series, series)
		}
		charts = append(charts, chart)
	}
	return charts, nil
}
