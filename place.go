package topoi

import (
	"fmt"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// openDevice opens a GPU. Tests have emulated ones.
var openDevice = func(ordinal int) (*device.Device, error) { return engine.OpenDevice(ordinal) }

// where says where to compute.
func where(name string, memory int64) engine.Where {
	return engine.Where{Device: name, Memory: memory, Open: openDevice}
}

// place makes the engine where the options ask for it.
func (r *run) place(p *sampler.Problem) error {
	if r.spending != nil {
		return r.placeInFiles(p)
	}
	info := r.chosen.Sampler
	place, fewer, err := r.where(info)
	if err != nil {
		return err
	}
	e, why, err := engine.New(info, p, place, info.WorthGPU(p) && p.N() >= engine.GPUTokens)
	if err != nil {
		return err
	}
	r.engine, r.model = e, r.modelInMemory
	if info.Racy && e.Place() != "cpu" {
		r.record.Device = "cuda"
	}
	if why != nil {
		r.caution(fmt.Errorf("training on the CPU because the GPU cannot be used: %w", why))
	}
	if fewer != nil {
		r.caution(fewer)
	}
	return nil
}

// caution tells of what is not as it was asked for.
func (r *run) caution(err error) {
	if r.opts.Events.Warning != nil {
		r.opts.Events.Warning(WarningInfo{Err: err})
	}
}

// where says where to compute. The sampler that "auto" has chosen may have no form for
// the several GPUs that were asked for: then it is the first of them, and fewer says
// why. A device never chooses the model.
func (r *run) where(info sampler.Info) (place engine.Where, fewer, err error) {
	place = where(r.opts.Device, r.opts.DeviceMemory)
	place.Many = true
	_, place.Devices = r.opts.Shared.caches()
	if r.opts.Sampler != "auto" || info.InParts() {
		return place, nil, nil
	}
	one, others, err := place.One()
	if err != nil || !others {
		return place, nil, err
	}
	return one, fmt.Errorf("training on %s alone: sampler %q, which auto has chosen, cannot use several GPUs; warp can", one.Device, info.Name), nil
}

// countsOf returns the counts of the words that occur in docs, at least.
func (r *run) countsOf(docs *corpus.Corpus) (engine.Counts, error) {
	return r.engine.Counts(func() []uint32 { return counts.Occurring(docs.Tokens(), docs.NumWords()) })
}

// leave gives back what the run holds.
func (r *run) leave() {
	r.endWriting()
	if r.engine != nil {
		_ = r.engine.Close() // everything of worth has been saved or handed over
		r.engine = nil
	}
	if !r.handed {
		r.dropDocs()
	}
	r.dropTemporary()
}
