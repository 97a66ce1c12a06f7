package figures

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/svg"
)

// The priors are those of Yan's experiments: α = 0.1, β = 0.01.
const (
	yanAlpha = 0.1
	yanBeta  = 0.01
)

// drawYan2 draws test perplexity against iteration for the parallel CGS and the
// parallel CVB with P = 1, 10, 30, 60, and the lower bound of the CVB on a part of
// the corpus for P = 1, 10, 30 and for the step size μ = 1/P.
func drawYan2(ctx context.Context, l *lab) ([]svg.Chart, error) {
	data := holdTokens(l.corpus, l.opts.Seed)
	cgs, err := l.perplexities(ctx, data, "grid", cmp.Or(l.opts.Topics, 64), cmp.Or(l.opts.Iterations, 200))
	if err != nil {
		return nil, err
	}
	cvb, err := l.perplexities(ctx, data, "cvb", cmp.Or(l.opts.Topics, 64), cmp.Or(l.opts.Iterations, 100))
	if err != nil {
		return nil, err
	}
	bound, err := l.lowerBounds(ctx)
	if err != nil {
		return nil, err
	}
	return []svg.Chart{cgs, cvb, bound}, nil
}

func (l *lab) perplexities(ctx context.Context, data heldTokens, name string, topics, iterations int) (svg.Chart, error) {
	chart := svg.Chart{
		Title: fmt.Sprintf("%s, %s, K = %d", map[string]string{"grid": "Parallel CGS", "cvb": "Parallel CVB"}[name], l.name, topics),
		X:     svg.Axis{Label: "iteration"}, Y: svg.Axis{Label: "test set perplexity"},
	}
	var runs []spec
	for _, p := range []int{1, 10, 30, 60} {
		label, tuning := fmt.Sprintf("P = %d", p), sampler.Tuning{Partitions: p}
		runs = append(runs, yanSpec(label, name, tuning, topics, iterations, max(1, iterations/40)))
	}
	return l.curves(ctx, chart, data.train, runs, func(v look) (x, y float64, err error) {
		return sweeps(v), data.perplexity(v), nil
	})
}

func yanSpec(label, name string, tuning sampler.Tuning, topics, iterations, every int) spec {
	return spec{
		label: label, sampler: name, tuning: tuning, topics: topics, alpha: yanAlpha, beta: yanBeta,
		iterations: iterations, every: every,
	}
}

// lowerBounds draws the bound on the first tenth of the documents.
func (l *lab) lowerBounds(ctx context.Context) (svg.Chart, error) {
	topics, iterations := cmp.Or(l.opts.Topics, 64), cmp.Or(l.opts.Iterations, 100)
	docs := l.corpus.Docs(0, max(1, l.corpus.NumDocs()/10))
	chart := svg.Chart{
		Title: fmt.Sprintf("Parallel CVB, a tenth of %s, K = %d", l.name, topics),
		X:     svg.Axis{Label: "iteration"}, Y: svg.Axis{Label: "lower bound, nats per token"},
	}
	every := max(1, iterations/20)
	runs := []spec{
		yanSpec("P = 1", "cvb", sampler.Tuning{Partitions: 1}, topics, iterations, every),
		yanSpec("P = 10", "cvb", sampler.Tuning{Partitions: 10}, topics, iterations, every),
		yanSpec("P = 30", "cvb", sampler.Tuning{Partitions: 30}, topics, iterations, every),
		yanSpec("P = 10, μ = 1/P", "cvb", sampler.Tuning{Partitions: 10, Step: 0.1}, topics, iterations, every),
	}
	return l.curves(ctx, chart, problem(docs), runs, func(v look) (x, y float64, err error) {
		return sweeps(v), v.sampler.Capabilities().LowerBound(v.priors) / float64(docs.NumTokens()), nil
	})
}

// drawYanPartition draws η against P for the three ways to cut the corpus, by
// tokens as the parallel CGS works and by distinct words as the parallel CVB does.
func drawYanPartition(_ context.Context, l *lab) ([]svg.Chart, error) {
	var charts []svg.Chart
	for _, distinct := range []bool{false, true} {
		title := "Efficiency by tokens (CGS), "
		if distinct {
			title = "Efficiency by distinct words (CVB), "
		}
		chart := svg.Chart{
			Title: title + l.name,
			X:     svg.Axis{Label: "P"}, Y: svg.Axis{Label: "η"},
			Series: []svg.Series{{Name: "balanced (Yan's algorithm)"}, {Name: "random"}, {Name: "even"}},
		}
		for _, e := range Efficiencies(matrix(l, distinct), []int{5, 10, 20, 30, 40, 50, 60}, l.opts.Seed) {
			for i, eta := range []float64{e.Balanced, e.Random, e.Even} {
				add(&chart.Series[i], float64(e.P), eta)
			}
		}
		charts = append(charts, chart)
	}
	return charts, nil
}

func matrix(l *lab, distinct bool) grid.Matrix {
	p := problem(l.corpus)
	return grid.Matrix{Offsets: p.Offsets, Words: p.Words, V: p.V, Distinct: distinct}
}

// Efficiency is η of the three partitions for one P.
type Efficiency struct {
	P        int     `json:"p"`
	Balanced float64 `json:"balanced"`
	Random   float64 `json:"random"`
	Even     float64 `json:"even"`
}

// Efficiencies computes the comparison of Yan's partition algorithm, with ten
// tries, with the random and the even partition.
func Efficiencies(r grid.Matrix, ps []int, seed uint64) []Efficiency {
	var list []Efficiency
	for _, p := range ps {
		_, balanced := grid.Balanced(r, p, 10, seed)
		list = append(list, Efficiency{
			P: p, Balanced: balanced,
			Random: cut(r, p, rand.New(rand.NewPCG(seed, 0)).Perm).Efficiency(r),
			Even:   cut(r, p, inOrder).Efficiency(r),
		})
	}
	return list
}

// cut cuts documents and words, each in some order, into groups of equal number.
func cut(r grid.Matrix, p int, order func(n int) []int) grid.Partition {
	groups := func(n int) []uint32 {
		list := make([]uint32, n)
		for i, item := range order(n) {
			list[item] = uint32(i * p / n)
		}
		return list
	}
	return grid.Partition{P: p, Docs: groups(len(r.Offsets) - 1), Words: groups(r.V)}
}

func inOrder(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
