// Package effects estimates how the shares of topics depend on columns of the documents:
// party, date, rating, length and whatever else a table says about them.
//
// # Method
//
// The share of a topic among the words of a document is an estimate of its θ. These shares
// are regressed on the columns by least squares. How far they lie from θ by chance is part
// of how they scatter around the regression, and so of its errors.
//
// With Options.Draws the method is that of composition (Treier and Jackman 2008; estimateEffect of Roberts, Stewart
// and Tingley's stm): θ_d is drawn from its distribution Dirichlet(n_d + α), each draw is regressed, and coefficients
// and covariances are pooled over draws. A draw adds the chance in θ to shares that scatter by it already, so
// intervals are wider than they need be where documents are short and differ little.
//
// The model's prior pulls the shares of short documents towards the mean of all, which
// would shrink every effect; shares are taken without that pull, in draws too.
//
// Topics are taken as given: what another training of the model might find is not part of the intervals.
package effects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/topic"
)

// Effect is an estimate: a coefficient, a share or a difference of shares.
type Effect struct {
	Estimate float64 // NaN if the columns before determine this one
	Error    float64 // standard error
	Low      float64 // ends of the interval
	High     float64
}

// P returns the probability of an estimate at least as far from 0 if there is no effect.
func (e Effect) P() float64 { return portable.Erfc(math.Abs(e.Estimate/e.Error) / math.Sqrt2) }

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
	Draws    int // 0: none

	coefficients [][]float64 // of each topic: p
	covariances  [][]float64 // of each topic: p×p
	aliased      []bool      // p
	design       *design
}

const mostDraws = 1 << 16

// Compute estimates the effects. It reads the training documents once, with draws or clusters once more for each.
func Compute(ctx context.Context, m topic.Documents, o Options) (*Result, error) {
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
		fits, err = r.fits(ctx, s.xy, s.yy, nil)
	}
	if err != nil {
		return nil, err
	}
	return r.result(fits), nil
}

// prepare checks the options and reads the columns.
func prepare(m topic.Documents, o Options) (*regression, error) {
	o.Interval = cmp.Or(o.Interval, 0.9)
	o.Threads = cmp.Or(max(0, o.Threads), runtime.GOMAXPROCS(0))
	var faults []error
	if !(o.Interval > 0 && o.Interval < 1) {
		faults = append(faults, fmt.Errorf("the interval is %v: it must lie between 0 and 1, such as 0.9", o.Interval))
	}
	if o.Draws < 0 || o.Draws == 1 || o.Draws > mostDraws {
		faults = append(faults,
			fmt.Errorf("the number of draws is %d: it must be 0, or between 2 and %d", o.Draws, mostDraws))
	}
	named := make([]bool, m.NumTopics())
	for _, k := range o.Topics {
		switch {
		case k < 0 || k >= m.NumTopics():
			faults = append(faults, fmt.Errorf("there is no topic %d: the model has %d, counted from 0", k,
				m.NumTopics()))
		case named[k]: // tokens are counted in one place
			faults = append(faults, fmt.Errorf("topic %d is named twice: name it once", k))
		default:
			named[k] = true
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

// choose finds the places of the chosen topics.
func (r *regression) choose(m topic.Documents) {
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

// result scales the fits back.
func (r *regression) result(fits []fit) *Result {
	x := r.design
	res := &Result{
		Formula: x.text, Names: x.names, Topics: r.options.Topics, Docs: len(x.docs), Missing: x.missing,
		Interval: r.options.Interval,
		Cluster:  r.options.Cluster, Draws: r.options.Draws, aliased: r.aliased, design: x,
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
	z := math.Sqrt2 * portable.Erfinv(r.Interval)
	return Effect{estimate, e, estimate - float64(z*e), estimate + float64(z*e)}
}
