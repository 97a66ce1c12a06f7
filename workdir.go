package topoi

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/training"
)

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
