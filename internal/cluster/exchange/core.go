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

// noteProgress notes and returns the last round that all parts of this worker have told of.
func (x *core) noteProgress() (told int) {
	told = math.MaxInt
	for _, p := range x.parts {
		told = min(told, p.Told)
	}
	x.o.Progress.Set(told)
	return told
}
