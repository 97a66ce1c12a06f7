package cluster

import (
	"errors"
	"fmt"
	"strings"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/training"
)

// workplace is where a worker samples its parts.
type workplace struct {
	plan *sampler.Plan
	gpu  *device.Device // nil: the CPU
	name string         // for status
	auto bool           // the CPU will do as well
}

// place finds where the worker is to sample. "auto" is the first GPU if there is one,
// the sampler has a form for it, and the job has tokens enough to be worth it.
func (how WorkOptions) place(p *plan) (*workplace, error) {
	w := &workplace{plan: p.plan, name: "cpu", auto: how.Device == "auto"}
	fault := p.plan.DeviceFault()
	switch {
	case how.Device == "cpu", w.auto && (fault != nil || p.run.Problem().N() < *training.GPU.Tokens):
		return w, nil
	case fault != nil:
		return nil, fault
	}
	ordinal, _ := training.GPU.Ordinal(how.Device) // 0 for "auto"
	err := w.open(how.open, ordinal, how.DeviceMemory)
	if w.auto && err != nil && training.GPU.Dispensable(err) {
		return w, nil
	}
	return w, err
}

// open takes a GPU.
func (w *workplace) open(open func(ordinal int) (*device.Device, error), ordinal int, memory int64) error {
	if open == nil {
		open = device.Open
	}
	d, err := open(ordinal)
	if err != nil {
		return err
	}
	d.Limit(memory)
	w.gpu = d
	if err := w.plan.PlaceOn(d); err != nil {
		w.leave()
		return err
	}
	w.name = fmt.Sprintf("cuda:%d (%s)", ordinal, d.Name())
	return nil
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
func (w *workplace) replace(err error, tell func(string)) bool {
	failed := errors.Is(err, cuda.ErrDeviceLost) || errors.Is(err, cuda.ErrRefused)
	if w.gpu == nil || !w.auto || err == nil || !failed && !training.GPU.Dispensable(err) {
		return false
	}
	w.leave()
	if tell != nil {
		first, _, _ := strings.Cut(err.Error(), "\n") // one sentence about a lost device is enough
		tell("joining again without the GPU: " + first)
	}
	return true
}
