// Package figures draws figures of the papers whose algorithms topoi implements, with
// topoi's own samplers: as an SVG picture and as a CSV table of the points in it.
//
//	go -C bench test ./figures -v -timeout 0 yan-2 light-11
//	go -C bench test ./figures -v -timeout 0 -from kos/ -k 50 -sweeps 40 -to out light-14
//
// Without names every figure is drawn small, to see that it can be drawn.
package figures

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/svg"
)

// Figure is one figure that can be drawn again.
type Figure struct {
	Name   string // what the user types
	Title  string // what it shows, one line
	Source string // paper and figure

	draw func(ctx context.Context, l *lab) ([]svg.Chart, error)
	data corpus.GenerateOptions // what to generate where no data are given
}

// figures lists all figures. Adding one means a function and a line here.
var figures = []Figure{
	{"aga-1", "eight choices of freshness and standard Gibbs sampling", "Moon et al. 2018, Fig. 1", drawAGA1, kosLike},
	{"aga-3", "held-out score against time, and speed against K, of panel on the GPU", "Moon et al. 2018, Fig. 3", onGPU((*lab).panelCharts), enronLike},
	{"yan-2", "perplexity and lower bound against iteration for P = 1, 10, 30, 60", "Yan, Xu & Qi 2009, Fig. 2", drawYan2, kosLike},
	{"yan-3", "speed-up of the parallel CGS on the GPU against P", "Yan, Xu & Qi 2009, Fig. 3", onGPU((*lab).speedups), enronLike},
	{"yan-partition", "balance of three ways to cut the corpus", "Yan, Xu & Qi 2009, §4.2", drawYanPartition, kosLike},
	{"light-11", "doc-, word- and cycle proposals of LightLDA", "Yuan et al. 2015, Fig. 11", drawLight11, kosLike},
	{"light-12", "likelihood against time for sparse, alias and light", "Yuan et al. 2015, Fig. 12", drawLight12, kosLike},
	{"light-14", "likelihood against iteration for sparse, alias and light", "Yuan et al. 2015, Fig. 14", drawLight14, kosLike},
	{"butterfly", "three ways to draw all topics once, on the GPU, against K", "Steele & Tristan 2017, Fig. 7", onGPU((*lab).butterflies), butterflyLike},
	{"hdp", "topics that a hierarchical Dirichlet process finds against how many it may have", "Terenin et al. 2020", drawHDP, kosLike},
}

// Figures returns all figures in the order in which help texts show them.
func Figures() []Figure { return figures }

// Options say on what data and at what size a figure is drawn. The zero value
// draws it on a generated corpus at the figure's own size.
type Options struct {
	Corpus     *corpus.Corpus // the data; nil: generated
	Name       string         // what to call the data in titles
	Topics     int            // K; 0: the figure's own
	Iterations int            // sweeps of each run; 0: the figure's own
	Seed       uint64
	Threads    int // goroutines; changes times, never scores

	// Progress is told before each run of a sampler what is about to run.
	Progress func(run string)
}

// Result is a figure drawn.
type Result struct {
	Figure Figure
	Charts []svg.Chart
}

// Draw runs whatever the figure needs.
func Draw(ctx context.Context, name string, opts Options) (*Result, error) {
	var names []string
	for _, f := range figures {
		names = append(names, f.Name)
		if f.Name != name {
			continue
		}
		l, err := newLab(ctx, opts, f.data)
		if err != nil {
			return nil, err
		}
		defer l.close()
		charts, err := f.draw(ctx, l)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return &Result{f, charts}, nil
	}
	return nil, fmt.Errorf("unknown figure %q%s", name, human.Hint(name, names))
}

// WriteSVG writes the picture.
func (r *Result) WriteSVG(w io.Writer) error { return svg.Write(w, r.Charts...) }

// WriteCSV writes a line for every point: panel, series, x, y.
func (r *Result) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"panel", "series", "x", "y"}) // Error returns what went wrong
	for _, c := range r.Charts {
		for _, s := range c.Series {
			for i := range s.X {
				_ = out.Write([]string{c.Title, s.Name, number(s.X[i]), number(s.Y[i])})
			}
		}
	}
	out.Flush()
	return out.Error()
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }
