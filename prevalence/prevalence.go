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
	"context"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/doctopics"
)

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
