package main

import (
	"fmt"
	"os"

	"github.com/topoi-lda/topoi/internal/svg"
)

// draw writes one panel of score against training time per corpus, K and score.
func draw(path string, results []result) error {
	var charts []svg.Chart
	panels := map[string]int{}
	add := func(r result, score string, value func(point) float64) {
		title := fmt.Sprintf("%s, K = %d: %s", r.Corpus, r.Topics, score)
		i, ok := panels[title]
		if !ok {
			i = len(charts)
			panels[title] = i
			charts = append(charts, svg.Chart{Title: title, X: svg.Axis{Label: "training seconds"}, Y: svg.Axis{Label: "nats per token"}})
		}
		s := svg.Series{Name: fmt.Sprintf("%s, %d threads", r.Sampler, r.Threads)}
		for _, p := range r.Curve {
			if v := value(p); v != 0 {
				s.X, s.Y = append(s.X, p.Seconds), append(s.Y, v)
			}
		}
		if len(s.X) > 1 {
			charts[i].Series = append(charts[i].Series, s)
		}
	}
	for _, r := range results {
		add(r, "held-out score", func(p point) float64 { return p.Heldout })
		add(r, "joint likelihood", func(p point) float64 { return p.Joint })
	}
	var filled []svg.Chart
	for _, c := range charts {
		if len(c.Series) > 0 {
			filled = append(filled, c)
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := svg.Write(f, filled...); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
