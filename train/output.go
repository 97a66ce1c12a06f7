package train

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// CheckOutput checks before hours of training whether the model can be saved in dir and its checkpoint be
// written. It returns an error if something else is there, if the directory cannot be written to, or if the
// disk is too small. c may be nil; then it does not check for disk space.
func CheckOutput(dir string, c *corpus.Corpus, o topoi.Options, save topoi.SaveOptions) error {
	opts := options{o.WithDefaults()}
	dir = filepath.Clean(dir)
	faults := []error{modelfile.CheckTarget(dir, save.Overwrite)}
	parents := []string{dir}
	if opts.Checkpoint != "" {
		parents = append(parents, opts.Checkpoint)
	}
	for _, path := range parents {
		if err := machine.Writable(filepath.Dir(path)); err != nil {
			faults = append(faults, wholefile.Explain(path, err))
		}
	}
	if opts.Resume {
		faults = append(faults, opts.checkResumed())
	}
	if err := errors.Join(faults...); err != nil || c == nil {
		return err
	}
	return checkRoom(dir, c, opts)
}

// checkResumed refuses a checkpoint that was made with other options than o. It reads only the beginning of
// the file, so that it can run before the corpus is read.
func (o options) checkResumed() error {
	var header checkpointHeader
	if statefile.Peek(o.Checkpoint, &header) != nil {
		return nil // reading the whole checkpoint will return the error
	}
	was := header.Options
	now := recordOptions(o.Options, was.Sampler, was.Tuning)
	now.Device = was.Device // it depends on the sampler
	if diff := difference(was, now); diff != "" {
		return otherOptions(o.Checkpoint, diff)
	}
	return nil
}

// freeBytes is machine.DiskFree; tests replace it.
var freeBytes = machine.DiskFree

// checkRoom returns an error if model or checkpoint cannot fit on the disk.
func checkRoom(dir string, c *corpus.Corpus, opts options) error {
	model, checkpoint, err := outputBytes(filepath.Dir(dir), c, opts)
	if err != nil {
		return err
	}
	if opts.Checkpoint != "" && !machine.SameDisk(filepath.Dir(dir), filepath.Dir(opts.Checkpoint)) {
		if err := fitsOn(opts.Checkpoint, checkpoint, "the checkpoint"); err != nil {
			return err
		}
		checkpoint = 0
	}
	what := "the model"
	if checkpoint > 0 {
		what += " and its checkpoint"
	}
	return fitsOn(dir, model+checkpoint, what)
}

// fitsOn returns an error if a file or directory at path needs more space than is free there.
func fitsOn(path string, need uint64, what string) error {
	free, known := freeBytes(filepath.Dir(path))
	if !known || need <= free {
		return nil
	}
	return fmt.Errorf("cannot write %s: %s needs at least %s, and only %s are free in %s: free some space, or choose another place",
		path, what, human.Bytes(int64(need)), human.Bytes(int64(free)), filepath.Dir(path))
}

// outputBytes returns the smallest sizes that model and checkpoint of a run can have. It leaves out the
// rows of n_wk, which depend on what is learned.
func outputBytes(parent string, c *corpus.Corpus, opts options) (model, checkpoint uint64, err error) {
	docs, _, err := opts.split().Split(c)
	if err != nil {
		return 0, 0, err
	}
	z := uint64(topics.Bytes(opts.Topics)) * uint64(docs.NumTokens())
	words := uint64(0)
	for w := range c.NumWords() {
		words += uint64(len(c.Words().Bytes(w)))
	}
	model = z + words + 16*uint64(c.NumWords()) + 16*uint64(opts.Topics) + c.LinkedBytes(parent)
	if opts.Checkpoint != "" && opts.Memory == 0 { // else z may be in the files of the run
		checkpoint = z
	}
	return model, checkpoint, nil
}

// RemoveState removes the state of a run with the given options: the checkpoint and the files of its
// tokens. It is no error if they do not exist. It is an error if another run is using them.
func RemoveState(o topoi.Options) error {
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
	if dir := (options{o}).workDir(); dir != "" {
		faults = append(faults, ondisk.Remove(dir), os.RemoveAll(filepath.Join(dir, "model")),
			os.RemoveAll(filepath.Join(dir, ondisk.RunFile)))
		for _, name := range training.GatheredFiles {
			faults = append(faults, os.RemoveAll(filepath.Join(dir, name)))
		}
		_ = os.Remove(dir) // fails if other files are there, or the lock file, which takes the directory with it
	}
	return errors.Join(faults...)
}
