// Package exchange gives the parts of a worker their model and others their changes: it is the hands of a
// protocol.Worker. A version of the rows is fetched before a round, the changes of the round are published, and at a
// barrier rows and topics are written.
//
// The rows n_wk of all words are in the worker's memory if they fit, and everybody's changes bring them from version
// to version (wholeRows). Otherwise they are fetched slice by slice from the owners of the slices, each slice while
// the one before it is sampled (apartRows). The store holds the same kinds of blobs in both cases.
package exchange

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// Exchange implements protocol.Hands.
type Exchange struct {
	*core
	whole *wholeRows
	apart *apartRows // nil unless rows are apart
}

var _ protocol.Hands = (*Exchange)(nil)

// New returns the exchange of a session that ends with ctx. Errors in the background end the session by cancel.
func New(ctx context.Context, cancel context.CancelCauseFunc, o Options) *Exchange {
	c := &core{o: o, ctx: ctx, cancel: cancel, tally: o.Tally, limit: make(chan struct{}, mostWrites)}
	x := &Exchange{core: c, whole: &wholeRows{core: c, own: map[int]map[int][][]byte{}, fetches: map[int]*fetch{}}}
	if o.Job.Apart {
		x.apart = &apartRows{core: c, wrote: make(chan struct{}, 1), kept: make([]keptSlice, o.Job.Slices)}
		x.apart.rooms.New = func() any { return new(room) }
	}
	return x
}

// Serve sets the worker that the exchange works for. It is called before all other methods.
func (x *Exchange) Serve(w *protocol.Worker) {
	x.worker = w
	x.noteProgress() // a leader without parts waits for nothing of its own
}

func (x *Exchange) Take(_ context.Context, p *protocol.Part, s *protocol.State) error {
	h, err := x.hold(p, s)
	if err != nil {
		return err
	}
	x.parts = append(x.parts, h)
	slices.SortFunc(x.parts, func(a, b *held) int { return a.Number - b.Number })
	x.noteProgress()
	return nil
}

func (x *Exchange) Drop(p *protocol.Part) error {
	x.parts = slices.DeleteFunc(x.parts, func(h *held) bool { return h.Part == p })
	x.noteProgress()
	return nil
}

func (x *Exchange) Fetch(_ context.Context, s *protocol.State, version int) error {
	defer x.tally.await()
	if x.apart != nil {
		return x.apart.rowsAt(version)
	}
	return x.whole.modelAt(s, version)
}

// Sample implements protocol.Hands. It also sends the changes of the round to others.
func (x *Exchange) Sample(ctx context.Context, part *protocol.Part, s *protocol.State, round int) error {
	p := x.heldOf(part)
	if x.o.Takes(p.Number, round) {
		if err := x.sampleRound(p, round, s); err != nil {
			return err
		}
		if err := x.Tell(ctx, part); err != nil {
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

func (x *Exchange) Tell(_ context.Context, part *protocol.Part) error {
	if x.apart != nil {
		return x.apart.tell(x.heldOf(part))
	}
	return x.whole.tell(x.heldOf(part))
}

// Owner returns the owner of the worker's slices, where rows are apart.
func (x *Exchange) Owner() *protocol.Owner {
	a := x.apart
	return &protocol.Owner{
		Worker: x.worker, Make: a.make, Lose: a.lose, Wrote: a.wrote,
		Each: func(n int, f func(i int)) {
			_ = parallel.Do(context.Background(), max(1, x.o.Threads), n, func(_, i int) { f(i) })
		},
	}
}
