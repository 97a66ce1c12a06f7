package effects

import (
	"context"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// clusters returns the documents of the regression sorted by cluster, and where clusters
// begin among them. A document without a value is a cluster of its own.
func (r *regression) clusters() (docs []uint32, begins []int, err error) {
	c, err := column.Find(r.options.Columns, r.options.Cluster)
	if err != nil {
		return nil, nil, err
	}
	_, codes := c.Levels()
	docs = slices.Clone(r.design.docs)
	slices.SortStableFunc(docs, func(a, b uint32) int { return int(codes[a]) - int(codes[b]) })
	for i, d := range docs {
		if i == 0 || codes[d] != codes[docs[i-1]] || codes[d] == column.None {
			begins = append(begins, i)
		}
	}
	if len(begins) < 2 {
		return nil, nil, fmt.Errorf("column %s has the same value in all documents of the regression, so errors cannot be clustered by it", c.Name)
	}
	return docs, append(begins, len(docs)), nil
}

// cluster replaces the covariances of a regression by those that allow errors of documents
// of one cluster to be correlated:
//
//	C (Σ_g s_g s_g') C · G/(G-1) · (n-1)/(n-rank),   s_g = Σ_{d∈g} e_d x_d
func (r *regression) cluster(ctx context.Context, fits []fit, number *int) error {
	docs, begins, err := r.clusters()
	if err != nil {
		return err
	}
	groups, n, p := float64(len(begins)-1), float64(len(docs)), len(r.design.names)
	correction := groups / (groups - 1) * (n - 1) / r.free
	runs := parallel.Workers(r.options.Threads, len(fits))
	return parallel.Do(ctx, r.options.Threads, runs, func(_, run int) {
		first, last := run*len(fits)/runs, (run+1)*len(fits)/runs
		meat := r.scores(docs, begins, fits[first:last], first, number)
		for k := first; k < last; k++ {
			for i, c := range sandwich(r.inverse, meat[k-first], p) {
				fits[k].cov[i] = correction * c
			}
		}
	})
}

// scores returns Σ_g s_g s_g' for topics first, first+1, … with the given fits.
func (r *regression) scores(docs []uint32, begins []int, fits []fit, first int, number *int) [][]float64 {
	p := len(r.design.names)
	e, w := r.newReader(), r.posterior.newDrawer()
	y := make([]float64, len(r.options.Topics))
	meat, score := make([][]float64, len(fits)), make([]float64, len(fits)*p)
	for k := range meat {
		meat[k] = make([]float64, p*p)
	}
	for g := range len(begins) - 1 {
		clear(score)
		for _, d := range docs[begins[g]:begins[g+1]] {
			tokens := e.read(d)
			if number != nil {
				w.draw(y, r.options.Seed, *number, d, tokens, e.counts)
			} else {
				clear(y)
				for _, t := range e.counts {
					y[t.slot] = t.n / float64(tokens)
				}
			}
			for k, f := range fits {
				residual := y[first+k] - dot(f.b, e.x)
				for i, x := range e.x {
					score[k*p+i] += residual * x
				}
			}
		}
		for k := range fits {
			addOuter(meat[k], score[k*p:(k+1)*p], 1)
		}
	}
	for k := range meat {
		mirror(meat[k], p)
	}
	return meat
}
