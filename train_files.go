package topoi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/training"
)

// This file trains within Options.Memory: see package ondisk.

// budget says how a run keeps within Options.Memory.
type budget struct {
	memoryLimit int64            // see StartInfo
	spending    *ondisk.Budget   // how memory is used if tokens are kept in files; nil if they are in memory
	dir         training.WorkDir // for the files
}

// workDir returns the directory of the files.
func (o Options) workDir() string {
	switch {
	case o.WorkDir != "":
		return o.WorkDir
	case o.Checkpoint != "":
		return o.Checkpoint + ".parts"
	}
	return ""
}

// enterWorkDir refuses a work directory with files of another run that can still be continued.
func (o Options) enterWorkDir() error {
	if o.WorkDir == "" || o.Memory == 0 {
		return nil
	}
	return ondisk.Enter(o.WorkDir, o.Checkpoint)
}

// gather copies training documents and held-out documents one after the other if they are samples of the
// corpus. The copies are in memory instead of the corpus's file. Within Options.Memory they are files
// without names, mapped as the corpus is.
func (r *run) gather() error {
	if r.docs.Heldout == nil || r.opts.HoldoutLast {
		return nil
	}
	r.opts.Events.phase("gather documents", 0, 0)
	if r.opts.Memory == 0 {
		return r.docs.Gather("")
	}
	if err := r.dir.Make(); err != nil {
		return err
	}
	if err := os.MkdirAll(r.dir.Path, 0o777); err != nil {
		return fmt.Errorf("cannot make the directory for the state of the run: %w", err)
	}
	if !r.dir.Temporary() {
		defer os.Remove(r.dir.Path) // fails if the directory is not empty; a run from files makes it again
	}
	return r.docs.Gather(r.dir.Path)
}

// placeInFiles makes the engine that works from files.
func (r *run) placeInFiles(p *sampler.Problem) error {
	if err := r.dir.Make(); err != nil {
		return err
	}
	files, err := ondisk.NewEngine(ondisk.Config{
		Sampler: r.chosen.Sampler, Problem: p, Dir: r.dir.Path, Budget: r.spending, Release: r.docs.Train.Release, Round: r.saver.commitRound,
	})
	if err != nil {
		return err
	}
	// The program itself and mapped files (positions of documents, and the vocabulary when the model is
	// written) are outside Go's memory limit.
	mapped := int64(40<<20 + 8*r.docs.Train.NumDocs() + 16*r.docs.All.NumWords())
	r.memoryLimit = max(r.opts.Memory/2, r.opts.Memory/10*9-mapped)
	r.use(files)
	r.model = func(context.Context) (*Model, error) { return r.modelFromFiles(files) }
	return nil
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

// modelFromFiles writes the model's arrays beside the run's files, one after the other, and opens them.
func (r *run) modelFromFiles(files *ondisk.Engine) (*Model, error) {
	if err := files.Err(); err != nil {
		return nil, err
	}
	r.tellDone()
	dir := filepath.Join(r.dir.Path, "model")
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o777)); err != nil {
		return nil, err
	}
	r.opts.Events.phase("write the model", 0, 0)
	m := r.emptyModel(files.TopicTotals())
	var state modelfile.Streamed = files
	if live := m.dropEmpty(); live != nil {
		state = live.Stream(files)
	}
	stored, err := m.stream(dir, state)
	if err == nil {
		err = checkModel(stored)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	stored.stored.temporary = r.dir.Hand()
	return stored, nil
}

// RemoveState removes the state of a run with the given options: the checkpoint and the files of its
// tokens. It is no error if they do not exist. It is an error if another run is using them.
func RemoveState(o Options) error {
	owned, err := claim.Share(claim.OfRun(o.Checkpoint, o.WorkDir)...)
	if err != nil {
		return err
	}
	defer owned.Release()
	var faults []error
	if o.Checkpoint != "" {
		for _, path := range []string{o.Checkpoint, statefile.Before(o.Checkpoint)} {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				faults = append(faults, err)
			}
		}
	}
	if dir := o.workDir(); dir != "" {
		faults = append(faults, ondisk.Remove(dir), os.RemoveAll(filepath.Join(dir, "model")),
			os.RemoveAll(filepath.Join(dir, ondisk.RunFile)))
		for _, name := range training.GatheredFiles {
			faults = append(faults, os.RemoveAll(filepath.Join(dir, name)))
		}
		_ = os.Remove(dir) // fails if other files are there, or the lock file, which takes the directory with it
	}
	return errors.Join(faults...)
}

