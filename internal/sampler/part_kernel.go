package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Part is a run of whole blocks of a corpus, sampled against counts that are
// kept elsewhere: in another process, in a file, on another machine. Its state
// is the topics of its own tokens. For one round it needs the rows n_w of its
// own words and n_k, and what comes out are new topics; nothing else passes
// between parts. Its random numbers are those its tokens have in the whole
// corpus, so cutting a corpus never changes a result: rounds in which all parts
// see the same counts give, part by part, the topics of Sampler.Sweep.
//
// Its methods are grouped by who calls them. They are for one goroutine at a time, unless they say
// otherwise; Round uses Problem.Threads goroutines itself.
type Part struct {
	PartRounds  // for the loop that samples
	PartChanges // for who tells others what a round changed
	PartTopics  // for who keeps the state
	PartDocs    // for who estimates priors
}

// joined is a kernel, which numbers the part's own words, joined to the corpus.
type joined struct {
	plan   *Plan
	span   Span
	words  []uint32 // distinct, increasing
	kernel Kernel
	can    KernelCapabilities
	rounds int // since Start
	nets   netPool
}

// newPart returns a part without a kernel.
func newPart() *Part {
	j := &joined{}
	return &Part{PartRounds{j}, PartChanges{j}, PartTopics{j}, PartDocs{j}}
}

// PartRounds are what the loop that samples a part calls.
type PartRounds struct{ *joined }

// Span returns where in the corpus the part lies.
func (t PartRounds) Span() Span { return t.span }

// Words returns the distinct words of the part in increasing order. The slice belongs to the part.
func (t PartRounds) Words() []uint32 { return t.words }

// Start sets the state: to z, the topics of the part's tokens in corpus
// order, or to those with which the sampler would start when z is nil.
func (t PartRounds) Start(z []uint32, priors *Priors) error {
	t.rounds = 0
	return t.kernel.Start(z, priors)
}

// Round resamples once those of the part's tokens that are in the round
// (see Plan.Takes), against model, which must count the part's tokens as
// they are. Rounds come in order; one may be repeated after Start with the
// topics before it. When ctx ends inside, the topics are left half-way.
func (t PartRounds) Round(ctx context.Context, at Step, model *Frozen, priors *Priors) error {
	t.rounds++
	first, last := t.plan.Docs(t.span, at)
	return t.kernel.Round(ctx, at.Iteration, first-t.span.FirstDoc, last-t.span.FirstDoc, model.local(t.words), priors)
}

// PartChanges are what the last round of a part changed.
type PartChanges struct{ *joined }

// Changes calls f for the words numbered lo … hi-1 in Words that the last
// Round changed, in increasing order, with what is to be added to n_wk:
// topics in increasing order, no zeros. The slice is valid until f returns.
// Several goroutines may ask for different words at the same time.
func (t PartChanges) Changes(lo, hi int, f func(w uint32, changes []counts.Change)) {
	t.ChangesByTopic(lo, hi, f, nil)
}

// ChangesByTopic is Changes that calls all instead of some, where it is as quick
// for it, with what is to be added by topic: K numbers, among them zeros.
func (t PartChanges) ChangesByTopic(lo, hi int, some func(w uint32, changes []counts.Change), all func(w uint32, delta []int32)) {
	if t.plan.forget {
		panic("sampler: the part was to forget its changes")
	}
	if t.rounds == 0 {
		return
	}
	net := t.nets.get(t.plan.P.K)
	defer t.nets.put(net)
	near := lo
	for w := lo; w < hi; w++ {
		if t.can.BringNear != nil && w >= near {
			near = t.can.BringNear(w)
		}
		t.kernel.AddMoves(w, net)
		net.give(t.words[w], some, all)
	}
}

// TokenTotals sets totals (K) to n_k of the part's own tokens, and reports whether it could: not
// every sampler counts them in its rounds.
func (t PartChanges) TokenTotals(totals []uint64) bool {
	return t.can.TokenTotals != nil && t.can.TokenTotals(totals)
}

// PartTopics are the state of a part.
type PartTopics struct{ *joined }

// Topics copies the current topics into z, one per token of the part in corpus order.
func (t PartTopics) Topics(z []uint32) { t.kernel.Topics(z) }

// EachTopics calls f with the current topics, run after run in corpus order, in little memory where the
// sampler has them in an order of its own. A run is valid until f returns.
func (t PartTopics) EachTopics(f func(z []uint32) error) error {
	if t.can.EachTopics != nil {
		return t.can.EachTopics(f)
	}
	z := make([]uint32, t.span.Tokens())
	t.kernel.Topics(z)
	return f(z)
}

// NarrowTopics is Topics for topics of 16 bits. It reports whether it could; else nothing was done.
func (t PartTopics) NarrowTopics(z []uint16) (bool, error) {
	if t.can.NarrowTopics == nil {
		return false, nil
	}
	return t.can.NarrowTopics(z)
}

// Memory returns where the state is: a copy of these bytes, put back there on the
// same kind of machine after Start or in place of it, and Restore bring the
// state back.
func (t PartTopics) Memory() []byte { return t.kernel.Memory() }

// Restore is told that Memory holds a state again, that after the given
// iteration. The next Round must have the α of that iteration; with iteration
// 0 it may have any, and takes longer.
func (t PartTopics) Restore(iteration int) {
	t.rounds = 0
	t.kernel.Restore(iteration)
}

// PartDocs are counts of the part's documents.
type PartDocs struct{ *joined }

// AddDocs adds the part's documents to h.DocLengths and h.Topic, which has
// K rows. With many topics that takes memory, for which what Changes needs is given up: it must have
// been asked before.
func (t PartDocs) AddDocs(h *counts.Histograms) { h.Add(t.kernel.Documents()) }
