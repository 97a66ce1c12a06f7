package topoi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/training"
)

// checkpoint is everything a run needs to continue. Together with the corpus it determines all later bytes.
type checkpoint struct {
	Options   Options    `json:"options"`                 // must equal those of the resuming run
	Corpus    string     `json:"corpus_fingerprint"`      // of the whole corpus
	Pseudo    string     `json:"pseudo_counts,omitempty"` // hash of Options.Pseudo; "" without
	Iteration int        `json:"iteration"`               // sweeps done
	Stopped   StopReason `json:"stopped,omitempty"`       // why the run ended there; "" if it was to continue
	Alpha     []float64  `json:"alpha"`                   // K: α after Iteration
	Beta      float64    `json:"beta"`                    // β after Iteration

	Columns *Covariates `json:"covariates,omitempty"` // with λ after Iteration; nil without PriorCovariates
	History []Score     `json:"history"`              // evaluations so far

	Topics topics.List     `json:"-"` // N: z after Iteration, corpus order; 32 bits wide when read
	Parts  json.RawMessage `json:"-"` // where z is instead, when it is kept in files; Topics is empty then
	Extra  []byte          `json:"-"` // what the sampler's state holds beyond z; usually empty
	Given  bool            `json:"-"` // the state is Options.Start: it has no Extra and is in no file
}

// check checks that the state belongs to a run with the given numbers of topics and tokens.
func (c *checkpoint) check(topics, tokens int) error {
	switch {
	case len(c.Alpha) != topics:
		return fmt.Errorf("it holds α for %d topics, not %d", len(c.Alpha), topics)
	case c.Parts == nil && c.Topics.Len() != tokens:
		return fmt.Errorf("it has %d tokens, not %d", c.Topics.Len(), tokens)
	case c.Iteration < 0:
		return fmt.Errorf("it was written after iteration %d", c.Iteration)
	}
	for _, prior := range append([]float64{c.Beta}, c.Alpha...) {
		if !(prior > 0) || math.IsInf(prior, 0) {
			return errors.New("a prior is 0 or negative")
		}
	}
	return nil
}

// keepState writes a checkpoint when one is due and releases what is no longer needed.
func (r *run) keepState() error {
	switch {
	case r.opts.Checkpoint == "":
		return r.engine.Keep(nil)
	case r.iteration%r.engine.SaveEvery(r.opts.checkpointEvery()) != 0 || r.justKept():
		return nil
	}
	return r.tryCheckpoint()
}

// checkpointEvery returns the smallest number of iterations between two checkpoints.
func (o Options) checkpointEvery() int { return cmp.Or(o.CheckpointEvery, 100) }

// keepAfter is the default time between checkpoints. A kill may cost that much work; writing checkpoints
// costs a small part of it. Tests change it.
var keepAfter = 20 * time.Second

// heldBytes limits the state, beside its topics, that is packed only in case a model cannot be saved.
// Packing the responsibilities of 20 million tokens would take as long as several sweeps, and more than all
// other memory. Tests make it smaller.
var heldBytes int64 = 128 << 20

// saver records what a run has saved of itself.
type saver struct {
	saved      int               // iteration of the last checkpoint
	keptAt     time.Time         // when its state was taken; before the first checkpoint, when the run began
	last       *checkpoint       // of the last iteration; nil until it is made, or if nobody needs it
	held       bool              // it is written only if somebody asks
	savedFiles json.RawMessage   // the files that the last checkpoint names
	warning    string            // why the last attempt to write a checkpoint failed; "" if it succeeded
	behind     bool              // checkpoints are written while sweeps continue, not between them
	writing    *training.Writing // the checkpoint that is being written; nil if none is
}

// fresh reports whether a checkpoint would be too early: the last one is recent, or the run has just begun.
func (s *saver) fresh() bool { return time.Since(s.keptAt) < keepAfter }

// has reports whether the checkpoint of an iteration is written or being written.
func (s *saver) has(iteration int) bool {
	return s.saved == iteration || s.writing != nil && s.writing.Iteration == iteration
}

// justKept reports whether a checkpoint can wait: the user set no interval, no files depend on it, and the
// last one is recent.
func (r *run) justKept() bool {
	return r.opts.CheckpointEvery == 0 && r.spending == nil && r.fresh()
}

// keepLast writes the checkpoint of the last iteration unless it exists.
func (r *run) keepLast() error {
	if r.opts.Checkpoint == "" || r.has(r.iteration) {
		return nil
	}
	return r.tryCheckpoint()
}

// holdLast is keepLast for a run that will have a model. It may hold the checkpoint back, or do without
// one.
func (r *run) holdLast() (err error) {
	r.held = r.opts.HoldCheckpoint && r.opts.Checkpoint != "" && r.saved != r.iteration && r.spending == nil && r.fresh()
	if !r.held {
		return r.keepLast()
	}
	if r.engine.ExtraBytes() > heldBytes {
		r.held = false
		return nil
	}
	r.last, err = r.checkpoint(r.iteration)
	return err
}

// WriteCheckpoint writes the checkpoint that Options.HoldCheckpoint held back and reports it to the Events
// of the run. Call it when the model could not be saved. It does nothing if no checkpoint was held back, or
// if the model has been saved.
func (m *Model) WriteCheckpoint() error {
	r := m.held.Swap(nil)
	if r == nil {
		return nil
	}
	w := r.write(r.last, time.Now())
	r.writing = w
	if !r.endWriting() {
		m.held.Store(r)
	}
	return w.Wait()
}

// behindFrom is the number of tokens from which checkpoints are written while the next sweeps run. Smaller
// ones are written before a sweep ends. Tests make it smaller.
var behindFrom = 1 << 24

// tryCheckpoint writes a checkpoint. A failure does not end the run: it is reported as a warning, and the
// next checkpoint that is due tries again.
func (r *run) tryCheckpoint() error {
	r.endWriting()
	r.phase("checkpoint", 0, 0)
	begin := time.Now()
	state, err := r.checkpoint(r.iteration)
	if err != nil {
		return err
	}
	r.keptAt = time.Now()
	if r.stopped != "" {
		r.last = state
	}
	r.writing = r.write(state, begin)
	if r.behind && state.Parts == nil {
		return r.engine.Keep(nil)
	}
	if r.endWriting() {
		r.savedFiles = state.Parts
	}
	return r.engine.Keep(r.savedFiles)
}

// write begins to write a checkpoint. begin is when the program began to make it.
func (r *run) write(state *checkpoint, begin time.Time) *training.Writing {
	tell := r.stopped != "" || state.Iteration%r.opts.checkpointEvery() == 0
	return training.Write(state.Iteration, tell, begin, func() (int64, error) { return r.writeState(state) })
}

// endWriting waits for the checkpoint that is being written, reports it, and returns whether it is
// complete.
func (r *run) endWriting() (written bool) {
	w := r.writing
	if w == nil {
		return false
	}
	r.writing = nil
	if w.Wait() != nil {
		r.warn(w)
		return false
	}
	r.warning, r.saved = "", w.Iteration
	if w.Tell {
		r.tellCheckpoint(w)
	}
	return true
}

// warn reports that a checkpoint could not be written, and which older one there is.
func (r *run) warn(w *training.Writing) {
	kept := "there is none yet"
	if r.saved > 0 {
		kept = fmt.Sprintf("that of iteration %d is kept", r.saved)
	}
	next := "the run continues, and the next checkpoint is tried when it is due"
	if r.stopped != "" && w.Iteration == r.iteration {
		next = "it was the last one of this run"
	}
	err := fmt.Errorf("the checkpoint of iteration %d cannot be written: %w: %s; %s", w.Iteration, w.Wait(), kept, next)
	r.warning, r.keptAt = err.Error(), time.Time{} // so that the next one is due
	if r.opts.Events.Warning != nil {
		r.opts.Events.Warning(WarningInfo{Iteration: w.Iteration, Err: err})
	}
}

// writeState replaces the checkpoint file.
func (r *run) writeState(state *checkpoint) (size int64, err error) {
	if state.Parts != nil {
		// The state before this one is safely on disk; this one may not be yet. A killed process loses
		// nothing of it, but a power failure may.
		if err := statefile.KeepBefore(r.opts.Checkpoint); err != nil {
			return 0, err
		}
	}
	return writeCheckpoint(r.opts.Checkpoint, state)
}

// checkpoint returns a copy of the present state, as that of the given iteration.
func (r *run) checkpoint(iteration int) (*checkpoint, error) {
	if err := r.owned.Check(); err != nil {
		return nil, err
	}
	saved, err := r.engine.Save()
	if err != nil {
		return nil, err
	}
	state := &checkpoint{
		Options: r.record, Corpus: r.corpus.Fingerprint(), Pseudo: r.opts.Pseudo.Hash(), Iteration: iteration,
		Alpha: slices.Clone(r.priors.Alpha), Beta: r.priors.Beta, Columns: r.covariates(), History: r.history,
		Topics: saved.Topics, Parts: saved.Files, Extra: saved.Extra,
	}
	if r.stopped != StopInterrupted && r.stopped != StopTimeLimit { // after these the user wants to continue
		state.Stopped = r.stopped
	}
	return state, nil
}

// ended returns why a run that resumes at c with the given options has nothing left to do, or "". A run
// whose stopping conditions have changed continues.
func (c *checkpoint) ended(o Options) StopReason {
	was := c.Options
	if was.Iterations != o.Iterations || was.UntilLL != o.UntilLL || was.UntilHeldout != o.UntilHeldout || was.Tolerance != o.Tolerance {
		return ""
	}
	return c.Stopped
}

// readCheckpoint returns the state to resume from, or nil to start afresh.
func (r *run) readCheckpoint() (*checkpoint, error) {
	if !r.opts.Resume {
		return nil, nil
	}
	state, err := readCheckpoint(r.opts.Checkpoint)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if state.Corpus != r.corpus.Fingerprint() {
		return nil, fmt.Errorf("%s: the checkpoint belongs to another corpus: resume with the corpus that the run started with, or start a new run", r.opts.Checkpoint)
	}
	if diff := state.Options.difference(r.record); diff != "" {
		return nil, otherOptions(r.opts.Checkpoint, diff)
	}
	if state.Pseudo != r.opts.Pseudo.Hash() {
		return nil, otherOptions(r.opts.Checkpoint, "other pseudo-counts, from seeds or an older model")
	}
	if err := state.check(r.opts.Topics, r.docs.NumTokens()); err != nil {
		return nil, fmt.Errorf("%s: %w: %w; train from the start", r.opts.Checkpoint, ErrCheckpoint, err)
	}
	return state, nil
}

// otherOptions returns the error about a checkpoint that was made with other options.
func otherOptions(path, diff string) error {
	return fmt.Errorf("%s: the checkpoint was made with %s: resume with the same options, or start a new run", path, diff)
}
