package topoi

import (
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/effects"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Covariates is the prior of a model that was trained with PriorCovariates. A document whose columns give the numbers x has
//
//	α_k = exp(λ_k0 + Σ_f λ_kf (x_f − mean_f) / scale_f)
//
// and one that lacks a value has α_k = exp(λ_k0), which is Model.Alpha.
type Covariates struct {
	Coding effects.Coding `json:"coding"` // how columns become numbers
	Names  []string       `json:"names"`  // F: of the numbers; the first is the intercept
	Mean   []float64      `json:"mean"`   // F
	Scale  []float64      `json:"scale"`  // F
	Lambda [][]float64    `json:"lambda"` // K × F
}

// newCovariates reads the columns of documents that a formula names.
func newCovariates(formula string, docs *corpus.Corpus) (*Covariates, error) {
	coding, err := effects.NewCoding(formula, docs.Columns(), docs.NumDocs())
	if err != nil {
		return nil, err
	}
	names, rows, err := coding.Rows(docs.Columns(), docs.NumDocs())
	if err != nil {
		return nil, err
	}
	c := &Covariates{Coding: *coding, Names: names, Mean: make([]float64, len(names)), Scale: make([]float64, len(names))}
	for f := range names {
		n, squares := 0.0, 0.0
		for _, x := range rows {
			if x != nil {
				n++
				c.Mean[f] += x[f]
				squares += float64(x[f] * x[f])
			}
		}
		c.Mean[f] = rounded(c.Mean[f] / n)
		if c.Scale[f] = rounded(math.Sqrt(max(0, squares/n-float64(c.Mean[f]*c.Mean[f])))); c.Scale[f] == 0 || f == 0 {
			c.Scale[f] = 1
		}
	}
	return c, nil
}

// rounded leaves out the digits in which kinds of machines may differ.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// groups returns the distinct rows of documents, and which of them each document has.
func (c *Covariates) groups(docs *corpus.Corpus) (distinct [][]float64, of []uint32, err error) {
	_, rows, err := c.Coding.Rows(docs.Columns(), docs.NumDocs())
	if err != nil {
		return nil, nil, err
	}
	known := map[string]uint32{}
	for _, x := range rows {
		row := make([]float64, len(c.Names))
		row[0] = 1
		for f := 1; f < len(row) && x != nil; f++ {
			row[f] = rounded((x[f] - c.Mean[f]) / c.Scale[f])
		}
		key := fmt.Sprint(row)
		if _, ok := known[key]; !ok {
			known[key] = uint32(len(distinct))
			distinct = append(distinct, row)
		}
		of = append(of, known[key])
	}
	return distinct, of, nil
}

// regression is PriorCovariates in a run.
type regression struct {
	*Covariates
	hyper.Regression
	of     []uint32 // D: the group of each document
	all    []uint32 // 0 … K-1
	length float64  // mean length of documents
}

// readCovariates finds the columns of the training documents.
func (r *run) readCovariates() error {
	if r.opts.Prior != PriorCovariates {
		return nil
	}
	c, err := newCovariates(r.opts.Formula, r.docs)
	if err != nil {
		return err
	}
	g := &regression{Covariates: c, length: float64(r.docs.NumTokens()) / float64(r.docs.NumDocs())}
	g.Threads = r.opts.Threads
	if g.Rows, g.of, err = c.groups(r.docs); err != nil {
		return err
	}
	for k := range r.opts.Topics {
		row := make([]float64, len(c.Names))
		row[0] = portable.Log(r.opts.AlphaSum / float64(r.opts.Topics))
		c.Lambda, g.all = append(c.Lambda, row), append(g.all, uint32(k))
	}
	r.regression = g
	return nil
}

// priors returns the priors of all groups for the present λ.
func (g *regression) priors() []sampler.Group {
	groups := make([]sampler.Group, len(g.Rows))
	for i, alpha := range g.Alpha(g.Lambda) {
		groups[i] = sampler.Group{Topics: g.all, Alpha: alpha}
	}
	return groups
}

// learnCovariates re-estimates λ and β.
func (r *run) learnCovariates() error {
	h, err := r.statistics()
	if err != nil {
		return err
	}
	docs, err := r.countDocs()
	if err != nil {
		return err
	}
	g := r.regression
	g.Lambda = g.Learn(g.Lambda, docs)
	sums := 0.0
	groups := g.priors()
	for _, group := range g.of {
		sums += sum(groups[group].Alpha) / float64(len(g.of))
	}
	if least := hyper.LeastSum(len(g.all), g.length); sums < least {
		for _, row := range g.Lambda {
			row[0] += portable.Log(least / sums)
		}
		groups = g.priors()
	}
	mean := hyper.Regression{Rows: [][]float64{{1}}, Threads: 1}.Alpha(g.Lambda)[0] // of a document about which nothing is known
	r.priors = &sampler.Priors{Alpha: mean, Beta: hyper.Beta(r.priors.Beta, h, r.corpus.NumWords()), Groups: groups}
	return nil
}

// saved returns what model and checkpoint keep; nil without covariates.
func (g *regression) saved() *Covariates {
	if g == nil {
		return nil
	}
	kept := *g.Covariates
	return &kept
}
