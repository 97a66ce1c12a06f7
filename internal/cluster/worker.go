package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/cluster/lead"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// WorkOptions say what a worker works with.
type WorkOptions struct {
	Job   *records.Job
	Plan  *sampler.Plan  // how the training documents are cut for the job's sampler
	Spans []sampler.Span // the job's parts

	// Frequencies says how often each word occurs in the training documents.
	Frequencies []uint64

	// Words returns the words of a part's tokens.
	Words func(part int) ([]uint32, error)

	// Passed is called when the words of a part are not needed for now. It may be nil.
	Passed func(part int)

	Name    string // for status: host and process
	Device  string // for status
	Threads int    // goroutines of this worker

	// Lead is called when this worker becomes the leader. It trains, with the
	// leader as its sampler, until training ends, ctx ends, or it is an error.
	Lead func(ctx context.Context, l *lead.Leader) error

	// Tell is called with what happens to the worker, in one line each, from any
	// goroutine. It may be nil.
	Tell func(text string)

	// Reports is called with the worker's numbers now and then, from any
	// goroutine. It may be nil.
	Reports func(protocol.Report)
}

// Work takes part in a job until its model is complete or ctx ends. A worker that
// was away for longer than its lease joins again. If the store has lost something,
// the error is Damage; Lost is what package mend wants to know then.
func Work(ctx context.Context, o WorkOptions) (Lost, error) {
	if len(o.Spans) != o.Job.Parts {
		return Lost{Job: o.Job}, fmt.Errorf("the job has %d parts and the corpus is cut into %d: run the same program everywhere", o.Job.Parts, len(o.Spans))
	}
	cut := rows.NewCut(o.Frequencies, o.Job.Topics, o.Job.Slices)
	var known *protocol.State // the last one seen, by this session or one before: the store may have lost it meanwhile
	for {
		s := newSession(o, cut)
		err := s.run(ctx)
		if state := s.lease.View().State; state != nil {
			known = state
		}
		if ctx.Err() != nil || !errors.Is(err, protocol.ErrLost) {
			return Lost{o.Job, known, s.lease.Mended}, err
		}
		o.tell("the lease ran out: joining again")
		now, err := o.Job.Again(ctx)
		switch {
		case err == nil:
			o.Job = now
		case errors.Is(err, protocol.ErrMissing):
			if err := o.vanished(ctx); !errors.Is(err, protocol.ErrLost) {
				return Lost{o.Job, known, s.lease.Mended}, err
			}
		default:
			return Lost{o.Job, known, s.lease.Mended}, err
		}
	}
}

func (o *WorkOptions) tell(format string, args ...any) {
	if o.Tell != nil {
		o.Tell(fmt.Sprintf(format, args...))
	}
}
