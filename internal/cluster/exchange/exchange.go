// Package exchange gives the parts of a worker their model and others their changes: it is the hands of a
// protocol.Worker, which decides when each of the steps below happens.
//
//   - Take reads or draws the topics of a part (part.go).
//   - Fetch gets the version of the model that the next round sees, which is the one before the round less the
//     staleness. There are two ways. The rows n_wk of all words are in the worker's memory if they fit, and
//     everybody's changes bring them from version to version (whole.go, fetch.go). Otherwise rows are "apart": the
//     owners of slices make them, and they are fetched slice by slice, each slice while the one before it is sampled
//     (apart.go).
//   - Sample moves the tokens of a part against that version and the part's own changes since, and sends what has
//     changed to others (core.go).
//   - Save and Publish write what a meeting of all workers consists of (barrier.go; the first one begin.go).
//
// The store holds the same kinds of blobs in both ways, and the model has the same bytes.
package exchange

import (
	"context"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Exchange implements protocol.Hands. Its methods belong to the goroutine that runs the worker; see core.
type Exchange struct {
	*core
	whole *wholeRows // nil where rows are apart
	apart *apartRows // nil unless rows are apart
}

var _ protocol.Hands = (*Exchange)(nil)

// New returns the exchange of a session that ends with ctx. Errors in the background end the session by cancel.
func New(ctx context.Context, cancel context.CancelCauseFunc, o Options) *Exchange {
	c := &core{o: o, ctx: ctx, cancel: cancel, tally: o.Tally, limit: make(chan struct{}, mostWrites)}
	if !o.Job.Apart {
		w := &wholeRows{core: c, own: map[int]map[int][][]byte{}, fetches: map[int]*fetch{}}
		return &Exchange{core: c, whole: w}
	}
	a := &apartRows{core: c, wrote: make(chan struct{}, 1), made: make([]madeSlice, o.Job.Slices)}
	a.makers.New = func() any { return new(sliceMaker) }
	return &Exchange{core: c, apart: a}
}

// Serve sets the worker that the exchange works for. It is called before all other methods.
func (x *Exchange) Serve(w *protocol.Worker) {
	x.worker = w
	x.noteProgress() // a leader without parts waits for nothing of its own
}

func (x *Exchange) Take(_ context.Context, p *protocol.Part, s *protocol.State) error {
	l, err := x.load(p, s)
	if err != nil {
		return err
	}
	x.parts = append(x.parts, l)
	slices.SortFunc(x.parts, func(a, b *localPart) int { return a.Number - b.Number })
	x.noteProgress()
	return nil
}

func (x *Exchange) Drop(p *protocol.Part) error {
	x.parts = slices.DeleteFunc(x.parts, func(l *localPart) bool { return l.Part == p })
	x.noteProgress()
	return nil
}

func (x *Exchange) Fetch(_ context.Context, s *protocol.State, version int) error {
	defer x.tally.awaits()
	if x.apart != nil {
		return x.apart.rowsAt(version)
	}
	return x.whole.modelAt(s, version)
}

// Sample implements protocol.Hands. It also sends the changes of the round to others.
func (x *Exchange) Sample(ctx context.Context, part *protocol.Part, s *protocol.State, round int) error {
	p := x.local(part)
	if x.o.Takes(p.Number, round) {
		if err := x.sampleRound(p, round, s); err != nil {
			return err
		}
		if err := x.Send(ctx, part); err != nil {
			return err
		}
	} else if err := x.skip(p, round); err != nil {
		return err
	}
	if x.noteProgress() >= round {
		x.tally.update(func(r *protocol.Report) { r.Rounds++ })
		if x.apart == nil {
			x.whole.prefetch(round)
		}
	}
	return nil
}

func (x *Exchange) Send(_ context.Context, part *protocol.Part) error {
	if x.apart != nil {
		return x.apart.send(x.local(part))
	}
	return x.whole.send(x.local(part))
}

// Owner returns the owner of the worker's slices, where rows are apart. It runs in a goroutine beside the worker's.
func (x *Exchange) Owner() *protocol.Owner {
	a := x.apart
	return &protocol.Owner{
		Worker: x.worker, Make: a.makeRows, Lose: a.loseSlice, Wrote: a.wrote,
		Each: func(n int, f func(i int)) {
			_ = parallel.Do(context.Background(), max(1, x.o.Threads), n, func(_, i int) { f(i) })
		},
	}
}

func (x *Exchange) local(p *protocol.Part) *localPart {
	return x.parts[slices.IndexFunc(x.parts, func(l *localPart) bool { return l.Part == p })]
}

func (x *Exchange) load(at *protocol.Part, state *protocol.State) (*localPart, error) {
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	j, span := x.o.Job, x.o.Spans[at.Number]
	words, err := x.o.Words(at.Number)
	if err != nil {
		return nil, err
	}
	part, err := x.o.Plan.NewPart(span, words)
	if err != nil {
		return nil, err
	}
	p := &localPart{Part: at, part: part, recentTo: -1}
	if !j.Apart {
		p.place = make([]uint32, j.Words)
		for i, w := range part.Words() {
			p.place[w] = uint32(i + 1)
		}
	}
	z, err := x.topicsAt(at.Number, state, words)
	if err != nil {
		return nil, err
	}
	if err := part.Start(z, x.priors(state, state.Iteration+1)); err != nil {
		return nil, err
	}
	if j.Apart {
		p.totals = p.tokenTotals(j.Topics)
	}
	if x.o.Passed != nil {
		x.o.Passed(at.Number)
	}
	return p, nil
}

func (x *Exchange) topicsAt(part int, state *protocol.State, words []uint32) ([]uint32, error) {
	j := x.o.Job
	key, round := j.BeginsWith(part, state)
	if key == "" {
		return sampler.FirstTopics(x.o.Plan.P, x.o.Spans[part].Begin, words), nil
	}
	b, err := j.ReadBlob(x.ctx, key)
	if err != nil {
		return nil, err
	}
	z := make([]uint32, len(words))
	if err := blob.DecodeTopics(z, b, j.PartID(part, round), j.Topics); err != nil {
		return nil, protocol.Damaged(key, err)
	}
	return z, nil
}

func (x *Exchange) skip(p *localPart, round int) error {
	j := x.o.Job
	if j.Staleness > 0 && p.recentTo == round-1 {
		p.next(j.Staleness, round, x.placed(p), j.Topics)
	}
	if p.Round, p.Sent = round, round; j.Apart { // others want to know n_k
		return x.put([]records.Write{j.TotalsWrite(p.Number, round, p.totals)}, x.reached(p, round))
	}
	return x.reached(p, round)()
}

func (x *Exchange) sampleRound(p *localPart, round int, state *protocol.State) error {
	sees, err := x.seenBy(p)
	if err != nil {
		return err
	}
	begin, step := time.Now(), x.o.Rounds.Step(round)
	if err := p.part.Round(x.ctx, step, sees, x.priors(state, step.Iteration)); err != nil {
		p.Round = protocol.Spoiled
		return err
	}
	p.Round = round
	x.tally.update(func(r *protocol.Report) {
		r.Sampling += time.Since(begin)
		r.Tokens += uint64(p.part.Span().Tokens() / x.o.Plan.Rounds(step.Iteration))
		r.Parts, r.Round = len(x.parts), round
	})
	return nil
}

func (x *Exchange) seenBy(p *localPart) (*sampler.Frozen, error) {
	if x.apart != nil {
		return x.apart.seenApart(p)
	}
	m := x.whole.model
	if x.o.Job.Staleness == 0 || m.Solo == p.Number {
		return m.Frozen(), nil
	}
	if err := x.recall(p); err != nil {
		return nil, err
	}
	if len(p.recent) == 0 {
		return m.Frozen(), nil
	}
	return rows.NewView(m, p.place, p.recent).Frozen(), nil
}
