package topoi

import (
	"cmp"
	"time"
)

// tellStart reports the run that is about to begin.
func (r *run) tellStart() {
	if r.opts.Events.Start == nil {
		return
	}
	info := StartInfo{
		Sampler: r.record.Sampler, Reason: r.chosen.Reason, Device: r.engine.Place(), Threads: r.opts.Threads,
		Docs: r.docs.Train.NumDocs(), Words: r.docs.All.NumWords(), Tokens: r.docs.Train.NumTokens(),
		Topics: r.opts.Topics, Iteration: r.iteration, Iterations: r.record.Iterations,
		NotRepeatable: r.record.Device != "", MemoryLimit: r.memoryLimit,
	}
	if r.docs.Heldout != nil {
		info.HeldOut = r.docs.Heldout.NumDocs()
	}
	if r.opts.Start != nil && r.iteration == r.opts.Start.Iteration {
		info.Iteration = 0 // the run begins from Options.Start, not from a checkpoint
	}
	r.opts.Events.Start(info)
}

// tellIteration reports a sweep that took the given time. score may be nil.
func (r *run) tellIteration(took time.Duration, score *Score) {
	if r.opts.Events.Iteration == nil {
		return
	}
	r.opts.Events.Iteration(IterationInfo{
		Iteration: r.iteration, Iterations: r.record.Iterations,
		Elapsed: time.Since(r.clock.Began), Training: r.clock.Training,
		TokensPerSecond: float64(r.docs.Train.NumTokens()) / max(took.Seconds(), 1e-9),
		Score:           score,
	})
}

// tellDone reports the end of the run.
func (r *run) tellDone() {
	if r.opts.Events.Done == nil {
		return
	}
	c := &r.clock
	info := DoneInfo{
		Iteration: r.iteration, Reason: r.stopped, Elapsed: time.Since(c.Began), Training: c.Training,
		Starting: c.Starting, Scoring: c.Scoring, Saving: c.Saving, Finishing: time.Since(cmp.Or(c.Finished, time.Now())),
		Rising: r.stopped == StopIterations && r.rule.rising(r.history),
	}
	if n := len(r.history); n > 0 {
		info.Score = &r.history[n-1]
	}
	r.opts.Events.Done(info)
}
