package train

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/topics"
)

// initial sets the priors with which the run begins. It returns the state of the checkpoint or of Options.Start, or nil
// if there is neither.
func (r *run) initial() (*checkpoint, error) {
	r.priors.Begin(r.opts.Topics, r.opts.AlphaSum, r.opts.Beta)
	if r.opts.Resume {
		state, err := readCheckpoint(r.opts.Checkpoint)
		if err == nil {
			err = state.belongs(r.opts.Checkpoint, r.record, r.opts.Pseudo, r.docs)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return state, err
		}
	}
	if r.opts.Start == nil {
		return nil, nil
	}
	return startState(r.opts.Start, r.record, r.docs)
}

// resumeAt sets everything that a checkpoint holds except the sampler's state.
func (r *run) resumeAt(state *checkpoint) {
	r.position = position{iteration: state.Iteration, history: state.History, stopped: state.ended(r.record)}
	r.priors.Resume(state.Alpha, state.Beta, lambda(state.Columns))
	r.saver.saved, r.saver.savedFiles = state.Iteration, state.Parts
	if state.Given {
		r.saver.saved = 0 // no checkpoint holds this state
	}
}

// startLabels returns the initial state of a run with labels: every token has a topic that its document may have.
func (r *run) startLabels() *checkpoint {
	labels, now := r.priors.Labels, r.priors.Now
	p := &sampler.Problem{Offsets: sampler.Rebase(r.docs.Train.Offsets()), Groups: labels.Groups, Seed: r.opts.Seed}
	z := sampler.StartInGroups(p, 0, p.D(), labels.Of(now.Alpha))
	return &checkpoint{
		Options: r.record, Alpha: slices.Clone(now.Alpha), Beta: now.Beta, Topics: topics.List{Wide: z},
		Given: true,
	}
}

// restore sets the engine to the state of a checkpoint.
func (r *run) restore(state *checkpoint) error {
	err := r.engine.Restore(&engine.State{
		Topics: state.Topics, Files: state.Parts, Extra: state.Extra,
		Given: state.Given,
	}, r.priors.Now)
	var elsewhere engine.Elsewhere
	if errors.As(err, &elsewhere) {
		return fmt.Errorf("%s: the checkpoint was written by %s", r.opts.Checkpoint, string(elsewhere))
	}
	return err
}

// restoreBefore goes back to the checkpoint before the last one if not all files of the last one reached
// the disk. Without an older checkpoint it returns the fault.
func (r *run) restoreBefore(fault error) error {
	if !errors.Is(fault, ondisk.ErrDamaged) {
		return fault
	}
	path := statefile.Before(r.opts.Checkpoint)
	state, err := readCheckpoint(path)
	if err != nil || state.belongs(path, r.record, r.opts.Pseudo, r.docs) != nil || r.restore(state) != nil {
		return fault
	}
	r.resumeAt(state)
	return nil
}

// lambda returns λ, or nil without covariates.
func lambda(c *topoi.Covariates) [][]float64 {
	if c == nil {
		return nil
	}
	return c.Lambda
}
