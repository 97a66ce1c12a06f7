package effects

import (
	"context"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// sums holds the sums for a regression of the shares of K chosen topics on p columns. Columns
// are standardised, see scale. Matrices are symmetric, with all elements.
type sums struct {
	xx []float64 // p×p: Σ x x'
	xy []float64 // K×p: Σ E y_dk · x
	yy []float64 // K: Σ (E y_dk)²

	places []int // of a row's numbers that are not 0
}

func newSums(p, k int) *sums {
	return &sums{xx: make([]float64, p*p), xy: make([]float64, k*p), yy: make([]float64, k)}
}

// add adds the sums of other documents.
func (s *sums) add(t *sums) {
	addTo(s.xx, t.xx)
	addTo(s.xy, t.xy)
	addTo(s.yy, t.yy)
}

// addOuter adds c·x x' to the upper triangle of m.
func addOuter(m, x []float64, c float64) { addSparse(m, x, placesOf(nil, x), c) }

// addSparse is addOuter where the places are known at which x is not 0.
func addSparse(m, x []float64, places []int, c float64) {
	p := len(x)
	for a, i := range places {
		f, row := c*x[i], m[i*p:(i+1)*p]
		for _, j := range places[a:] {
			row[j] += float64(f * x[j])
		}
	}
}

// placesOf appends the places at which x is not 0.
func placesOf(places []int, x []float64) []int {
	for i, xi := range x {
		if xi != 0 {
			places = append(places, i)
		}
	}
	return places
}

// mirror copies the upper triangle of a p×p matrix to the lower one.
func mirror(m []float64, p int) {
	for i := range p {
		for j := range i {
			m[i*p+j] = m[j*p+i]
		}
	}
}

// document adds one document: its row x, its length and the counts of its topics.
func (s *sums) document(x []float64, tokens int, counts []share) {
	s.places = placesOf(s.places[:0], x)
	addSparse(s.xx, x, s.places, 1)
	for _, t := range counts {
		y := t.n / float64(tokens)
		for _, i := range s.places {
			s.xy[t.slot*len(x)+i] += float64(y * x[i])
		}
		s.yy[t.slot] += float64(y * y)
	}
}

// share is a chosen topic of a document.
type share struct {
	slot int     // place among the chosen topics
	n    float64 // n_dk
}

// reader yields documents. It belongs to one goroutine.
type reader struct {
	r      *regression
	topics *doctopics.Reader
	room   *scratch
	x      []float64 // standardised row of the document read last
	counts []share   // its chosen topics
}

func (r *regression) newReader() *reader {
	return &reader{
		r: r, topics: doctopics.NewReader(r.model, r.corpus), room: r.design.newScratch(),
		x: make([]float64, len(r.design.names)),
	}
}

// read reads document d and returns its length.
func (e *reader) read(d uint32) (tokens int) {
	e.r.design.row(e.x, int(d), e.room, nil)
	e.r.scale.apply(e.x)
	e.counts = e.counts[:0]
	for _, t := range e.topics.Read(int(d)) {
		if slot := e.r.slots[t.Topic]; slot >= 0 {
			e.counts = append(e.counts, share{int(slot), float64(t.Count)})
		}
	}
	return e.topics.Tokens()
}

// piece is how many documents are summed up by themselves. It fixes the order of all
// additions, whatever the number of threads.
const piece = 1 << 14

// eachPiece calls work for runs of the documents, each with a reader, and then merge for their results in order.
func eachPiece[T any](ctx context.Context, r *regression, work func(e *reader, docs []uint32) T, merge func(T)) error {
	docs := r.design.docs
	readers := make([]*reader, r.options.Threads)
	for i := range readers {
		readers[i] = r.newReader()
	}
	results := make([]T, r.options.Threads)
	for first := 0; first < len(docs); first += len(results) * piece {
		round := min(len(results), (len(docs)-first+piece-1)/piece)
		err := parallel.Do(ctx, r.options.Threads, round, func(worker, i int) {
			begin := first + i*piece
			results[i] = work(readers[worker], docs[begin:min(begin+piece, len(docs))])
		})
		if err != nil {
			return err
		}
		for _, result := range results[:round] {
			merge(result)
		}
		if r.options.Progress != nil {
			r.options.Progress(int64(min(len(docs), first+round*piece)), int64(len(docs)))
		}
	}
	return nil
}

// sumUp adds up what the regression needs over all documents.
func (r *regression) sumUp(ctx context.Context) (*sums, error) {
	p, k := len(r.design.names), len(r.options.Topics)
	all := newSums(p, k)
	err := eachPiece(ctx, r, func(e *reader, docs []uint32) *sums {
		s := newSums(p, k)
		for _, d := range docs {
			if ctx.Err() != nil {
				break // nobody uses the sums
			}
			tokens := e.read(d)
			s.document(e.x, tokens, e.counts)
		}
		return s
	}, all.add)
	mirror(all.xx, p)
	return all, err
}

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
		meat := r.scores(ctx, docs, begins, fits[first:last], first, number)
		for k := first; k < last; k++ {
			fits[k].cov = scaled(correction, sandwich(r.inverse, meat[k-first], p))
		}
	})
}

// scores returns Σ_g s_g s_g' for topics first, first+1, … with the given fits, or anything once ctx has ended.
func (r *regression) scores(ctx context.Context, docs []uint32, begins []int, fits []fit, first int, number *int,
) [][]float64 {
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
			if ctx.Err() != nil {
				return meat
			}
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
					score[k*p+i] += float64(residual * x)
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

// fits regresses each topic, given Σ y_dk x_d and Σ y_dk², where y are those of a draw or, without a number, the
// means. With C = (X'X)⁻¹ the coefficients are b = C X'y, and their covariance is C |y - Xb|² / (n - rank).
func (r *regression) fits(ctx context.Context, xy, yy []float64, number *int) ([]fit, error) {
	p := len(r.design.names)
	fits := make([]fit, len(r.options.Topics))
	for k := range fits {
		b := times(r.inverse, xy[k*p:(k+1)*p])
		variance := max(0, yy[k]-dot(b, xy[k*p:(k+1)*p])) / r.free
		fits[k] = fit{b, scaled(variance, r.inverse)}
	}
	if r.options.Cluster == "" {
		return fits, nil
	}
	return fits, r.cluster(ctx, fits, number)
}
