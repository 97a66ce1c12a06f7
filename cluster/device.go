package cluster

import (
	"strings"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// workplace is where a worker samples its parts.
type workplace struct {
	engine.Where
	plan *sampler.Plan
	gpu  *device.Device // nil: the CPU
	name string         // for status
}

// place finds where the worker is to sample. "auto" is the first GPU if there is one,
// the sampler has a form for it, and the job has tokens enough to be worth it.
func (how WorkOptions) place(p *plan) (*workplace, error) {
	w := &workplace{Where: engine.Where{Device: how.Device, Memory: how.DeviceMemory, Open: how.open}, plan: p.plan, name: "cpu"}
	fault := p.plan.DeviceFault()
	if w.Asked() && fault != nil {
		return nil, fault
	}
	_, why, err := w.Place(fault == nil && p.run.Problem().N() >= engine.GPUTokens, func(d *device.Device, name string) error {
		if err := w.plan.PlaceOn(d); err != nil {
			return err
		}
		w.gpu, w.name = d, name
		return nil
	})
	if why != nil {
		how.tell("working without the GPU: ", why)
	}
	return w, err
}

// tell tells what was wrong in one line.
func (how WorkOptions) tell(text string, err error) {
	if how.Tell != nil {
		first, _, _ := strings.Cut(err.Error(), "\n") // one sentence about a lost device is enough
		how.Tell(text + first)
	}
}

// leave gives the GPU back.
func (w *workplace) leave() {
	if w.gpu == nil {
		return
	}
	// A lost device cannot be left in order, and that is no second fault.
	_, _ = w.plan.PlaceHere(), w.gpu.Close()
	w.gpu, w.name = nil, "cpu"
}

// replace says whether work that ended with err can go on elsewhere, and goes there: to
// the CPU, if the GPU failed that was not asked for.
func (w *workplace) replace(err error, how WorkOptions) bool {
	if w.gpu == nil || !w.Replaceable(err) {
		return false
	}
	w.leave()
	how.tell("joining again without the GPU: ", err)
	return true
}
