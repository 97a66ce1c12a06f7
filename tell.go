package topoi

import (
	"cmp"
	"time"

	"github.com/topoi-lda/topoi/internal/training"
)

// The functions of this file tell Options.Events what happens.

func (r *run) phase(name string, done, total int64) {
	if r.opts.Events.Phase != nil {
		r.opts.Events.Phase(PhaseInfo{Name: name, Done: done, Total: total})
	}
}

func (r *run) tellStart() {
	if r.opts.Events.Start == nil {
		return
	}
	info := StartInfo{
		Sampler: r.record.Sampler, Reason: r.chosen.Reason, Device: r.engine.Place(), Threads: r.opts.Threads,
		Docs: r.docs.NumDocs(), Words: r.corpus.NumWords(), Tokens: r.docs.NumTokens(),
		Topics: r.opts.Topics, Iteration: r.iteration, Iterations: r.opts.Iterations,
		NotRepeatable: r.record.Device != "", MemoryLimit: r.memoryLimit,
	}
	if r.heldout != nil {
		info.HeldOut = r.heldout.NumDocs()
	}
	if r.opts.Start != nil && r.iteration == r.opts.Start.Iteration {
		info.Iteration = 0 // it goes on from a state that was given, not from a run that was stopped
	}
	r.opts.Events.Start(info)
}

// tellIteration reports a sweep that took the given time, scored or not.
func (r *run) tellIteration(took time.Duration, score *Score) {
	if r.opts.Events.Iteration == nil {
		return
	}
	r.opts.Events.Iteration(IterationInfo{
		Iteration: r.iteration, Iterations: r.opts.Iterations,
		Elapsed: time.Since(r.began), Training: r.training,
		TokensPerSecond: float64(r.docs.NumTokens()) / max(took.Seconds(), 1e-9),
		Score:           score,
	})
}

func (r *run) tellCheckpoint(w *training.Writing) {
	if r.opts.Events.Checkpoint != nil {
		r.opts.Events.Checkpoint(CheckpointInfo{Iteration: w.Iteration, Path: r.opts.Checkpoint, Bytes: w.Size, Took: w.Took})
	}
}

func (r *run) tellDone() {
	if r.opts.Events.Done == nil {
		return
	}
	info := DoneInfo{
		Iteration: r.iteration, Reason: r.stopped, Elapsed: time.Since(r.began), Training: r.training,
		Starting: r.starting, Scoring: r.scoring, Saving: r.saving, Finishing: time.Since(cmp.Or(r.finished, time.Now())),
		Rising: r.stopped == StopIterations && r.rule().rising(r.history),
	}
	if n := len(r.history); n > 0 {
		info.Score = &r.history[n-1]
	}
	r.opts.Events.Done(info)
}

// clock says when a run began and what its time was spent on.
type clock struct {
	began    time.Time
	training time.Duration // in sweeps and prior estimation
	starting time.Duration // before the first sweep
	scoring  time.Duration // on scores
	saving   time.Duration // waiting for checkpoints
	finished time.Time     // when the last sweep and its checkpoint were done
	late     bool          // the time limit has passed: the last sweep was the last one
}

// past reports whether the run has lasted as long as it may; 0 is no limit.
func (c *clock) past(limit time.Duration) bool { return limit > 0 && time.Since(c.began) >= limit }

// timed adds the time f takes to spent.
func timed(spent *time.Duration, f func() error) error {
	begin := time.Now()
	defer func() { *spent += time.Since(begin) }()
	return f()
}
