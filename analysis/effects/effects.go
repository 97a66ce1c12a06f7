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
	Estimate float64 // NaN if the documents do not determine it, because of other columns
	Error    float64 // standard error; NaN, as the interval, if the estimate rests on a single document or cluster
	Low      float64 // ends of the interval
	High     float64
	Freedom  float64 // degrees of freedom of Student's distribution, of which the interval is; 0: the normal distribution
}

// P returns the probability of an estimate at least as far from 0 if there is no effect.
func (e Effect) P() float64 {
	if e.Freedom == 0 {
		return portable.Erfc(math.Abs(e.Estimate/e.Error) / math.Sqrt2)
	}
	return portable.StudentTails(e.Estimate/e.Error, e.Freedom)
}

// Alone reports whether there is an estimate without an interval, because it rests on a single document or cluster:
// what that differs by from others like it, nobody knows.
func (e Effect) Alone() bool { return !math.IsNaN(e.Estimate) && math.IsNaN(e.Error) }

// Result holds the effects on all chosen topics.
type Result struct {
	Formula  string
	Names    []string   // of the p coefficients
	Bases    []string   // the level that each is compared with, Origins for the intercept; "" for none
	Origins  []string   // values such as date = 2010-01-01 that numbers far from 0 are measured from: the intercept is the share there
	With     []int      // documents that have the level of each; all of them if it has none
	Topics   []int      // chosen topics; the first one of a sum
	Sums     [][]int    // the topics of each chosen one: itself, or those of a sum
	Effects  [][]Effect // of each topic and coefficient
	Docs     int        // documents that took part
	Missing  int        // documents left out because a value is missing
	Empty    int        // documents left out because they have no words
	Interval float64
	Cluster  string
	Clusters int // 0 without a column for them
	Draws    int // 0: none

	Prior        string // with which the model was trained: "", "labels", "covariates" or "hdp"
	PriorFormula string // of the columns that the prior depends on; "" for none
	Training     string // of the model, in the words of its method Methods; "" if it has none
	Redrawn      int    // sweeps in which topics were drawn again without these columns; 0 without them

	coefficients [][]float64 // of each topic: p
	covariances  [][]float64 // of each topic: p×p
	between      [][]float64 // of each topic: p×p, the part of covariances that comes from draws; nil without draws
	doubt        *doubt
	design       *design
}

const mostDraws = 1 << 16

// shaped is a model whose prior may depend on columns. Topics that columns have a say in are no evidence for an
// effect of these columns.
type shaped interface {
	Prior() (name, formula string)
	WithoutColumns(ctx context.Context, threads int) (without topic.Documents, sweeps int, err error)
}

// Compute estimates the effects. It reads the training documents once, with draws or clusters once more for each. If
// the model's prior depends on columns, topics are drawn again without them first, which takes as long as a short
// training.
func Compute(ctx context.Context, m topic.Documents, o Options) (*Result, error) {
	r, err := prepare(m, o)
	if err != nil {
		return nil, err
	}
	if m, ok := m.(shaped); ok {
		if r.prior, r.priorFormula = m.Prior(); r.priorFormula != "" {
			if r.model, r.redrawn, err = m.WithoutColumns(ctx, r.options.Threads); err != nil {
				return nil, err
			}
		}
	}
	if m, ok := m.(interface{ Methods() string }); ok {
		r.training = m.Methods()
	}
	r.scale = newScale(r.design)
	s, err := r.sumUp(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.solve(s); err != nil {
		return nil, err
	}
	var fits []fit
	if r.options.Draws > 0 {
		fits, err = r.drawn(ctx)
	} else {
		fits, err = r.fits(ctx, s.xy, s.yy, nil)
	}
	if err != nil {
		return nil, err
	}
	return r.result(ctx, fits)
}

// solve inverts the squares of the columns and sorts documents by cluster.
func (r *regression) solve(s *sums) (err error) {
	r.squares, r.factored = s.xx, factor(s.xx, len(r.design.names))
	r.inverse, r.free = r.factored.inverse(), float64(len(r.design.docs)-r.factored.rank)
	if r.options.Cluster != "" {
		r.groups, err = r.clusters()
	}
	return err
}

// prepare checks the options and reads the columns.
func prepare(m topic.Documents, o Options) (*regression, error) {
	o.Interval = cmp.Or(o.Interval, 0.95)
	o.Threads = cmp.Or(max(0, o.Threads), runtime.GOMAXPROCS(0))
	var faults []error
	if !(o.Interval > 0 && o.Interval < 1) {
		faults = append(faults, fmt.Errorf("the interval is %v: it must lie between 0 and 1, such as 0.95", o.Interval))
	}
	if o.Draws < 0 || o.Draws == 1 || o.Draws > mostDraws {
		faults = append(faults,
			fmt.Errorf("the number of draws is %d: it must be 0, or between 2 and %d", o.Draws, mostDraws))
	}
	named := make([]bool, m.NumTopics())
	for _, k := range slices.Concat(append([][]int{o.Topics}, o.Sums...)...) {
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
	if slices.ContainsFunc(o.Sums, func(list []int) bool { return len(list) == 0 }) {
		faults = append(faults, errors.New("a sum of topics has no topic"))
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
	if r.design, err = newDesign(f, o.Columns, r.corpus.NumDocs(), o.Base, keep); err == nil {
		r.design.centre()
	}
	return r, err
}

// choose finds the places of the chosen topics.
func (r *regression) choose(m topic.Documents) {
	if r.options.Topics == nil && r.options.Sums == nil {
		for k := range m.NumTopics() {
			r.options.Topics = append(r.options.Topics, k)
		}
	}
	r.options.Topics = slices.Clone(r.options.Topics)
	for _, k := range r.options.Topics {
		r.parts = append(r.parts, []int{k})
	}
	for _, list := range r.options.Sums {
		r.parts, r.options.Topics = append(r.parts, list), append(r.options.Topics, list[0])
	}
	r.slots = slices.Repeat([]int32{-1}, m.NumTopics())
	for i, list := range r.parts {
		alpha := 0.0
		for _, k := range list {
			r.slots[k] = int32(i)
			alpha += m.Alpha()[k]
		}
		r.posterior.alpha = append(r.posterior.alpha, alpha)
	}
	for _, a := range m.Alpha() {
		r.posterior.total += a
	}
}

// result scales the fits back.
func (r *regression) result(ctx context.Context, fits []fit) (*Result, error) {
	x := r.design
	res := &Result{
		Formula: x.text, Names: x.names, Topics: r.options.Topics, Sums: r.parts, Docs: len(x.docs), Missing: x.missing,
		Interval: r.options.Interval,
		Cluster:  r.options.Cluster, Draws: r.options.Draws, design: x,
		Prior: r.prior, PriorFormula: r.priorFormula, Redrawn: r.redrawn, Training: r.training,
	}
	res.Origins = x.origins()
	res.Bases, res.With = x.about()
	if r.groups != nil {
		res.Clusters = r.groups.len()
	}
	for d := range r.corpus.NumDocs() {
		if len(r.corpus.Doc(d)) == 0 {
			res.Empty++
		}
	}
	for _, f := range fits {
		res.coefficients = append(res.coefficients, r.scale.back(f.b, x.intercept))
		res.covariances = append(res.covariances, r.scale.backCovariance(f.cov, x.intercept))
		if f.between != nil {
			res.between = append(res.between, r.scale.backCovariance(f.between, x.intercept))
		}
	}
	var err error
	if res.doubt, err = r.newDoubt(ctx); err != nil {
		return nil, err
	}
	free, err := res.doubt.ofCoefficients(ctx)
	if err != nil {
		return nil, err
	}
	p, far := len(x.names), reach(res.Interval, free)
	for k, b := range res.coefficients {
		effects := make([]Effect, p)
		for i := range b {
			if effects[i] = (Effect{math.NaN(), math.NaN(), math.NaN(), math.NaN(), 0}); !r.factored.aliased[i] {
				effects[i] = res.effect(k, unit(p, i), free[i], far[i])
			}
		}
		res.Effects = append(res.Effects, effects)
	}
	return res, nil
}

// effect makes an effect on a topic, given by its place, of a sum of coefficients with the factors c. Its interval
// reaches so many standard errors to each side.
func (r *Result) effect(k int, c []float64, free, far float64) Effect {
	e := Effect{dot(c, r.coefficients[k]), math.NaN(), math.NaN(), math.NaN(), free}
	if free == 0 {
		return e
	}
	variance := max(0, dot(c, times(r.covariances[k], c)))
	if r.between != nil && variance > 0 {
		e.Freedom = pooledFreedom(free, r.Draws, dot(c, times(r.between[k], c))/variance)
		far = portable.StudentQuantile(1-r.Interval, e.Freedom)
	}
	e.Error = math.Sqrt(variance)
	e.Low, e.High = e.Estimate-float64(far*e.Error), e.Estimate+float64(far*e.Error)
	return e
}

// pooledFreedom returns the degrees of freedom of a variance that is pooled over draws, of which a share is due to
// differences between them (Barnard and Rubin 1999).
func pooledFreedom(free float64, draws int, share float64) float64 {
	share = min(max(share, 0), 1)
	within := float64((free+1)/(free+3)*free) * max(1-share, 1e-9)
	return 1 / (float64(share*share)/float64(draws-1) + 1/within)
}
