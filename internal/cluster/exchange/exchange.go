// Package exchange gives the parts of a worker their model and others their changes: it is the hands of a
// protocol.Worker, which decides when each of the steps below happens.
//
//   - Take reads or draws the topics of a part (part.go).
//   - Fetch gets the version of the model that the next round sees, which is the one before the round less the
//     staleness. There are two ways. The rows n_wk of all words are in the worker's memory if they fit, and
//     everybody's changes bring them from version to version (whole.go, changes.go, fetch.go). Otherwise rows are
//     "apart": the owners of slices make them (owner.go), and they are fetched slice by slice, each slice while the
//     one before it is sampled (apart.go, feed.go, view.go).
//   - Sample moves the tokens of a part against that version and the part's own changes since (recent.go), and sends
//     what has changed to others (encode.go, writes.go).
//   - Save and Publish write what a meeting of all workers consists of (barrier.go; the first one begin.go).
//
// The store holds the same kinds of blobs in both ways, and the model has the same bytes.
package exchange

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/parallel"
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
