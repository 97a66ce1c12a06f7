package exchange

import (
	"context"
	"math"
	"sync"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
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
