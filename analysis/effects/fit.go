package effects

import (
	"context"
	"slices"

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
		slot := int(e.r.slots[t.Topic])
		if slot < 0 {
			continue
		}
		at := slices.IndexFunc(e.counts, func(s share) bool { return s.slot == slot })
		if at < 0 || len(e.r.parts[slot]) == 1 {
			e.counts = append(e.counts, share{slot, float64(t.Count)})
		} else {
			e.counts[at].n += float64(t.Count)
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

// fits regresses each topic, given Σ y_dk x_d and Σ y_dk², where y are those of a draw or, without a number, the
// means. With C = (X'X)⁻¹ the coefficients are b = C X'y, and their covariance is C |y - Xb|² / (n - rank).
func (r *regression) fits(ctx context.Context, xy, yy []float64, number *int) ([]fit, error) {
	p := len(r.design.names)
	fits := make([]fit, len(r.options.Topics))
	for k := range fits {
		b := times(r.inverse, xy[k*p:(k+1)*p])
		variance := max(0, yy[k]-dot(b, xy[k*p:(k+1)*p])) / r.free
		fits[k] = fit{b: b, cov: scaled(variance, r.inverse)}
	}
	if r.groups == nil {
		return fits, nil
	}
	return fits, r.cluster(ctx, fits, number)
}
