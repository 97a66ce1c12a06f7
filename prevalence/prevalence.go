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
// An interval shows how the share would vary if documents were drawn again. In each replicate, every
// document counts a number of times that is Poisson with mean 1 (the bootstrap of Efron 1979 in the form of
// Hanley and MacGibbon, "Creating non-parametric bootstrap samples using Poisson frequencies", 2006). The
// interval lies between the quantiles (1−c)/2 and (1+c)/2 of the replicates' shares. Topics are taken as
// given: the interval shows what another sample of documents might give, not what another training of the
// model might give. A group of one document has no interval.
//
// How often a document counts depends only on the seed, its number and the replicate's number, and sums are
// of integers, so results are the same bits for any number of threads.
package prevalence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/human"
)

// Model is a model with its training documents. *topoi.Model implements it.
type Model interface {
	NumTopics() int
	Docs() (*corpus.Corpus, error)                  // the training documents
	AppendTopics(dst []uint32, lo, hi int) []uint32 // topics of the training tokens lo, …, hi-1
}

// By says by what documents are grouped: names of columns, separated by commas. A column of dates is cut
// into periods, and so are the documents' times with "time" or with the name of bins such as "year".
type By string

// What documents are grouped by.
const (
	Label        By = "label"      // their labels
	Time         By = "time"       // their times, in bins
	LabelAndTime By = "label,time" // both
)

// Options say what to compute. The zero value groups by label.
type Options struct {
	By        By        // default Label
	Bins      Bins      // default: chosen to fit the times
	DateOrder DateOrder // order in dates such as 3/5/2024. Default: that of the other dates, if they agree
	Labels    []string  // the groups to compute, in this order. Default: all, in bytewise order
	Topics    []int     // default: all

	// Difference adds share(Labels[0]) − share(Labels[1]). There must be two labels.
	Difference bool

	Interval   float64 // c, the share of replicates inside an interval, below 1. Default 0.9; negative: no intervals
	Replicates int     // default 1000
	Seed       uint64  // of the replicates
	Threads    int     // goroutines; never changes the result. Default: all cores

	Progress func(done, total int64) // called with the progress; may be nil
}

// The limits of options.
const (
	mostReplicates = 1 << 18
	mostShares     = 1 << 24 // groups × periods × topics
)

// withDefaults fills in what was left out.
func (o Options) withDefaults(topics int) Options {
	o.By = cmp.Or(o.By, Label)
	o.Interval = cmp.Or(o.Interval, 0.9)
	o.Replicates = cmp.Or(o.Replicates, 1000)
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Topics == nil {
		for k := range topics {
			o.Topics = append(o.Topics, k)
		}
	}
	return o
}

// Validate returns all faults of the options at once, or nil.
func (o Options) Validate() error {
	return errors.Join(
		o.Bins.Validate(),
		human.FaultIf(o.DateOrder != "" && o.DateOrder != MonthFirst && o.DateOrder != DayFirst,
			"unknown order of dates %q: it is %s or %s", string(o.DateOrder), MonthFirst, DayFirst),
		human.FaultIf(!(o.Interval < 1), "the interval is %v: it must be below 1, such as 0.9", o.Interval),
		human.FaultIf(o.Replicates < 0 || o.Replicates > mostReplicates,
			"the number of replicates is %d: it must be between 1 and %d", o.Replicates, mostReplicates),
		human.FaultIf(o.Difference && (len(o.Labels) != 2 || o.By == Time || o.Labels[0] == o.Labels[1]),
			"a difference is between two groups: name two different labels, and group by label"),
	)
}

// Share is the share of one topic in a group, in a period, or in both.
type Share struct {
	Tokens uint64  // Σ_d n_dk
	Share  float64 // share of the group's tokens; NaN if it has none
	Low    float64 // the interval's ends; NaN if there is none
	High   float64
}

// Change is the share in one group minus that in another.
type Change struct {
	Difference float64 // NaN if a group has no tokens
	Low        float64 // the interval's ends; NaN if there is none
	High       float64
}

// Difference is the difference between two groups, over all time or in a period.
type Difference struct {
	Period  *Period  // nil if documents are not grouped by time
	Changes []Change // one for each of Result.Topics
}

// Result holds the shares of topics.
type Result struct {
	*Grouping
	Topics      []int
	Shares      [][]Share    // of each cell and topic
	Differences []Difference // empty unless requested
	Interval    float64      // c; 0 if there are no intervals
	Replicates  int
	Seed        uint64
}

// Compute computes the shares of topics. It reads the training documents once for the shares, and once more
// for every 256 MB of replicates. Memory is 12 bytes a document, 32 a share and those 256 MB.
func Compute(ctx context.Context, m Model, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults(m.NumTopics())
	for _, k := range o.Topics {
		if k < 0 || k >= m.NumTopics() {
			return nil, fmt.Errorf("there is no topic %d: the model has %d, counted from 0", k, m.NumTopics())
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
		return nil, fmt.Errorf("%d groups and periods of %d topics make more rows than the %d that can be shown: choose fewer topics or labels, or longer bins",
			len(g.Cells), len(o.Topics), mostShares)
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

// job is one call of Compute.
type job struct {
	model   Model
	docs    *corpus.Corpus
	options Options
	slots   []int32 // K: the place of a topic in Options.Topics, or −1
	result  *Result
}

func newJob(m Model, docs *corpus.Corpus, g *Grouping, o Options) *job {
	j := &job{model: m, docs: docs, options: o, slots: make([]int32, m.NumTopics())}
	for k := range j.slots {
		j.slots[k] = -1
	}
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
