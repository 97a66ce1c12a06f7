package records

import (
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Task is a job with the cut of its corpus.
type Task struct {
	Job    *Job
	Plan   *sampler.Plan    // how the training documents are cut for the job's sampler
	Spans  []sampler.Span   // the job's parts
	Cut    *rows.Cut        // the job's slices
	Rounds *protocol.Rounds // the job's rounds

	// Takes reports whether a part has something to do in a round. Any goroutine may ask.
	Takes func(part, round int) bool
}

// NewTask returns the task of a job whose words have the given frequencies.
func NewTask(j *Job, plan *sampler.Plan, spans []sampler.Span, frequencies []uint64) Task {
	cut := rows.NewCut(frequencies, j.Topics, j.Slices)
	t := Task{Job: j, Plan: plan, Spans: spans, Cut: cut, Rounds: &protocol.Rounds{Plan: plan}}
	t.Takes = func(part, round int) bool { return plan.Takes(spans[part], t.Rounds.Step(round)) }
	return t
}
