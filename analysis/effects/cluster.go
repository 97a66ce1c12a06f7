package effects

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/eigen"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// eachDocument is the name in Options.Cluster by which every document is a cluster of its own, unless a column has that
// name: errors then allow for documents that scatter more in one group than in another.
const eachDocument = "document"

// clusters sorts the documents of the regression by cluster. A document without a value is a cluster of its own.
func (r *regression) clusters() (*groups, error) {
	c, err := column.Find(r.options.Columns, r.options.Cluster)
	var codes []uint32
	switch {
	case err == nil:
		_, codes = c.Levels()
	case r.options.Cluster == eachDocument: // a document without a value is a cluster of its own
		c, codes = &column.Column{Name: eachDocument}, slices.Repeat([]uint32{column.None}, r.corpus.NumDocs())
	default:
		return nil, err
	}
	g := &groups{docs: slices.Clone(r.design.docs)}
	slices.SortStableFunc(g.docs, func(a, b uint32) int { return int(codes[a]) - int(codes[b]) })
	for i, d := range g.docs {
		if i == 0 || codes[d] != codes[g.docs[i-1]] || codes[d] == column.None {
			g.begins = append(g.begins, i)
		}
	}
	if len(g.begins) < 2 {
		return nil, fmt.Errorf("column %s has the same value in all documents of the regression, so errors cannot be clustered by it", c.Name)
	}
	g.begins = append(g.begins, len(g.docs))
	return g, nil
}

// A leverage says how much of the regression one cluster decides. With X'X = L L' and U = X L'⁻¹, whose columns are
// orthonormal, it holds the eigenvalues and eigenvectors of M = U_g'U_g: Σ λ q q'. A direction with λ = 1 is one of
// which no other cluster knows anything.
type leverage struct {
	values  []float64   // λ > 0
	vectors [][]float64 // q, of p numbers
}

const (
	leastLeverage = 1e-12    // λ below it is 0
	mostLeverage  = 1 - 1e-8 // λ above it is 1
)

// leverager finds leverages. It belongs to one goroutine.
type leverager struct {
	factored *factored
	rows     [][]float64 // U_g of a cluster of at most p documents
	square   []float64   // p×p: U_g'U_g of a larger one
	few      bool
	n        int
}

func (r *regression) newLeverager() *leverager { return &leverager{factored: r.factored} }

// begin begins a cluster of so many documents.
func (l *leverager) begin(docs int) {
	p := l.factored.p
	l.few, l.n = docs <= p, 0
	if !l.few {
		l.square = append(l.square[:0], make([]float64, p*p)...)
	}
	for l.few && len(l.rows) < docs {
		l.rows = append(l.rows, make([]float64, p))
	}
}

// add adds a document of the cluster by its standardised row.
func (l *leverager) add(x []float64) {
	if len(l.rows) == 0 {
		l.rows = append(l.rows, make([]float64, l.factored.p))
	}
	at := 0
	if l.few {
		at = l.n
	}
	l.n++
	u := l.rows[at]
	copy(u, x)
	l.factored.forward(u)
	if !l.few {
		addOuter(l.square, u, 1)
	}
}

// end returns the leverage of the cluster. Of a cluster with few documents the eigenvectors of U_g U_g' are computed,
// which has the same eigenvalues.
func (l *leverager) end() (leverage, error) {
	p, n, matrix := l.factored.p, l.factored.p, l.square
	if l.few {
		n, matrix = l.n, make([]float64, l.n*l.n)
		for i := range n {
			for j := range i + 1 {
				matrix[i*n+j] = dot(l.rows[i], l.rows[j])
			}
		}
	} else {
		mirror(matrix, p)
	}
	values, vectors, ok := eigen.Largest(matrix, n, n)
	if !ok {
		return leverage{}, errOverflow
	}
	var found leverage
	for i, v := range vectors {
		value := values[n-1-i]
		if value < leastLeverage {
			break
		}
		if l.few {
			v = l.combined(v, math.Sqrt(value))
		}
		found.values, found.vectors = append(found.values, value), append(found.vectors, v)
	}
	return found, nil
}

var errOverflow = fmt.Errorf("the columns of the formula hold numbers that are too large to compute with: use log() of them, or other units")

// combined returns Σ_i v_i u_i / size over the rows of the cluster.
func (l *leverager) combined(v []float64, size float64) []float64 {
	q := make([]float64, l.factored.p)
	for i, f := range v {
		for j, u := range l.rows[i] {
			q[j] += float64(f * u)
		}
	}
	for j := range q {
		q[j] /= size
	}
	return q
}

// adjust replaces s by (I - M)^-½ s, where s is a sum over the rows of U_g. It drops the directions with λ = 1, whose
// residuals are always 0.
func (v *leverage) adjust(s []float64) {
	for i, q := range v.vectors {
		f := -1.0
		if v.values[i] < mostLeverage {
			f = 1/math.Sqrt(1-v.values[i]) - 1
		}
		f = float64(f * dot(q, s))
		for j := range s {
			s[j] += float64(f * q[j])
		}
	}
}

// cluster replaces the covariances of a regression by those that allow errors of documents of one cluster to be
// correlated, corrected for the number of clusters and for how unequal they are (CR2; Bell and McCaffrey 2002,
// Pustejovsky and Tipton 2018):
//
//	L'⁻¹ (Σ_g s_g s_g') L⁻¹,   s_g = (I - M_g)^-½ Σ_{d∈g} e_d u_d
func (r *regression) cluster(ctx context.Context, fits []fit, number *int) error {
	runs := parallel.Workers(r.options.Threads, len(fits))
	faults := make([]error, runs)
	err := parallel.Do(ctx, r.options.Threads, runs, func(_, run int) {
		first, last := run*len(fits)/runs, (run+1)*len(fits)/runs
		var meat [][]float64
		meat, faults[run] = r.scores(ctx, fits[first:last], first, number)
		for k := first; k < last && faults[run] == nil; k++ {
			fits[k].cov = r.factored.unfold(meat[k-first])
		}
	})
	if err != nil {
		return err
	}
	return faults[0] // all of them see the same clusters
}

// scores returns Σ_g s_g s_g' for topics first, first+1, … with the given fits, or anything once ctx has ended.
func (r *regression) scores(ctx context.Context, fits []fit, first int, number *int) ([][]float64, error) {
	p := len(r.design.names)
	e, w, l := r.newReader(), r.posterior.newDrawer(), r.newLeverager()
	y := make([]float64, len(r.options.Topics))
	meat, score := make([][]float64, len(fits)), make([]float64, len(fits)*p)
	for k := range meat {
		meat[k] = make([]float64, p*p)
	}
	for g := range r.groups.len() {
		docs := r.groups.at(g)
		clear(score)
		l.begin(len(docs))
		for _, d := range docs {
			if ctx.Err() != nil {
				return meat, nil
			}
			e.shares(y, d, w, number)
			l.add(e.x)
			for k, f := range fits {
				residual := y[first+k] - dot(f.b, e.x)
				for i, x := range e.x {
					score[k*p+i] += float64(residual * x)
				}
			}
		}
		found, err := l.end()
		if err != nil {
			return nil, err
		}
		for k := range fits {
			s := score[k*p : (k+1)*p]
			r.factored.forward(s)
			found.adjust(s)
			addOuter(meat[k], s, 1)
		}
	}
	for k := range meat {
		mirror(meat[k], p)
	}
	return meat, nil
}

// shares reads a document, and sets y to its shares of the chosen topics, or to those of a draw.
func (e *reader) shares(y []float64, d uint32, w *drawer, number *int) {
	tokens := e.read(d)
	if number != nil {
		w.draw(y, e.r.options.Seed, *number, d, tokens, e.counts)
		return
	}
	clear(y)
	for _, t := range e.counts {
		y[t.slot] = t.n / float64(tokens)
	}
}
