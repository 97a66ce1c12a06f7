package topoi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// This file trains within Options.Memory: see package ondisk.

// budget says how a run keeps within Options.Memory.
type budget struct {
	memoryLimit int64          // see StartInfo
	spending    *ondisk.Budget // how memory is used if tokens are kept in files; nil if they are in memory
	temporary   *wholefile.Dir // for the files, if the user named no directory; else nil
}

// keepBudget finds out how to keep within Options.Memory. It returns the sampler to use. That differs from
// chosen only if "auto" chose it and it does not fit.
func (r *run) keepBudget(chosen registry.Choice, p *sampler.Problem) (registry.Choice, error) {
	if r.opts.Memory == 0 {
		return chosen, nil
	}
	budget, err := r.fit(chosen, p)
	if r.opts.Sampler == "auto" {
		for _, smaller := range chosen.Smaller(p) {
			if !errors.Is(err, ondisk.ErrBudget) {
				break
			}
			chosen = smaller
			chosen.Reason += " in " + human.Bytes(r.opts.Memory)
			budget, err = r.fit(chosen, p)
		}
	}
	if err != nil || budget.InMemory {
		return chosen, err
	}
	switch {
	case p.Tuning.Staleness > 0:
		return chosen, errors.New("a run with staleness cannot be trained from files: leave out the memory budget")
	case r.opts.Device != "auto" && r.opts.Device != "cpu":
		return chosen, errors.New("training from files works on the CPU only: train with device cpu, or limit the GPU's memory instead")
	}
	r.spending = budget
	return chosen, nil
}

func (r *run) fit(chosen registry.Choice, p *sampler.Problem) (*ondisk.Budget, error) {
	tuned := *p
	tuned.Tuning = chosen.Tuning
	need := ondisk.Run{Sampler: chosen.Sampler, Problem: &tuned, Memory: uint64(r.opts.Memory), Release: r.docs.Release}
	need.Split = recordOptions(r.opts, chosen.Sampler.Name, chosen.Tuning).split().Bytes(r.corpus.NumDocs())
	if r.heldout != nil {
		need.HeldOut = r.heldout.Tokens()
	}
	if r.opts.Start != nil { // its topics are in memory, and those of training documents a second time
		need.Split += 8 * uint64(len(r.opts.Start.Topics))
	}
	return fitBudget(need)
}

// fitBudget is ondisk.Fit. Tests replace it to give small corpora a budget.
var fitBudget = ondisk.Fit

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

// makeWorkDir makes a directory for the files if the user named none.
func (r *run) makeWorkDir() error {
	if r.opts.workDir() != "" {
		return nil
	}
	dir, err := wholefile.TempDir("parts")
	if err != nil {
		return err
	}
	r.temporary, r.opts.WorkDir = dir, dir.Temporary
	return nil
}

// gather copies training documents and held-out documents one after the other if they are samples of the
// corpus. The copies are in memory instead of the corpus's file. Within Options.Memory they are files
// without names, mapped as the corpus is.
func (r *run) gather() error {
	if r.heldout == nil || r.opts.HoldoutLast {
		return nil
	}
	r.phase("gather documents", 0, 0)
	if r.opts.Memory == 0 {
		return errors.Join(r.docs.Gather(""), r.heldout.Gather(""))
	}
	if err := r.makeWorkDir(); err != nil {
		return err
	}
	dir := r.opts.workDir()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot make the directory for the state of the run: %w", err)
	}
	if r.temporary == nil {
		defer os.Remove(dir) // fails if the directory is not empty; a run from files makes it again
	}
	return errors.Join(r.docs.Gather(filepath.Join(dir, trainFile)), r.heldout.Gather(filepath.Join(dir, heldFile)))
}

// dropDocs releases what gather made.
func (r *run) dropDocs() {
	_ = closeViews(r.corpus, r.docs, r.heldout) // they were only read
	r.dropTemporary()
}

// dropTemporary removes the directory of makeWorkDir unless it belongs to the model.
func (r *run) dropTemporary() {
	if r.temporary != nil {
		r.temporary.Abort()
		r.temporary = nil
	}
}

// closeViews closes views of a corpus, but not the corpus itself, which belongs to the caller.
func closeViews(c *corpus.Corpus, views ...*corpus.Corpus) error {
	var faults []error
	for _, v := range views {
		if v != nil && v != c {
			faults = append(faults, v.Close())
		}
	}
	return errors.Join(faults...)
}

// The files of gather. They have names only until they are written.
const trainFile, heldFile = "training-documents", "heldout-documents"

// placeInFiles makes the engine that works from files.
func (r *run) placeInFiles(p *sampler.Problem) error {
	if err := r.makeWorkDir(); err != nil {
		return err
	}
	files, err := ondisk.NewEngine(ondisk.Config{
		Sampler: r.chosen.Sampler, Problem: p, Dir: r.opts.workDir(), Budget: r.spending, Release: r.docs.Release, Round: r.commitRound,
	})
	if err != nil {
		return err
	}
	// The program itself and mapped files (positions of documents, and the vocabulary when the model is
	// written) are outside Go's memory limit.
	mapped := int64(40<<20 + 8*r.docs.NumDocs() + 16*r.corpus.NumWords())
	r.memoryLimit = max(r.opts.Memory/2, r.opts.Memory/10*9-mapped)
	r.engine, r.model = files, func(context.Context) (*Model, error) { return r.modelFromFiles(files) }
	return nil
}

// commitRound makes the files between two rounds of an iteration the state to resume from. Only the topics
// have changed since the iteration before.
func (r *run) commitRound() error {
	if r.opts.Checkpoint == "" {
		return nil
	}
	state, err := r.checkpoint(r.iteration - 1)
	if err != nil {
		return err
	}
	if _, err := r.writeState(state); err == nil { // a fault is reported at the end of the iteration
		r.savedFiles = state.Parts
	}
	return r.engine.Keep(r.savedFiles)
}

// restoreBefore goes back to the checkpoint before the last one if not all files of the last one reached
// the disk. Without an older checkpoint it returns the fault.
func (r *run) restoreBefore(fault error) error {
	if !errors.Is(fault, ondisk.ErrDamaged) {
		return fault
	}
	state, err := readCheckpoint(statefile.Before(r.opts.Checkpoint))
	if err != nil || state.Corpus != r.corpus.Fingerprint() || state.Options.difference(r.record) != "" || r.restore(state) != nil {
		return fault
	}
	r.resumeAt(state)
	return nil
}

// kept adds to an error about files which checkpoint is left.
func (r *run) kept(err error) error {
	if !errors.Is(err, engine.ErrMend) || r.opts.Checkpoint == "" || r.saved == 0 {
		return err
	}
	return fmt.Errorf("%w: the run up to iteration %d is kept: resume when that is fixed", err, r.saved)
}

// modelFromFiles writes the model's arrays beside the run's files, one after the other, and opens them.
func (r *run) modelFromFiles(files *ondisk.Engine) (*Model, error) {
	if err := files.Err(); err != nil {
		return nil, err
	}
	r.tellDone()
	dir := filepath.Join(r.opts.workDir(), "model")
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o777)); err != nil {
		return nil, err
	}
	r.phase("write the model", 0, 0)
	m := r.newModel(files.TopicTotals())
	var state modelfile.Streamed = files
	if live := r.liveTopics(m); live != nil {
		state = live.Stream(files)
	}
	stored, err := m.stream(dir, state)
	if err == nil {
		err = r.checkModel(stored)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	stored.stored.temporary, r.temporary = r.temporary, nil
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
			os.RemoveAll(filepath.Join(dir, trainFile)), os.RemoveAll(filepath.Join(dir, heldFile)), os.RemoveAll(filepath.Join(dir, ondisk.RunFile)))
		_ = os.Remove(dir) // fails if other files are there, or the lock file, which takes the directory with it
	}
	return errors.Join(faults...)
}

// ErrInconsistent is wrapped by the error about a model whose counts do not add up: the machine or this
// program has miscounted. The checkpoint is kept.
var ErrInconsistent = errors.New("the counts of the model do not add up")

// corpusFault adds to an error about a corpus file that was lost or changed during the run which checkpoint
// is left. r is nil if the run had not begun.
func (r *run) corpusFault(err error) error {
	if !errors.Is(err, guard.ErrFileLost) && !errors.Is(err, corpus.ErrChanged) || r == nil || r.saved == 0 {
		return err
	}
	return fmt.Errorf("%w: the run up to iteration %d is kept in %s; restore the corpus file, then resume", err, r.saved, r.opts.Checkpoint)
}

// checkModel checks that a model adds up before the state that it was made from is removed.
func (r *run) checkModel(m *Model) error {
	if err := m.has.Check(); err != nil {
		return fmt.Errorf("%w: %w: resume to go on from the last checkpoint, and check the machine's memory and disk if it happens again", ErrInconsistent, err)
	}
	return nil
}
