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
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Options say what a worker's parts are made of.
type Options struct {
	records.Task
	Threads  int // goroutines of this worker
	Tally    *Tally
	Progress *records.Progress // how far this worker is

	Words  func(part int) ([]uint32, error) // the words of a part's tokens
	Passed func(part int)                   // called when these are not needed for now; may be nil
}

// Exchange implements protocol.Hands.
type Exchange struct {
	*core
	whole *wholeRows
	apart *apartRows // nil unless rows are apart
}

var _ protocol.Hands = (*Exchange)(nil)

// core is common to both kinds of rows.
type core struct {
	o      Options
	ctx    context.Context // of the session
	cancel context.CancelCauseFunc
	worker *protocol.Worker
	tally  *Tally
	parts  []*held

	writes sync.WaitGroup // under way to the store
	limit  chan struct{}  // of as many as may be

	coders []*coder    // one per thread
	merger rows.Merger // for rows that are published

	priorsOf      *protocol.Priors
	decodedPriors *sampler.Priors
}

// wholeRows are the rows of all words in this worker's memory.
type wholeRows struct {
	*core
	model   *rows.Model              // nil before the first round
	own     map[int]map[int][][]byte // by round and part: blobs of this worker's own changes, by slice
	fetches map[int]*fetch           // by round: changes of others
}

// apartRows are rows that come slice by slice.
type apartRows struct {
	*core
	feed  *feed         // of the rows that parts see
	wrote chan struct{} // 1: changes of a slice have been written

	kept  []keptSlice // by slice
	rooms sync.Pool   // of *room
}

// mostWrites bounds the writes that wait for the store.
const mostWrites = 4

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

// Take implements protocol.Hands.
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

// Drop implements protocol.Hands.
func (x *Exchange) Drop(p *protocol.Part) error {
	x.parts = slices.DeleteFunc(x.parts, func(h *held) bool { return h.Part == p })
	x.noteProgress()
	return nil
}

// Fetch implements protocol.Hands.
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

// heldOf returns the tokens of a part.
func (x *Exchange) heldOf(p *protocol.Part) *held {
	return x.parts[slices.IndexFunc(x.parts, func(h *held) bool { return h.Part == p })]
}

// Save implements protocol.Hands.
func (x *Exchange) Save(_ context.Context, part *protocol.Part, s *protocol.State, round int) error {
	j, p := x.o.Job, x.heldOf(part)
	begin := time.Now()
	x.noteProgress() // at the beginning a part has told of everything without a round
	if s.Round < 0 {
		if err := x.tellFirst(p, round); err != nil {
			return err
		}
	}
	var writes []records.Write
	if s.Histograms {
		docs := &counts.Histograms{Topic: make([][]uint32, j.Topics)}
		p.part.AddDocs(docs)
		b := blob.EncodeHistograms(j.PartID(p.Number, round), docs)
		writes = append(writes, records.Write{Key: j.Key.Histograms(p.Number, round), Round: round, Blob: b})
	}
	x.tally.spend(&x.tally.report.Coding, begin)
	if !s.Brief {
		topics, err := x.topics(p, round, s.Round >= 0)
		if err != nil {
			return err
		}
		writes = append(topics, writes...)
	}
	return x.put(writes, nil)
}

// topics writes the topics of a part to a file, or returns what is to be put into the store. All threads copy narrow
// topics of a part that has been sampled.
func (x *core) topics(p *held, round int, sampled bool) ([]records.Write, error) {
	j, n, key := x.o.Job, p.part.Span().Tokens(), x.o.Job.TopicsKey(p.Number, round)
	if sampled && j.Topics <= 1<<16 && !protocol.IsFile(key) {
		b, err := blob.EncodeNarrowTopics(j.PartID(p.Number, round), n, p.part.NarrowTopics)
		if err != nil || b != nil {
			return []records.Write{{Key: key, Round: round, Blob: b}}, err
		}
	}
	return j.SaveTopics(p.Number, round, key, n, p.part.EachTopics)
}

// Wrote returns a channel that gets a value when changes have been written. It exists where rows are apart.
func (x *Exchange) Wrote() <-chan struct{} { return x.apart.wrote }

// priors returns the priors of an iteration, decoded once.
func (x *core) priors(state *protocol.State, iteration int) *sampler.Priors {
	if of := state.PriorsOf(iteration); x.priorsOf != of {
		x.priorsOf, x.decodedPriors = of, of.Decode(x.o.Job.Topics)
	}
	return x.decodedPriors
}

// put writes blobs beside the work, and calls done, unless it is nil, when they are written.
func (x *core) put(writes []records.Write, done func() error) error {
	return x.background(func() error {
		err := x.o.Job.Put(x.ctx, writes)
		if err == nil && done != nil {
			err = done()
		}
		return err
	})
}

// reached returns a function that notes that a part has told of a round.
func (x *core) reached(p *held, round int) func() error {
	return func() error { return x.worker.Reach(x.ctx, "r", p.Number, "p", round) }
}

// background runs a write beside the work. Its error ends the session.
func (x *core) background(write func() error) error {
	begin := time.Now()
	select {
	case x.limit <- struct{}{}:
	case <-x.ctx.Done():
		return context.Cause(x.ctx)
	}
	x.tally.spend(&x.tally.report.Waiting, begin)
	x.writes.Go(func() {
		defer func() { <-x.limit }()
		if err := guard.Try(write); err != nil {
			x.cancel(err)
		}
	})
	return nil
}

// Flush implements protocol.Hands.
func (x *core) Flush(context.Context) error {
	begin := time.Now()
	x.writes.Wait()
	x.tally.spend(&x.tally.report.Waiting, begin)
	return context.Cause(x.ctx)
}
