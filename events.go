package topoi

import (
	"errors"
	"fmt"
	"time"

	"github.com/topoi-lda/topoi/internal/human"
)

// Events are functions that train.Run calls as things happen, from the goroutine that called it. Any
// of them may be nil. Progress bars, log lines, JSON streams and metrics are all made from these.
type Events struct {
	Start      func(StartInfo)      // once, before the first sweep
	Phase      func(PhaseInfo)      // during work other than sweeps: at its beginning, at least every second, at its end
	Iteration  func(IterationInfo)  // after every sweep
	Checkpoint func(CheckpointInfo) // after each checkpoint that was written
	Warning    func(WarningInfo)    // when something failed that does not end the run
	Done       func(DoneInfo)       // once, when training has ended
}

// StartInfo describes the run that is about to begin.
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
	Iterations int // the largest number of iterations

	// NotRepeatable is true if the device changes the result: a second run, or one that was stopped and
	// resumed, ends with another model of the same quality.
	NotRepeatable bool

	// MemoryLimit is set if tokens are kept in files to stay within Options.Memory. Programs should pass it
	// to debug.SetMemoryLimit, and set the old limit back after train.Run, so that the garbage collector keeps
	// within the budget too. The library itself changes no settings of the process. In bytes; 0 means none.
	MemoryLimit int64
}

// Warnings returns one sentence for each part of the plan that is most likely a mistake.
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

// PhaseInfo describes the progress of a phase.
type PhaseInfo struct {
	Name  string // such as "evaluate", "checkpoint", "save"
	Done  int64  // units done so far
	Total int64  // units in all; 0 when unknown
}

// IterationInfo describes a finished sweep.
type IterationInfo struct {
	Iteration       int
	Iterations      int           // the largest number of iterations
	Elapsed         time.Duration // wall time since training began in this process
	Training        time.Duration // the part of Elapsed spent in sweeps and prior estimation, not in scoring or saving
	TokensPerSecond float64       // of this sweep; with a score, of all sweeps since the last score

	// Score holds the likelihoods when this iteration was evaluated, else nil.
	Score *Score
}

// Score is the state of a run at one evaluated iteration.
type Score struct {
	Iteration int `json:"iteration"`

	// LogLikelihood is the joint log p(w, z | α, β) per training token, in nats.
	LogLikelihood float64 `json:"log_likelihood_per_token"`

	// WordsGiven is the part of LogLikelihood that is about words, log p(w | z, β) per training token, in
	// nats. It is 0 in models that were saved before this field existed.
	WordsGiven float64 `json:"words_given_topics_per_token,omitempty"`

	// Heldout is the document completion score per scored token of the held-out
	// documents, in nats; nil when there are none, or only a sample of them was scored.
	Heldout *float64 `json:"heldout_per_token,omitempty"`

	// HeldoutSample is a shorter form of Heldout for a fixed sample of the held-out documents, in nats. It
	// is computed while training goes on: see Options.HoldoutTokens and the variant "brief" of eval.Completion.
	// Compare it with other values of itself, not with Heldout. It is nil if all held-out documents are always scored.
	HeldoutSample *float64 `json:"heldout_sample_per_token,omitempty"`

	// Sample is the completion score per scored token of a sample of the training documents, with their own
	// counts taken out (see the variant "leave-out" of eval.Completion), in nats. Runs without held-out documents
	// stop by it. It is nil if no decision depends on it.
	Sample *float64 `json:"sample_per_token,omitempty"`

	AlphaSum float64 `json:"alpha_sum"` // Σα at this iteration
	Beta     float64 `json:"beta"`      // β at this iteration
}

// CheckpointInfo describes a checkpoint that has reached the disk.
type CheckpointInfo struct {
	Iteration int
	Path      string
	Bytes     int64
	Took      time.Duration
}

// WarningInfo describes a failure that does not end the run, such as a checkpoint that could not be written.
type WarningInfo struct {
	Iteration int
	Err       error
}

// StopReason describes why training ended.
type StopReason string

// Reasons for which training ends.
const (
	StopIterations StopReason = "iterations" // Options.Iterations reached
	StopPlateau    StopReason = "plateau"    // predictions of documents no longer improve: see Options.Tolerance
	StopTarget     StopReason = "target"     // UntilLL or UntilHeldout reached
	StopTimeLimit  StopReason = "time limit" // TimeLimit reached
	StopAsked      StopReason = "asked"      // the context was cancelled with ErrStop
)

// ErrStop ends a run that keeps its model, if it is the cause for which the context is cancelled:
//
//	ctx, stop := context.WithCancelCause(ctx)
//	opts.Events.Iteration = func(i topoi.IterationInfo) {
//		if enough(i) {
//			stop(topoi.ErrStop)
//		}
//	}
//
// The run finishes its sweep, scores the state and returns the model of that state, as if Options.TimeLimit had passed.
// It can be called from any goroutine, and does nothing to jobs of a cluster. Before the first sweep has ended there is
// no model: the run is then interrupted as by any other cause.
var ErrStop = errors.New("the run was asked to stop")

// DoneInfo describes the end of a run.
type DoneInfo struct {
	Iteration int
	Reason    StopReason
	Elapsed   time.Duration // from the call until the model is there, or until the interruption
	Training  time.Duration // the part of Elapsed for first topics, sweeps and prior estimation
	Starting  time.Duration // the part of Elapsed before the first topics
	Scoring   time.Duration // the part of Elapsed for scores
	Saving    time.Duration // the part of Elapsed spent waiting for checkpoints
	Finishing time.Duration // the part of Elapsed for making the model; 0 if there is none, or if it is made later
	Score     *Score        // the last one, or nil

	// Rising is true if Options.Iterations, or the sweeps of long documents (see Options.Tolerance), ended a run whose
	// predictions, of held-out documents or of the sample, still improved by Options.Tolerance.
	Rising bool
}
