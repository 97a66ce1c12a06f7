// Package prevalence computes how much of the documents in a group or in a period each topic makes up. The
// prevalence, or share, of topic k in a group or period g is
//
//	share = Σ_{d∈g} n_dk / Σ_{d∈g} N_d
//
// where n_dk is the number of tokens of document d in topic k and N_d the number of all its tokens. It is a
// share of the words that were written, so that long documents count for more than short ones.
//
// # Intervals
//
// An interval shows how the share would vary if documents were drawn again. In each replicate, every document counts a
// number of times that is Poisson with mean 1 (the bootstrap of Efron 1979 in the form of Hanley and MacGibbon,
// "Creating non-parametric bootstrap samples using Poisson frequencies", 2006). The interval lies between the quantiles
// (1−c)/2 and (1+c)/2 of the replicates' shares. Topics are taken as given: the interval shows what another sample of
// documents might give, not what another training of the model might give. A group of one document has no interval.
//
// How often a document counts depends only on the seed, its number and the replicate's number, and sums are
// of integers, so results are the same bits for any number of threads.
package prevalence

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/topic"
)

// Compute computes the shares of topics. It reads the training documents once for the shares, and once more
// for every 256 MB of replicates. Memory is 12 bytes a document, 32 a share and those 256 MB.
func Compute(ctx context.Context, m topic.Documents, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults(m.NumTopics())
	named := make([]bool, m.NumTopics())
	for _, k := range o.Topics {
		switch {
		case k < 0 || k >= m.NumTopics():
			return nil, fmt.Errorf("there is no topic %d: the model has %d, counted from 0", k, m.NumTopics())
		case named[k]: // tokens are counted in one place
			return nil, fmt.Errorf("topic %d is named twice: name it once", k)
		default:
			named[k] = true
		}
	}
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	g, err := Group(docs, o)
	if err != nil {
		return nil, err
	}
	if n := len(g.Cells) * len(o.Topics); n > mostShares {
		return nil, fmt.Errorf("%d groups and periods of %d topics make more rows than the %d that can be shown: "+
			"choose fewer topics or labels, or longer bins", len(g.Cells), len(o.Topics), mostShares)
	}
	j := newJob(m, docs, g, o)
	if err := j.count(ctx); err != nil {
		return nil, err
	}
	if o.Interval > 0 {
		if err := j.bootstrap(ctx); err != nil {
			return nil, err
		}
	}
	return j.result, nil
}

func newJob(m topic.Documents, docs *corpus.Corpus, g *Grouping, o Options) *job {
	j := &job{model: m, docs: docs, options: o, slots: slices.Repeat([]int32{-1}, m.NumTopics())}
	for i, k := range o.Topics {
		j.slots[k] = int32(i)
	}
	j.result = &Result{Grouping: g, Topics: o.Topics, Shares: make([][]Share, len(g.Cells)), Seed: o.Seed}
	if o.Interval > 0 {
		j.result.Interval, j.result.Replicates = o.Interval, o.Replicates
	}
	for c := range j.result.Shares {
		j.result.Shares[c] = make([]Share, len(o.Topics))
	}
	return j
}

// count fills in the shares without their intervals.
func (j *job) count(ctx context.Context) error {
	r := j.result
	reader := doctopics.NewReader(j.model, j.docs)
	for d, c := range r.Of {
		if d%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if c < 0 {
			continue
		}
		for _, e := range reader.Read(d) {
			if slot := j.slots[e.Topic]; slot >= 0 {
				r.Shares[c][slot].Tokens += uint64(e.Count)
			}
		}
	}
	for c, cell := range r.Cells {
		for i := range r.Shares[c] {
			s := &r.Shares[c][i]
			s.Share, s.Low, s.High = float64(s.Tokens)/float64(cell.Tokens), math.NaN(), math.NaN()
		}
	}
	if j.options.Difference {
		j.differences()
	}
	return nil
}

// differences fills in the differences without their intervals.
func (j *job) differences() {
	r := j.result
	half := len(r.Cells) / 2 // the first label's periods, then the second's
	for p := range half {
		d := Difference{Period: r.Cells[p].Period, Changes: make([]Change, len(r.Topics))}
		for i := range d.Changes {
			d.Changes[i] = Change{r.Shares[p][i].Share - r.Shares[half+p][i].Share, math.NaN(), math.NaN()}
		}
		r.Differences = append(r.Differences, d)
	}
}

// forReplicates is the purpose of all random numbers here.
const forReplicates rng.Purpose = 0x626f6f74

// replicateBytes bounds the sums of replicates that are held at a time. Tests make it smaller.
var replicateBytes = 256 << 20

// poisson holds the cumulative probabilities of the Poisson distribution with mean 1, times 2^32: P(X ≤ 0), P(X ≤ 1), …
var poisson = [...]uint32{
	0x5e2d58d9, 0xbc5ab1b1, 0xeb715e1e, 0xfb239797, 0xff1025f6, 0xffd90f3c,
	0xfffa8b72, 0xffff540c, 0xffffed1f, 0xfffffe21, 0xffffffd5, 0xfffffffc,
}

// times maps a random word to how often a document counts.
func times(x uint32) uint64 {
	n := 0
	for n < len(poisson) && x >= poisson[n] {
		n++
	}
	return uint64(n)
}

// weights fills dst with how often document d counts in the replicates first, …, where
// first is a multiple of 4. Replicate r reads word r mod 4 of block d·2^16 + r/4.
func weights(dst []uint64, words []uint32, key rng.Key, d, first int) []uint32 {
	words = alloc.Resize(words, (len(dst)+3)&^3)
	key.Fill(words, uint64(d)<<16+uint64(first/4), 0, uint32(forReplicates))
	for i := range dst {
		dst[i] = times(words[i])
	}
	return words
}

// replicates are the sums of all replicates for some of the topics.
type replicates struct {
	*job
	from, to int      // slots of topics
	tokens   []uint64 // cells × topics × replicates: Σ_d w_d n_dk
	totals   []uint64 // cells × replicates: Σ_d w_d N_d
}

// bootstrap fills in the intervals, some topics at a time.
func (j *job) bootstrap(ctx context.Context) error {
	cells, all := len(j.result.Cells), len(j.options.Topics)
	if 8*cells*j.options.Replicates > 4*replicateBytes {
		return fmt.Errorf("%d groups and periods with %d replicates are too many for intervals: ask for fewer replicates, groups or periods, or for no interval", cells, j.options.Replicates)
	}
	atOnce := max(1, min(all, replicateBytes/(8*cells*j.options.Replicates)))
	for from := 0; from < all; from += atOnce {
		r := &replicates{job: j, from: from, to: min(from+atOnce, all)}
		r.tokens = make([]uint64, cells*(r.to-r.from)*j.options.Replicates)
		r.totals = make([]uint64, cells*j.options.Replicates)
		if err := r.sum(ctx); err != nil {
			return err
		}
		r.intervals()
		if j.options.Progress != nil {
			j.options.Progress(int64(r.to), int64(all))
		}
	}
	return nil
}

// replicatesAtOnce is the number of replicates that a goroutine sums up in one walk over the
// documents: a multiple of 4.
const replicatesAtOnce = 128

// sum walks over the documents, with runs of replicates shared out among goroutines.
func (r *replicates) sum(ctx context.Context) error {
	n := r.options.Replicates
	return parallel.Do(ctx, r.options.Threads, (n+replicatesAtOnce-1)/replicatesAtOnce, func(_, i int) {
		r.sumRun(ctx, i*replicatesAtOnce, min((i+1)*replicatesAtOnce, n))
	})
}

// sumRun sums up the replicates first, …, end-1.
func (r *replicates) sumRun(ctx context.Context, first, end int) {
	key, n := rng.NewKey(r.options.Seed), r.options.Replicates
	reader := doctopics.NewReader(r.model, r.docs)
	w := make([]uint64, end-first)
	var words []uint32
	for d, cell := range r.result.Of {
		if cell < 0 {
			continue
		}
		if d%4096 == 0 && ctx.Err() != nil {
			return
		}
		words = weights(w, words, key, d, first)
		counts := reader.Read(d)
		addTo(r.totals[int(cell)*n+first:], w, uint64(reader.Tokens()))
		for _, e := range counts {
			if slot := int(r.slots[e.Topic]); slot >= r.from && slot < r.to {
				addTo(r.tokens[r.row(int(cell), slot)+first:], w, uint64(e.Count))
			}
		}
	}
}

// row returns where the replicates of a cell and topic begin.
func (r *replicates) row(cell, slot int) int {
	return (cell*(r.to-r.from) + slot - r.from) * r.options.Replicates
}

func addTo(dst, w []uint64, n uint64) {
	dst = dst[:len(w)]
	for i, x := range w {
		dst[i] += x * n
	}
}

// intervals fills in the intervals of the topics, cells shared out among goroutines.
func (r *replicates) intervals() {
	n := r.options.Replicates
	values := make([]float64, 2*n*max(1, r.options.Threads)) // two lists for each goroutine
	_ = parallel.Do(context.Background(), r.options.Threads, len(r.result.Cells), func(worker, cell int) {
		a, b := values[2*n*worker:][:n], values[2*n*worker+n:][:n]
		r.cellIntervals(cell, a)
		if cell < len(r.result.Differences) {
			r.differenceIntervals(cell, a, b)
		}
	})
}

func (r *replicates) cellIntervals(cell int, values []float64) {
	if r.result.Cells[cell].Docs < 2 {
		return
	}
	for slot := r.from; slot < r.to; slot++ {
		s := &r.result.Shares[cell][slot]
		if s.Tokens == 0 { // in every replicate
			s.Low, s.High = 0, 0
			continue
		}
		s.Low, s.High = r.middle(r.shares(values, cell, slot))
	}
}

// differenceIntervals is for period p of the two labels whose difference was asked for.
func (r *replicates) differenceIntervals(p int, a, b []float64) {
	other := len(r.result.Differences) + p
	if r.result.Cells[p].Docs < 2 || r.result.Cells[other].Docs < 2 {
		return
	}
	for slot := r.from; slot < r.to; slot++ {
		r.shares(a, p, slot)
		r.shares(b, other, slot)
		for i := range a {
			a[i] -= b[i]
		}
		c := &r.result.Differences[p].Changes[slot]
		c.Low, c.High = r.middle(a)
	}
}

// shares sets values to the shares of the replicates, NaN where no document counts.
func (r *replicates) shares(values []float64, cell, slot int) []float64 {
	n := r.options.Replicates
	tokens, totals := r.tokens[r.row(cell, slot):], r.totals[cell*n:]
	for i := range values {
		values[i] = float64(tokens[i]) / float64(totals[i])
	}
	return values
}

// middle returns the quantiles (1−c)/2 and (1+c)/2 of the values that are numbers. It sorts the values.
func (r *replicates) middle(values []float64) (low, high float64) {
	kept := slices.DeleteFunc(values, math.IsNaN)
	if len(kept) == 0 {
		return math.NaN(), math.NaN()
	}
	slices.Sort(kept)
	c := r.options.Interval
	return quantile(kept, (1-c)/2), quantile(kept, (1+c)/2)
}

// quantile returns the value below which the share p of the values lies, between the two nearest ones in proportion
// (type 7 of Hyndman and Fan 1996, as NumPy and R have it).
func quantile(sorted []float64, p float64) float64 {
	place := float64(p * float64(len(sorted)-1))
	i := int(place)
	if i+1 >= len(sorted) {
		return sorted[i]
	}
	return sorted[i] + float64((place-float64(i))*(sorted[i+1]-sorted[i]))
}
