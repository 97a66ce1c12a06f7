package topoi

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// openDevice opens a GPU. Tests replace it by an emulated one.
var openDevice = func(ordinal int) (*device.Device, error) { return engine.OpenDevice(ordinal) }

// where returns the place to compute on that a name and a memory limit describe.
func where(name string, memory int64) engine.Where {
	return engine.Where{Device: name, Memory: memory, Open: openDevice}
}

// place makes the engine that the options ask for.
func (r *run) place(p *sampler.Problem) error {
	if r.spending != nil {
		return r.placeInFiles(p)
	}
	info := r.chosen.Sampler
	place, fewer, err := r.opts.where(info)
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
		r.opts.Events.warn(0, fmt.Errorf("training on the CPU because the GPU cannot be used: %w", why))
	}
	if fewer != nil {
		r.opts.Events.warn(0, fewer)
	}
	return nil
}

// where returns the place to compute on. If "auto" chose a sampler that cannot use several GPUs, it is the
// first of them, and fewer is the warning about it. The device never changes which sampler is chosen.
func (o *Options) where(info sampler.Info) (place engine.Where, fewer, err error) {
	place = where(o.Device, o.DeviceMemory)
	place.Many = true
	_, place.Devices = o.Shared.caches()
	if o.Sampler != "auto" || info.InParts() {
		return place, nil, nil
	}
	one, others, err := place.One()
	if err != nil || !others {
		return place, nil, err
	}
	return one, fmt.Errorf("training on %s alone: sampler %q, which auto has chosen, cannot use several GPUs; warp can", one.Device, info.Name), nil
}

// leave releases what the run holds.
func (r *run) leave() {
	r.saver.wait()
	if r.engine != nil {
		_ = r.engine.Close() // all results have been saved or handed over
		r.engine = nil
	}
	_ = r.docs.Close() // they were only read
	r.dir.Close()
}
