package topoi

import (
	"cmp"
	"fmt"
	"time"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/training"
)

// Events are called as things happen, from the goroutine that called Train or
// Infer. Any of them may be nil. Progress bars, log lines, JSON streams and
// metrics are all made from these.
type Events struct {
	Start      func(StartInfo)      // once, when the plan is made and before the first sweep
	Phase      func(PhaseInfo)      // work other than sweeps: at its beginning, at least every second, at its end
	Iteration  func(IterationInfo)  // after every sweep
	Checkpoint func(CheckpointInfo) // after every checkpoint written
	Warning    func(WarningInfo)    // when something failed that does not end the run
	Done       func(DoneInfo)       // once, when training has ended
}

// StartInfo says what will be done.
type StartInfo struct {
	Sampler    string // the sampler that runs, never "auto"
	Reason     string // why "auto" chose it; empty when the user did
	Device     string // "cpu", or such as "cuda:0 (NVIDIA H200)"
	Threads    int
	Docs       int // training documents
	HeldOut    int // held-out documents
	Words      int // V
	Tokens     int // training tokens
	Topics     int // K
	Iteration  int // the iteration a resumed run continues after; 0 for a fresh one
	Iterations int // the most iterations there will be

	// NotRepeatable is set where the device changes the result: a second run, or one
	// that was stopped and resumed, ends with another model of the same quality.
	NotRepeatable bool

	// MemoryLimit is set where tokens are kept in files to stay within Options.Memory: what
	// a program should give debug.SetMemoryLimit, and set back after Train, so that the
	// garbage collector keeps the budget too. In bytes; 0: none. The library itself
	// changes no settings of the process.
	MemoryLimit int64
}

// Warnings says what of the plan is most likely a mistake, a sentence each.
func (s StartInfo) Warnings() []string {
	var list []string
	if s.Topics > s.Docs {
		list = append(list, fmt.Sprintf("there are more topics (%s) than training documents (%s), so most topics will be empty or duplicates; choose fewer", human.Count(s.Topics), human.Count(s.Docs)))
	}
	if s.Topics > s.Words {
		list = append(list, fmt.Sprintf("there are more topics (%s) than words in the vocabulary (%s), so topics cannot differ much; choose fewer", human.Count(s.Topics), human.Count(s.Words)))
	}
	return list
}

// PhaseInfo tells how far a phase is.
type PhaseInfo struct {
	Name  string // such as "evaluate", "checkpoint", "save"
	Done  int64  // units done so far
	Total int64  // units in all; 0 when unknown
}

// IterationInfo is told after every sweep.
type IterationInfo struct {
	Iteration       int
	Iterations      int           // the most there will be
	Elapsed         time.Duration // wall time since training began, of this process
	Training        time.Duration // the part of Elapsed spent in sweeps and prior estimation, not in scoring or saving
	TokensPerSecond float64       // of this sweep; where there is a score, of all since the last one

	// Score holds the likelihoods when this iteration was evaluated, else nil.
	Score *Score
}

// Score is the state of a run at one evaluated iteration.
type Score struct {
	Iteration int `json:"iteration"`

	// LogLikelihood is the joint log p(w, z | α, β) per training token, in nats.
	LogLikelihood float64 `json:"log_likelihood_per_token"`

	// WordsGiven is the part of it that is about words, log p(w | z, β) per training
	// token, in nats. 0 in models of before it was kept.
	WordsGiven float64 `json:"words_given_topics_per_token,omitempty"`

	// Heldout is the document completion score per scored token of the held-out
	// documents, in nats; nil when there are none, or only a sample of them was scored.
	Heldout *float64 `json:"heldout_per_token,omitempty"`

	// HeldoutSample is about the same of a fixed sample of the held-out documents, which is
	// scored on the way: see Options.HoldoutTokens and eval.BriefCompletion. It can be
	// compared with itself, not with Heldout. It is nil where all are always scored.
	HeldoutSample *float64 `json:"heldout_sample_per_token,omitempty"`

	// Sample is the completion score per scored token of a sample of the training
	// documents, their own counts taken out (see eval.LeaveOut), in nats. Runs without
	// held-out documents stop by it. It is nil where it decides nothing.
	Sample *float64 `json:"sample_per_token,omitempty"`

	AlphaSum float64 `json:"alpha_sum"` // Σα at this iteration
	Beta     float64 `json:"beta"`      // β at this iteration
}

// CheckpointInfo is told after a checkpoint has reached the disk.
type CheckpointInfo struct {
	Iteration int
	Path      string
	Bytes     int64
	Took      time.Duration
}

// WarningInfo is told when something failed that does not end the run, such as the
// writing of a checkpoint.
type WarningInfo struct {
	Iteration int
	Err       error
}

// StopReason says why training ended.
type StopReason string

// The reasons.
const (
	StopIterations  StopReason = "iterations"  // Options.Iterations reached
	StopPlateau     StopReason = "plateau"     // predictions of documents no longer improve: see Options.Tolerance
	StopTarget      StopReason = "target"      // UntilLL or UntilHeldout reached
	StopTimeLimit   StopReason = "time limit"  // TimeLimit reached
	StopInterrupted StopReason = "interrupted" // the context was cancelled
)

// DoneInfo is told at the end.
type DoneInfo struct {
	Iteration int
	Reason    StopReason
	Elapsed   time.Duration // from the call to the model, or to the interruption
	Training  time.Duration // of it: the first topics, sweeps and prior estimation
	Starting  time.Duration // of it: before the first topics
	Scoring   time.Duration // of it: scores
	Saving    time.Duration // of it: waiting for checkpoints
	Finishing time.Duration // of it: making the model; 0 where there is none, or it is made after this
	Score     *Score        // the last one, or nil

	// Rising is set where Options.Iterations ended a run whose predictions still improved by
	// Options.Tolerance: those of held-out documents, or of the sample.
	Rising bool
}

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
