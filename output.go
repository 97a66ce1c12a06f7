package topoi

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// CheckOutput returns why the model of a training run could not be saved in dir, or its
// checkpoint be written, as far as that can be known before hours of training: something
// else is there, the directory cannot be written to, or there is no room on the disk.
// Without a corpus, which may be nil, it does not look for room.
func CheckOutput(dir string, c *corpus.Corpus, opts Options, save SaveOptions) error {
	opts = opts.WithDefaults()
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

// checkResumed refuses a checkpoint of other options than o, as far as that can be known from the beginning of the file:
// before the corpus is read.
func (o Options) checkResumed() error {
	var header checkpointHeader
	if statefile.Peek(o.Checkpoint, &header) != nil {
		return nil // whoever reads all of it will tell
	}
	was := header.Options
	now := recordOptions(o, was.Sampler, was.Tuning)
	now.Device = was.Device // which depends on the sampler
	if diff := was.difference(now); diff != "" {
		return otherOptions(o.Checkpoint, diff)
	}
	return nil
}

// freeBytes is machine.DiskFree; tests have disks of other sizes.
var freeBytes = machine.DiskFree

// checkRoom refuses a model that cannot fit on the disk, nor its checkpoint.
func checkRoom(dir string, c *corpus.Corpus, opts Options) error {
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

// fitsOn refuses a file or directory at path that needs more than is free there.
func fitsOn(path string, need uint64, what string) error {
	free, known := freeBytes(filepath.Dir(path))
	if !known || need <= free {
		return nil
	}
	return fmt.Errorf("cannot write %s: %s needs at least %s, and only %s are free in %s: free some space, or choose another place",
		path, what, human.Bytes(int64(need)), human.Bytes(int64(free)), filepath.Dir(path))
}

// outputBytes is what model and checkpoint of a run take at least. What it leaves out,
// the rows of n_wk, depends on what is learned.
func outputBytes(parent string, c *corpus.Corpus, opts Options) (model, checkpoint uint64, err error) {
	docs, _, err := recordOptions(opts, opts.Sampler, opts.Tuning).split().Split(c)
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
