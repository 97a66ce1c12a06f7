// Package effects estimates how the shares of topics depend on columns of the documents:
// party, date, rating, length and whatever else a table says about them.
//
// # Method
//
// The method is that of composition (Treier and Jackman 2008; estimateEffect of Roberts,
// Stewart and Tingley's stm): the shares θ_d of a document are not known, but have the
// distribution Dirichlet(n_d + α). For a draw of all θ the shares of each topic are
// regressed on the columns by least squares; coefficients and their covariances are pooled
// over draws. The pooled covariance is the mean of the regressions' covariances plus the
// covariance of the coefficients between draws.
//
// By default nothing is drawn: least squares are linear in θ, so the limit for infinitely
// many draws follows from the means and variances of θ. With Options.Draws the draws are
// made, each from the seed and the document's number alone.
//
// The model's prior pulls the shares of short documents towards the mean of all, which
// would shrink every effect; that pull is taken out of θ before the regression.
//
// Topics are taken as given: what another training of the model might find is not part of
// the intervals. They are wider than they need be where documents are short and differ
// little, since a draw adds the uncertainty of θ to shares that vary by it already.
package effects

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/corpus"
)

// Model is a model with its training documents; *topoi.Model is one.
type Model interface {
	NumTopics() int
	Alpha() []float64
	Docs() (*corpus.Corpus, error)
	AppendTopics(dst []uint32, lo, hi int) []uint32
}

// Options say what is estimated.
type Options struct {
	Formula  string            // such as "~ party * s(date) + log(length)"
	Columns  []column.Column   // of the training documents
	Base     map[string]string // the value of a column that others are compared with. Default: the first
	Topics   []int             // default: all
	Interval float64           // share of an interval, below 1. Default 0.9
	Cluster  string            // name of a column: errors of documents with the same value may be correlated
	Draws    int               // draws of θ. Default 0: their limit
	Seed     uint64            // of the draws
	Threads  int               // goroutines; never changes the result. Default: all cores

	Progress func(done, total int64) // told how far the work is; may be nil
}

// Effect is an estimate: a coefficient, a share or a difference of shares.
type Effect struct {
	Estimate float64 // NaN if the columns before determine this one
	Error    float64 // standard error
	Low      float64 // ends of the interval
	High     float64
}

// P returns the probability of an estimate at least as far from 0 if there is no effect.
func (e Effect) P() float64 { return math.Erfc(math.Abs(e.Estimate/e.Error) / math.Sqrt2) }

// Result holds the effects on all chosen topics.
type Result struct {
	Formula  string
	Names    []string   // of the p coefficients
	Topics   []int      // chosen topics
	Effects  [][]Effect // of each topic and coefficient
	Docs     int        // documents that took part
	Missing  int        // documents left out because a value is missing
	Empty    int        // documents left out because they have no words
	Interval float64
	Cluster  string
	Clusters int // 0 without a column for them
	Draws    int // 0: the limit

	coefficients [][]float64 // of each topic: p
	covariances  [][]float64 // of each topic: p×p
	aliased      []bool      // p
	design       *design
}

// regression is one call of Compute.
type regression struct {
	options   Options
	model     Model
	corpus    *corpus.Corpus
	slots     []int32 // K: place of a topic among the chosen ones, or −1
	design    *design
	scale     scale
	posterior posterior

	inverse []float64 // p×p: of Σ x̃ x̃'
	aliased []bool
	free    float64 // n − rank
}

const mostDraws = 1 << 16

// Compute estimates the effects. It reads the training documents once, with draws or
// clusters once more for each.
func Compute(ctx context.Context, m Model, o Options) (*Result, error) {
	r, err := prepare(m, o)
	if err != nil {
		return nil, err
	}
	r.scale = newScale(r.design)
	s, err := r.sumUp(ctx)
	if err != nil {
		return nil, err
	}
	var rank int
	r.inverse, r.aliased, rank = inverse(s.xx, len(r.design.names))
	r.free = float64(len(r.design.docs) - rank)
	var fits []fit
	if r.options.Draws > 0 {
		fits, err = r.drawn(ctx)
	} else {
		fits, err = r.limit(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	return r.result(fits), nil
}

// prepare checks the options and reads the columns.
func prepare(m Model, o Options) (*regression, error) {
	o.Interval = orDefault(o.Interval, 0.9)
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	var faults []error
	if !(o.Interval > 0 && o.Interval < 1) {
		faults = append(faults, fmt.Errorf("the interval is %v: it must lie between 0 and 1, such as 0.9", o.Interval))
	}
	if o.Draws < 0 || o.Draws == 1 || o.Draws > mostDraws {
		faults = append(faults, fmt.Errorf("the number of draws is %d: it must be 0, or between 2 and %d", o.Draws, mostDraws))
	}
	for _, k := range o.Topics {
		if k < 0 || k >= m.NumTopics() {
			faults = append(faults, fmt.Errorf("there is no topic %d: the model has %d, counted from 0", k, m.NumTopics()))
		}
	}
	f, err := parseFormula(o.Formula)
	if err = errors.Join(append(faults, err)...); err != nil {
		return nil, err
	}
	r := &regression{options: o, model: m}
	if r.corpus, err = m.Docs(); err != nil {
		return nil, err
	}
	r.choose(m)
	keep := func(d int) bool { return len(r.corpus.Doc(d)) > 0 }
	r.design, err = newDesign(f, o.Columns, r.corpus.NumDocs(), o.Base, keep)
	return r, err
}

func orDefault(x, otherwise float64) float64 {
	if x == 0 {
		return otherwise
	}
	return x
}

// choose finds the places of the chosen topics.
func (r *regression) choose(m Model) {
	if r.options.Topics == nil {
		for k := range m.NumTopics() {
			r.options.Topics = append(r.options.Topics, k)
		}
	}
	r.slots = slices.Repeat([]int32{-1}, m.NumTopics())
	for i, k := range r.options.Topics {
		r.slots[k] = int32(i)
		r.posterior.alpha = append(r.posterior.alpha, m.Alpha()[k])
	}
	for _, a := range m.Alpha() {
		r.posterior.total += a
	}
}

// fit is the regression of one topic on standardised columns.
type fit struct {
	b   []float64 // p: coefficients
	cov []float64 // p×p: their pooled covariance
}

// limit returns the fits for infinitely many draws of θ. With C = (X'X)⁻¹ and y as
// posterior says, b = C X'·E y is the mean of the coefficients, C (Σ_d Var y_dk x x') C
// their covariance between draws, and the mean over draws of the residual variance is
//
//	(|E y - Xb|² + Σ_d Var y_dk (1 - x'Cx)) / (n - rank)
func (r *regression) limit(ctx context.Context, s *sums) ([]fit, error) {
	p := len(r.design.names)
	fits := make([]fit, len(r.options.Topics))
	for k := range fits {
		xy, vx := s.xy[k*p:(k+1)*p], s.vx[k*p*p:(k+1)*p*p]
		b := times(r.inverse, xy)
		residual := max(0, s.yy[k]-dot(b, xy)) + s.v[k] - dot(r.inverse, vx)
		cov := sandwich(r.inverse, vx, p)
		for i, c := range r.inverse {
			cov[i] += residual / r.free * c
		}
		fits[k] = fit{b, cov}
	}
	if r.options.Cluster == "" {
		return fits, nil
	}
	return fits, r.cluster(ctx, fits, s, nil)
}

// result scales the fits back.
func (r *regression) result(fits []fit) *Result {
	x := r.design
	res := &Result{
		Formula: x.text, Names: x.names, Topics: r.options.Topics, Docs: len(x.docs), Missing: x.missing, Interval: r.options.Interval,
		Cluster: r.options.Cluster, Draws: r.options.Draws, aliased: r.aliased, design: x,
	}
	for d := range r.corpus.NumDocs() {
		if len(r.corpus.Doc(d)) == 0 {
			res.Empty++
		}
	}
	for _, f := range fits {
		b, cov := r.scale.back(f.b, x.intercept), r.scale.backCovariance(f.cov, x.intercept)
		res.coefficients, res.covariances = append(res.coefficients, b), append(res.covariances, cov)
		effects := make([]Effect, len(b))
		for i := range b {
			effects[i] = res.effect(b[i], cov[i*len(b)+i])
			if r.aliased[i] {
				effects[i] = Effect{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
			}
		}
		res.Effects = append(res.Effects, effects)
	}
	return res
}

// effect makes an interval of an estimate and its variance.
func (r *Result) effect(estimate, variance float64) Effect {
	e := math.Sqrt(max(0, variance))
	z := math.Sqrt2 * math.Erfinv(r.Interval)
	return Effect{estimate, e, estimate - z*e, estimate + z*e}
}
