package prior

import (
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/analysis/effects"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Columns describes how the columns of documents determine their priors: see topoi.Covariates, which has the same
// fields.
type Columns struct {
	Coding effects.Coding // how columns become numbers
	Names  []string       // F: of the numbers; the first is the intercept
	Mean   []float64      // F
	Scale  []float64      // F
	Lambda [][]float64    // K × F
}

// newColumns reads the columns of documents that a formula names.
func newColumns(formula string, docs *corpus.Corpus) (*Columns, error) {
	coding, err := effects.NewCoding(formula, docs.Columns(), docs.NumDocs())
	if err != nil {
		return nil, err
	}
	names, rows, err := coding.Rows(docs.Columns(), docs.NumDocs())
	if err != nil {
		return nil, err
	}
	c := &Columns{Coding: *coding, Names: names, Mean: make([]float64, len(names)), Scale: make([]float64, len(names))}
	for f := range names {
		n, squares := 0.0, 0.0
		for _, x := range rows {
			if x != nil {
				n++
				c.Mean[f] += x[f]
			}
		}
		c.Mean[f] = rounded(c.Mean[f] / n)
		for _, x := range rows { // again, because Σx² − n·mean² would lose the digits of numbers far from 0
			if x != nil {
				squares += float64((x[f] - c.Mean[f]) * (x[f] - c.Mean[f]))
			}
		}
		if c.Scale[f] = rounded(math.Sqrt(squares / n)); c.Scale[f] == 0 || f == 0 {
			c.Scale[f] = 1
		}
	}
	return c, nil
}

// rounded leaves out the digits in which kinds of machines may differ.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// Groups returns the distinct rows of documents, and which of them each document has.
func (c *Columns) Groups(docs *corpus.Corpus) (distinct [][]float64, of []uint32, err error) {
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

// Regression is a prior that depends on columns, while it is learnt.
type Regression struct {
	*Columns
	Of     []uint32 // D: the group of each document
	by     hyper.Regression
	all    []uint32    // 0 … K-1
	alpha  [][]float64 // of each group, for the present λ
	length float64     // mean length of documents
}

// NewRegression reads the columns of documents that a formula names. All topics have the same prior at first.
func NewRegression(formula string, docs *corpus.Corpus, topics int, alphaSum float64,
	threads int,
) (*Regression, error) {
	c, err := newColumns(formula, docs)
	if err != nil {
		return nil, err
	}
	g := &Regression{Columns: c, length: float64(docs.NumTokens()) / float64(docs.NumDocs())}
	g.by.Threads = threads
	if g.by.Rows, g.Of, err = c.Groups(docs); err != nil {
		return nil, err
	}
	for k := range topics {
		row := make([]float64, len(c.Names))
		row[0] = portable.Log(alphaSum / float64(topics))
		c.Lambda, g.all = append(c.Lambda, row), append(g.all, uint32(k))
	}
	return g, nil
}

// Rows returns the numbers of each group.
func (g *Regression) Rows() [][]float64 { return g.by.Rows }

// Priors returns the priors of all groups for the present λ.
func (g *Regression) Priors() []sampler.Group {
	g.alpha = g.by.Alpha(g.Lambda)
	return g.groups(g.alpha)
}

// GroupsOf returns the priors of all groups for another λ. Several goroutines may call it.
func (g *Regression) GroupsOf(lambda [][]float64) []sampler.Group {
	return g.groups(g.by.Alpha(lambda))
}

func (g *Regression) groups(alpha [][]float64) []sampler.Group {
	groups := make([]sampler.Group, len(alpha))
	for i, row := range alpha {
		groups[i] = sampler.Group{Topics: g.all, Alpha: row}
	}
	return groups
}

// Learn re-estimates λ from histograms by group. It returns α of a document about which nothing is known and the priors
// of all groups. On a device these stay there: the list is nil. Priors was called before.
func (g *Regression) Learn(h *counts.Histograms) (alpha []float64, groups []sampler.Group, err error) {
	var sums []float64
	if h.Raised != nil {
		lambda, ofGroups, err := h.Raised.Learn(g.Lambda, hyper.RegressionRounds)
		if err != nil {
			return nil, nil, err
		}
		g.Lambda, g.alpha, sums = lambda, nil, ofGroups
	} else {
		g.Lambda, g.alpha = g.by.Learn(g.Lambda, g.alpha, h)
		for _, alpha := range g.alpha {
			sums = append(sums, Sum(alpha))
		}
	}
	total := 0.0
	for i := range sums {
		sums[i] /= float64(len(g.Of))
	}
	for _, group := range g.Of {
		total += sums[group]
	}
	if least := hyper.LeastSum(len(g.all), g.length); total < least {
		for _, row := range g.Lambda {
			row[0] += portable.Log(least / total)
		}
		if g.alpha != nil {
			g.alpha = g.by.Alpha(g.Lambda)
		}
	}
	if g.alpha != nil {
		groups = g.groups(g.alpha)
	}
	return hyper.Regression{Rows: [][]float64{{1}}, Threads: 1}.Alpha(g.Lambda)[0], groups, nil
}

// Sum adds numbers one after the other.
func Sum(list []float64) float64 {
	s := 0.0
	for _, x := range list {
		s += x
	}
	return s
}
