package exchange

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
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

// core is common to both kinds of rows.
type core struct {
	o      Options
	ctx    context.Context // of the session
	cancel context.CancelCauseFunc
	worker *protocol.Worker
	tally  *Tally
	parts  []*held

	writes sync.WaitGroup // under way to the store
	limit  chan struct{}  // has room for those that may be under way at once

	coders []*coder    // one per thread
	merger rows.Merger // for rows that are published

	priorsOf      *protocol.Priors
	decodedPriors *sampler.Priors
}

// mostWrites bounds the writes that wait for the store.
const mostWrites = 4

// coder encodes, decodes and adds up changes in one goroutine.
type coder struct {
	encoder blob.Encoder
	merger  rows.Merger
	totals  []uint64 // K: changes of n_k, zero at rest
	spare   []int32  // K, for a row that is not wanted
}

// held is a part that a worker has.
type held struct {
	*protocol.Part
	part   *sampler.Part
	place  []uint32 // V: 1 + the number of a word in the part, 0 for others; nil where rows are apart
	totals []uint64 // K: n_k of its own tokens; nil unless rows are apart

	// recent has the part's changes of the last rounds, oldest first: as many rounds as the staleness, or fewer at
	// the beginning. It is not needed while the model is ahead with the part.
	recent   []*rows.Own
	recentTo int // the last round in recent, -1 for none

	size int // bytes of the largest blob of changes in the last round
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

func (x *core) Flush(context.Context) error {
	begin := time.Now()
	x.writes.Wait()
	x.tally.spend(&x.tally.report.Waiting, begin)
	return context.Cause(x.ctx)
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

// fetch gets the changes that other workers make in a round, while this worker samples.
type fetch struct {
	parts []int      // whose changes
	blobs [][][]byte // by place in parts, by slice
	done  chan struct{}
	err   error // after done

	awaited atomic.Pointer[[]string] // parts whose changes have not come: p7
}

// startFetch begins to fetch the changes of some parts in a round. They may not be there yet.
func startFetch(ctx context.Context, j *records.Job, round int, parts []int) *fetch {
	f := &fetch{parts: parts, blobs: make([][][]byte, len(parts)), done: make(chan struct{})}
	guard.Go(func() {
		defer close(f.done)
		f.err = guard.Try(func() error { return f.run(ctx, j, round) })
	})
	return f
}

// run fetches until nothing is missing. A part writes its last slice last, so run asks for that one first.
func (f *fetch) run(ctx context.Context, j *records.Job, round int) error {
	last := func(part int) string { return j.Key.Changes(j.Slices-1, round, part) }
	for pause := protocol.PauseBy(protocol.Wall); ; {
		var names, awaited []string
		for place, part := range f.parts {
			if f.blobs[place] == nil {
				names, awaited = append(names, last(part)), append(awaited, "p"+strconv.Itoa(part))
			}
		}
		if len(names) == 0 {
			return nil
		}
		f.awaited.Store(&awaited)
		absent, err := j.Store.Missing(ctx, names...)
		for place, part := range f.parts {
			if f.blobs[place] != nil || err != nil || slices.Contains(absent, last(part)) {
				continue
			}
			if f.blobs[place], err = j.GetChanges(ctx, round, part); errors.Is(err, protocol.ErrMissing) {
				f.blobs[place], err = nil, nil // not all are there
			}
		}
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(f.blobs, func(b [][]byte) bool { return b == nil }) {
			return nil
		}
		if err := pause.Wait(ctx); err != nil {
			return err
		}
	}
}
