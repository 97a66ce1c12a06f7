package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/training"
)

// heldBytes limits the state, beside its topics, that is packed only in case a model cannot be saved.
// Packing the responsibilities of 20 million tokens would take as long as several sweeps, and more than all
// other memory. Tests make it smaller.
var heldBytes int64 = 128 << 20

// behindFrom is the number of tokens from which checkpoints are written while the next sweeps run. Smaller
// ones are written before a sweep ends. Tests make it smaller.
var behindFrom = 1 << 24

// position describes where a run stands.
type position struct {
	iteration int
	history   []topoi.Score    // of all evaluations
	stopped   topoi.StopReason // why the run has ended; "" while it continues
	draws     int              // states whose counts are added up, or 0 for one
}

// saver writes the checkpoints of a run.
type saver struct {
	opts    *options
	at      *position
	engine  engine.Engine
	owned   *claim.Set         // claims on checkpoint and work directory; nil if another run holds them for this one
	present func() *checkpoint // returns the present state without what the engine saves
	inFiles bool               // the engine keeps its state in files
	behind  bool               // checkpoints are written while sweeps continue, not between them
	counted bool               // workers meet for checkpoints after numbers of iterations

	saved      int               // iteration of the last checkpoint
	pace       training.Pace     // when the next one is due by time
	last       *checkpoint       // of the last iteration; nil until it is made, or if nobody needs it
	held       bool              // it is written only if somebody asks
	savedFiles json.RawMessage   // the files that the last checkpoint names
	warning    string            // why the last attempt to write a checkpoint failed; "" if it succeeded
	writing    *training.Writing // the checkpoint that is being written; nil if none is
}

// due reports whether to write a checkpoint after this iteration. By default that is a matter of time, and not of
// iterations: one may take a millisecond or an hour. Files depend on checkpoints after certain iterations.
func (s *saver) due() bool {
	counted := s.at.iteration%s.engine.SaveEvery(s.opts.checkpointEvery()) == 0
	switch {
	case s.opts.CheckpointEvery != 0 || s.inFiles:
		return counted
	case s.counted && !counted:
		return false
	}
	return s.pace.Due()
}

// keep writes a checkpoint when one is due and releases what is no longer needed.
func (s *saver) keep() error {
	switch {
	case s.opts.Checkpoint == "":
		return s.engine.Keep(nil)
	case s.due():
		return s.write()
	}
	return nil
}

// keepLast writes the checkpoint of the last iteration unless it is written or being written.
func (s *saver) keepLast() error {
	i := s.at.iteration
	if s.opts.Checkpoint == "" || s.saved == i || s.writing != nil && s.writing.Iteration == i {
		return nil
	}
	return s.write()
}

// holdLast is keepLast for a run that will have a model. It may hold the checkpoint back, or do without one.
func (s *saver) holdLast() (err error) {
	s.held = s.opts.HoldCheckpoint && s.opts.Checkpoint != "" && s.saved != s.at.iteration && !s.inFiles &&
		s.pace.Fresh()
	if !s.held {
		return s.keepLast()
	}
	if s.engine.ExtraBytes() > heldBytes {
		s.held = false
		return nil
	}
	s.last, err = s.state()
	return err
}

// writeHeld writes the checkpoint that holdLast held back.
func (s *saver) writeHeld() error {
	w := s.begin(s.last, time.Now())
	s.wait()
	return w.Wait()
}

// write writes a checkpoint. A failure does not end the run: it is reported as a warning, and the next checkpoint that
// is due tries again.
func (s *saver) write() error {
	s.wait()
	s.opts.phase("checkpoint", 0, 0)
	begin := time.Now()
	s.pace.Tried = begin
	state, err := s.state()
	if err != nil {
		return err
	}
	s.pace.Kept = time.Now()
	if s.at.stopped != "" {
		s.last = state
	}
	s.begin(state, begin)
	if s.behind && state.Parts == nil {
		return s.engine.Keep(nil)
	}
	if s.wait() {
		s.savedFiles = state.Parts
	}
	return s.engine.Keep(s.savedFiles)
}

// commitRound makes the files between two rounds of an iteration the state to resume from. Only the topics
// have changed since the iteration before.
func (s *saver) commitRound() error {
	if s.opts.Checkpoint == "" {
		return nil
	}
	state, err := s.state()
	if err != nil {
		return err
	}
	state.Iteration--
	if _, err := s.replace(state); err == nil { // a fault is reported at the end of the iteration
		s.savedFiles = state.Parts
	}
	return s.engine.Keep(s.savedFiles)
}

// state returns a copy of the present state.
func (s *saver) state() (*checkpoint, error) {
	if err := s.owned.Check(); err != nil {
		return nil, err
	}
	saved, err := s.engine.Save()
	if err != nil {
		return nil, err
	}
	state := s.present()
	state.Topics, state.Parts, state.Extra = saved.Topics, saved.Files, saved.Extra
	return state, nil
}

// begin begins to write a checkpoint. at is when the program began to make it.
func (s *saver) begin(state *checkpoint, at time.Time) *training.Writing {
	s.writing = training.Write(state.Iteration, at, func() (int64, error) { return s.replace(state) })
	return s.writing
}

// replace replaces the checkpoint file.
func (s *saver) replace(state *checkpoint) (size int64, err error) {
	if state.Parts != nil {
		// The state before this one is safely on disk; this one may not be yet. A killed process loses
		// nothing of it, but a power failure may.
		if err := statefile.KeepBefore(s.opts.Checkpoint); err != nil {
			return 0, err
		}
	}
	return writeCheckpoint(s.opts.Checkpoint, state)
}

// wait waits for the checkpoint that is being written, reports it, and returns whether it is complete.
func (s *saver) wait() (written bool) {
	w := s.writing
	if w == nil {
		return false
	}
	s.writing = nil
	if w.Wait() != nil {
		s.warn(w)
		return false
	}
	s.warning, s.saved, s.pace.Cost = "", w.Iteration, w.Took
	due := s.at.stopped != "" || !s.inFiles || w.Iteration%s.opts.checkpointEvery() == 0
	if tell := s.opts.Events.Checkpoint; due && tell != nil {
		tell(topoi.CheckpointInfo{Iteration: w.Iteration, Path: s.opts.Checkpoint, Bytes: w.Size, Took: w.Took})
	}
	return true
}

// warn reports that a checkpoint could not be written, and which older one there is.
func (s *saver) warn(w *training.Writing) {
	kept := "there is none yet"
	if s.saved > 0 {
		kept = fmt.Sprintf("that of iteration %d is kept", s.saved)
	}
	next := "the run continues, and the next checkpoint is tried when it is due"
	if s.at.stopped != "" && w.Iteration == s.at.iteration {
		next = "it was the last one of this run"
	}
	err := fmt.Errorf("the checkpoint of iteration %d cannot be written: %w: %s; %s", w.Iteration, w.Wait(), kept, next)
	s.warning, s.pace.Kept = err.Error(), time.Time{} // so that the next one is due
	s.opts.warn(w.Iteration, err)
}

// explain adds to an error about files which checkpoint is left to resume from.
func (s *saver) explain(err error) error {
	switch {
	case s.saved == 0 || s.opts.Checkpoint == "":
	case errors.Is(err, guard.ErrFileLost) || errors.Is(err, corpus.ErrChanged):
		return fmt.Errorf("%w: the run up to iteration %d is kept in %s; restore the corpus file, then resume", err,
			s.saved, s.opts.Checkpoint)
	case errors.Is(err, engine.ErrMend):
		return fmt.Errorf("%w: the run up to iteration %d is kept: resume when that is fixed", err, s.saved)
	}
	return err
}
