package train

import (
	"fmt"
	"os"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// place makes the engine that the options ask for.
func (r *run) place(p *sampler.Problem) error {
	if r.spending != nil {
		return r.placeInFiles(p)
	}
	info := r.chosen.Sampler
	place, fewer, err := r.opts.device(info)
	if err != nil {
		return err
	}
	e, why, err := engine.New(info, p, place, info.WorthGPU(p) && p.N() >= engine.GPUTokens)
	if err != nil {
		return err
	}
	r.use(e)
	r.model = r.modelInMemory
	if info.Racy && e.Place() != "cpu" {
		r.record.Device = "cuda"
	}
	if why != nil {
		r.opts.warn(0, fmt.Errorf("training on the CPU because the GPU cannot be used: %w", why))
	}
	if fewer != nil {
		r.opts.warn(0, fewer)
	}
	return nil
}

// device returns the place to compute on. If "auto" chose a sampler that cannot use several GPUs, it is the
// first of them, and fewer is the warning about it. The device never changes which sampler is chosen.
func (o *options) device(info sampler.Info) (place engine.Where, fewer, err error) {
	place = o.where()
	_, place.Devices = o.Shared.Of().Caches()
	if o.Sampler != "auto" || info.InParts() {
		return place, nil, nil
	}
	one, others, err := place.One()
	if err != nil || !others {
		return place, nil, err
	}
	return one, fmt.Errorf("training on %s alone: sampler %q, which auto has chosen, cannot use several GPUs; warp can",
		one.Device, info.Name), nil
}

// placeInFiles makes the engine that works from files.
func (r *run) placeInFiles(p *sampler.Problem) error {
	if err := r.dir.Make(); err != nil {
		return err
	}
	files, err := ondisk.NewEngine(ondisk.Config{
		Sampler: r.chosen.Sampler, Problem: p, Dir: r.dir.Path, Budget: r.spending, Release: r.docs.Train.Release,
		Round: r.saver.commitRound,
	})
	if err != nil {
		return err
	}
	// The program itself and mapped files (positions of documents, and the vocabulary when the model is
	// written) are outside Go's memory limit.
	mapped := int64(40<<20 + 8*r.docs.Train.NumDocs() + 16*r.docs.All.NumWords())
	r.memoryLimit = max(r.opts.Memory/2, r.opts.Memory/10*9-mapped)
	r.use(files)
	r.model = func() (*topoi.Model, error) { return r.modelFromFiles(files) }
	return nil
}

// gather copies training documents and held-out documents one after the other if they are samples of the
// corpus. The copies are in memory instead of the corpus's file. Within Options.Memory they are files
// without names, mapped as the corpus is.
func (r *run) gather() error {
	if r.docs.Heldout == nil || r.opts.HoldoutLast {
		return nil
	}
	r.opts.phase("gather documents", 0, 0)
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
