package sampler

import (
	"context"
	"sync"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Part is a run of whole blocks of a corpus that is sampled against counts kept elsewhere: in another process, in a
// file, on another machine. Its state is the topics of its own tokens. A round needs n_k and the rows n_wk of the
// part's own words, and gives new topics; nothing else passes between parts. Its random numbers are those that its
// tokens have in the whole corpus, so cutting a corpus never changes a result: rounds in which all parts see the same
// counts give, part by part, the topics of Sampler.Sweep.
//
// Its methods are grouped by caller. They are for one goroutine at a time, unless they say
// otherwise; Round uses Problem.Threads goroutines itself.
type Part struct {
	PartRounds  // for the loop that samples
	PartChanges // for the exchange of a round's changes
	PartTopics  // for storing the state
	PartDocs    // for estimating priors
}

// joined connects a kernel, which numbers the part's own words, to the corpus.
type joined struct {
	plan   *Plan
	span   Span
	words  []uint32 // distinct, increasing
	kernel Kernel
	can    KernelCapabilities
	rounds int       // since Start
	nets   sync.Pool // of *Net
}

// newPart returns a part that has no kernel yet.
func newPart() *Part {
	j := &joined{}
	return &Part{PartRounds{j}, PartChanges{j}, PartTopics{j}, PartDocs{j}}
}

// PartRounds has the methods of the loop that samples a part.
type PartRounds struct{ *joined }

// Span returns the documents, tokens and blocks of the part.
func (t PartRounds) Span() Span { return t.span }

// Words returns the distinct words of the part in increasing order. The slice belongs to the part.
func (t PartRounds) Words() []uint32 { return t.words }

// Start sets the state to z, the topics of the part's tokens in corpus order. If z is nil it sets
// the topics with which the sampler begins, or topics of the documents' groups if these may not have all.
func (t PartRounds) Start(z []uint32, priors *Priors) error {
	if t.rounds = 0; z == nil && t.plan.P.Few {
		z = StartInGroups(t.plan.P, t.span.FirstDoc, t.span.LastDoc, priors.Groups)
	}
	return t.kernel.Start(z, priors)
}

// Round resamples once those of the part's tokens that are in the round (see Plan.Takes). model
// must contain the current topics of the part's tokens. Rounds come in order; one may be repeated
// after Start with the topics before it. If ctx ends inside, some topics are old and some new.
func (t PartRounds) Round(ctx context.Context, at Step, model *Frozen, priors *Priors) error {
	t.rounds++
	first, last := t.plan.Docs(t.span, at)
	return t.kernel.Round(ctx, at.Iteration, first-t.span.FirstDoc, last-t.span.FirstDoc, model.local(t.words), priors)
}

// PartChanges has the methods that return the changes of the last round.
type PartChanges struct{ *joined }

// Changes calls f for the words numbered lo … hi-1 in Words that the last Round changed, in
// increasing order. changes is what to add to n_wk: topics in increasing order, no zeros. It is
// valid until f returns. Several goroutines may ask for different words at the same time.
func (t PartChanges) Changes(lo, hi int, f func(w uint32, changes []counts.Change)) {
	t.ChangesByTopic(lo, hi, f, nil)
}

// ChangesByTopic is Changes that calls all instead of some for words with many changes. delta is
// what to add to n_wk by topic: K numbers, zeros included.
func (t PartChanges) ChangesByTopic(lo, hi int, some func(w uint32, changes []counts.Change),
	all func(w uint32, delta []int32),
) {
	if t.plan.forget {
		panic("sampler: the part was to forget its changes")
	}
	if t.rounds == 0 {
		return
	}
	net, ok := t.nets.Get().(*Net)
	if !ok {
		net = newNet(t.plan.P.K)
	}
	defer t.nets.Put(net)
	near := lo
	for w := lo; w < hi; w++ {
		if t.can.BringNear != nil && w >= near {
			near = t.can.BringNear(w)
		}
		t.kernel.AddMoves(w, net)
		net.give(t.words[w], some, all)
	}
}

// TokenTotals sets totals (K) to n_k of the part's own tokens. It returns false if the sampler does
// not count them in its rounds.
func (t PartChanges) TokenTotals(totals []uint64) bool {
	return t.can.TokenTotals != nil && t.can.TokenTotals(totals)
}

// PartTopics has the methods that read and restore the state of a part.
type PartTopics struct{ *joined }

// Topics copies the current topics into z, one per token of the part in corpus order.
func (t PartTopics) Topics(z []uint32) { t.kernel.Topics(z) }

// EachTopics calls f with the current topics, run after run in corpus order. It takes little memory
// where the sampler keeps topics in another order. A run is valid until f returns.
func (t PartTopics) EachTopics(f func(z []uint32) error) error {
	if t.can.EachTopics != nil {
		return t.can.EachTopics(f)
	}
	z := make([]uint32, t.span.Tokens())
	t.kernel.Topics(z)
	return f(z)
}

// NarrowTopics is Topics for topics of 16 bits. It returns false, and does nothing, if the sampler cannot.
func (t PartTopics) NarrowTopics(z []uint16) (bool, error) {
	if t.can.NarrowTopics == nil {
		return false, nil
	}
	return t.can.NarrowTopics(z)
}

// Memory returns the memory of the state. To bring a state back, on the same kind of machine, copy
// its bytes there after Start or in place of it, and call Restore.
func (t PartTopics) Memory() []byte { return t.kernel.Memory() }

// Restore must be called after Memory was overwritten with the state after the given iteration. The
// next Round must use the α of that iteration. With iteration 0 it may use any α, and takes longer.
func (t PartTopics) Restore(iteration int) {
	t.rounds = 0
	t.kernel.Restore(iteration)
}

// PartDocs has the method that counts the part's documents.
type PartDocs struct{ *joined }

// AddDocs adds the part's documents to h.DocLengths and h.Topic, which has K rows. With many topics
// it reuses memory that Changes needs: call Changes first.
func (t PartDocs) AddDocs(h *counts.Histograms) { h.Add(t.kernel.Documents()) }

// NewPart returns a part; words are those of its tokens.
func (l *Plan) NewPart(s Span, words []uint32) (*Part, error) {
	layout, err := l.NewLayout(s, words)
	if err != nil {
		return nil, err
	}
	return l.NewPartOf(s, layout, nil), nil
}

// NewPartOf returns a part with the given layout, which must not change while the part is used. It reuses the memory
// of instead, another part of this plan, unless that is nil; instead must not be used any more.
func (l *Plan) NewPartOf(s Span, layout *Layout, instead *Part) *Part {
	t := instead
	if t == nil {
		t = newPart()
	}
	j := t.PartRounds.joined
	j.plan, j.span, j.words, j.rounds = l, s, layout.words, 0
	if l.On != nil {
		j.kernel = l.On.Kernel(l.Problem(s, layout))
	} else {
		j.kernel = l.info.Cutting.Kernel(l.Problem(s, layout), j.kernel)
	}
	j.can = j.kernel.Capabilities()
	return t
}
