package exchange

import (
	"cmp"
	"context"
	"math"
	"sort"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/parallel"
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

// core is common to both kinds of rows.
//
// Who may touch what: "the worker" below is the goroutine that runs protocol.Worker.Work, or another one while that
// waits for it: a sampler opens slices from a goroutine of its own. Owners of slices (see Exchange.Owner), writes in
// the background, fetches and coders run beside it.
type core struct {
	o      Options                 // never changes; its functions and the job may be used by any goroutine
	ctx    context.Context         // of the session
	cancel context.CancelCauseFunc // ends the session; any goroutine
	worker *protocol.Worker        // set by Serve before anything runs; Reach may be called by any goroutine
	tally  *Tally                  // any goroutine
	parts  []*localPart            // by number; the worker

	writes sync.WaitGroup // under way to the store; begun by the worker or its coders, awaited by the worker
	limit  chan struct{}  // has room for those that may be under way at once

	coders []*coder    // one per thread; the worker, and in share each goroutine its own
	merger rows.Merger // for rows that are published; the worker

	priorsOf      *protocol.Priors // those that are decoded; the worker
	decodedPriors *sampler.Priors  // read-only for samplers
}

// priors returns the priors of an iteration, decoded once.
func (x *core) priors(state *protocol.State, iteration int) *sampler.Priors {
	if of := state.PriorsOf(iteration); x.priorsOf != of {
		x.priorsOf, x.decodedPriors = of, of.Decode(x.o.Job.Topics)
		if groupsOf := x.o.Plan.P.GroupsOf; groupsOf != nil {
			x.decodedPriors.Groups = groupsOf(x.decodedPriors)
		}
	}
	return x.decodedPriors
}

// takers returns the parts that have something to do in a round. Any goroutine may call it.
func (x *core) takers(round int) (parts []int) {
	for part := range x.o.Job.Parts {
		if x.o.Takes(part, round) {
			parts = append(parts, part)
		}
	}
	return parts
}

// noteProgress notes and returns the last round whose changes all parts of this worker have sent. A worker without
// parts keeps nobody waiting: its round is the largest number.
func (x *core) noteProgress() (sent int) {
	sent = math.MaxInt
	for _, p := range x.parts {
		sent = min(sent, p.Sent)
	}
	x.o.Progress.Set(sent)
	return sent
}

// coder encodes, decodes and adds up changes in one goroutine.
type coder struct {
	encoder blob.Encoder
	merger  rows.Merger
	totals  []uint64 // K: changes of n_k; zero outside share
	spare   []int32  // K, for a row that is not wanted
}

// share calls work for the numbers below n, with one goroutine per thread of the worker. Then it adds the coders'
// totals to totals. After an error, totals are of no use.
func (x *core) share(n int, totals []uint64, work func(c *coder, i int) error) error {
	for len(x.coders) < max(1, x.o.Threads) {
		x.coders = append(x.coders, &coder{
			totals: make([]uint64, x.o.Job.Topics),
			spare:  make([]int32, x.o.Job.Topics),
		})
	}
	errs := make([]error, len(x.coders))
	_ = parallel.Do(context.Background(), len(x.coders), n, func(goroutine, i int) {
		if errs[goroutine] == nil {
			errs[goroutine] = work(x.coders[goroutine], i)
		}
	})
	for _, c := range x.coders { // all of them: none may keep anything for the next time
		counts.Add(totals, c.totals) // modulo 2^64: changes may be negative
		clear(c.totals)
	}
	return cmp.Or(errs...)
}

// encoding describes what else is done with the changes of a part's last round when they are encoded for others: going
// through them a second time would take as long again. Either model or count may be set.
type encoding struct {
	part  *localPart
	round int

	// model is the model of which the part is the solo one, or nil. Its dense rows get their changes, and the coder's
	// totals count these.
	model *rows.Model

	count   bool            // the coder's totals count all changes
	changes *rows.ChangeSet // gets the places of words in the blobs; may be nil
}

// encodeSlice encodes the changes of a part's last round in a slice.
func (x *core) encodeSlice(c *coder, how encoding, slice int) []byte {
	e, p := &c.encoder, how.part
	e.Begin(make([]byte, 0, p.size+p.size/8), x.o.Job.BlobID(blob.Changes, how.round, p.Number)(slice))
	words, begins := p.part.Words(), x.o.Cut.Begins[slice:slice+2]
	at := func(w int) int { return sort.Search(len(words), func(i int) bool { return int(words[i]) >= w }) }
	dense := func(w uint32) []int32 {
		if how.model == nil {
			return nil
		}
		return how.model.DenseRow(int(w), nil)
	}
	note := func(w uint32) {
		if how.changes != nil && len(how.changes.Places) > 0 {
			how.changes.Places[p.place[w]-1] = e.Place()
		}
	}
	p.part.ChangesByTopic(at(begins[0]), at(begins[1]), func(w uint32, changes []counts.Change) {
		e.Changes(w, changes)
		if row := dense(w); row != nil {
			rows.AddDense(row, changes, c.totals)
		} else if how.count {
			rows.AddTotals(c.totals, changes, 1)
		}
		note(w)
	}, func(w uint32, delta []int32) {
		row := dense(w)
		if how.count {
			row = c.spare // only the totals are wanted
		}
		e.ChangesByTopic(w, delta, row, c.totals)
		note(w)
	})
	return e.Finish()
}

// mostWrites bounds the writes that wait for the store.
const mostWrites = 4

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

// reached returns a function that notes that others have all that a part changed in a round.
func (x *core) reached(p *localPart, round int) func() error {
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

func (x *core) Flush(context.Context) error {
	begin := time.Now()
	x.writes.Wait()
	x.tally.spend(&x.tally.report.Waiting, begin)
	return context.Cause(x.ctx)
}

func (x *core) recall(p *localPart) error {
	if p.recentTo == p.Round {
		return nil
	}
	j := x.o.Job
	if err := x.Flush(x.ctx); err != nil { // some may be on their way
		return err
	}
	p.recent = nil
	for round := max(p.Round-j.Staleness, 0) + 1; round <= p.Round; round++ {
		changes := rows.NewChangeSet(x.placed(p), j.Topics)
		if x.o.Takes(p.Number, round) {
			blobs, err := j.GetChanges(x.ctx, round, p.Number)
			if err != nil {
				return err
			}
			fault := func(slice int, err error) error {
				return protocol.Damaged(j.Key.Changes(slice, round, p.Number), err)
			}
			if err := changes.Read(blobs, p.place, j.BlobID(blob.Changes, round, p.Number), fault); err != nil {
				return err
			}
		}
		p.recent = append(p.recent, changes)
	}
	p.recentTo = p.Round
	return nil
}

func (x *core) placed(p *localPart) int {
	if x.o.Job.Apart {
		return 0
	}
	return len(p.part.Words())
}
