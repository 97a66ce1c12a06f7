package reproduce

import (
	"context"
	"fmt"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/svg"
)

// drawButterfly times the butterfly paper's three ways to draw all topics once,
// in both precisions, on the first GPU (Steele and Tristan 2017, Fig. 7). The
// corpus has the size of theirs, whatever data was given; Options.Topics bounds K.
func drawButterfly(_ context.Context, l *lab) ([]svg.Chart, error) {
	c, err := cuda.Open(0)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	o := cuda.ButterflyOptions{Seed: l.opts.Seed, Runs: 3, Progress: func(r cuda.ButterflyRow) {
		if l.opts.Progress != nil {
			l.opts.Progress(fmt.Sprintf("K = %d, %d bits", r.K, r.Bits))
		}
	}}
	for k := 4; k <= or(l.opts.Topics, 1024); k += butterflyStep(k) {
		o.K = append(o.K, k)
	}
	rows, err := cuda.TimeButterfly(c, o)
	if err != nil {
		return nil, err
	}
	return butterflyCharts(rows), nil
}

// butterflyStep is the distance to the next K: small where the curves bend.
func butterflyStep(k int) int {
	if k < 64 {
		return 4
	}
	return 20
}

// butterflyCharts makes one panel per precision.
func butterflyCharts(rows []cuda.ButterflyRow) []svg.Chart {
	var charts []svg.Chart
	for _, bits := range []int{32, 64} {
		chart := svg.Chart{
			Title: fmt.Sprintf("Drawing all topics once, %d-bit", bits),
			X:     svg.Axis{Label: "K"}, Y: svg.Axis{Label: "milliseconds"},
			Series: []svg.Series{{Name: "baseline (Alg. 1)"}, {Name: "transposed (Alg. 4)"}, {Name: "butterfly (Alg. 7)"}},
		}
		for _, r := range rows {
			if r.Bits != bits {
				continue
			}
			for m, t := range r.Time {
				add(&chart.Series[m], float64(r.K), t.Seconds()*1e3)
			}
		}
		charts = append(charts, chart)
	}
	return charts
}
