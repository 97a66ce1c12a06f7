package train

import (
	"cmp"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/holdout"
	"github.com/topoi-lda/topoi/internal/ondisk"
)

// options are the options of a run, with what follows from them.
type options struct{ topoi.Options }

// split returns the rule by which documents are held out.
func (o options) split() holdout.By {
	return holdout.By{Share: o.Holdout, Seed: o.HoldoutSeed, Last: o.HoldoutLast}
}

// By default, scores are firstInterval iterations apart up to iteration firstLength. The interval doubles
// whenever the run becomes twice as long. Scores rise about as the logarithm of the sweeps, and a sweep on
// a GPU may take a tenth of the time of a score.
const firstInterval, firstLength = 10, 200

// evaluates reports whether the state is scored after an iteration. It does not consider the time limit.
func (o options) evaluates(iteration int) bool {
	every := o.shortestInterval()
	for length := firstLength; o.EvaluateEvery == 0 && iteration > length; length *= 2 {
		every *= 2
	}
	return iteration%every == 0 || iteration == o.Iterations
}

// shortestInterval returns the number of iterations between the first scores.
func (o options) shortestInterval() int { return cmp.Or(o.EvaluateEvery, firstInterval) }

// checkpointEvery returns the number of iterations between two checkpoints where they are counted: if somebody has
// asked for that, in files, and where workers meet.
func (o options) checkpointEvery() int { return cmp.Or(o.CheckpointEvery, 100) }

// workDir returns the directory of the files.
func (o options) workDir() string {
	switch {
	case o.WorkDir != "":
		return o.WorkDir
	case o.Checkpoint != "":
		return o.Checkpoint + ".parts"
	}
	return ""
}

// enterWorkDir refuses a work directory with files of another run that can still be continued.
func (o options) enterWorkDir() error {
	if o.WorkDir == "" || o.Memory == 0 {
		return nil
	}
	return ondisk.Enter(o.WorkDir, o.Checkpoint)
}

// where returns the place to compute on.
func (o options) where() engine.Where {
	return engine.Where{Device: o.Device, Memory: o.DeviceMemory, Many: true}
}

// phase reports the progress of a phase.
func (o options) phase(name string, done, total int64) {
	if o.Events.Phase != nil {
		o.Events.Phase(topoi.PhaseInfo{Name: name, Done: done, Total: total})
	}
}

// warn reports a failure that does not end the run.
func (o options) warn(iteration int, err error) {
	if o.Events.Warning != nil {
		o.Events.Warning(topoi.WarningInfo{Iteration: iteration, Err: err})
	}
}
