package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// onDevice keeps the state on a GPU. Its memory has the state at the last fetch.
type onDevice struct {
	memory
	remote  sampler.Remote
	devices []*device.Device
	place   string
	failed  bool   // something on a device has
	fetched bool   // memory has the present state
	topics  Topics // of the present state, if somebody has asked for them; never written again
}

// OnDevice makes an engine that samples on d, which it leaves when it is closed. place names d.
func OnDevice(info sampler.Info, p *sampler.Problem, d *device.Device, place string) (Engine, error) {
	remote, err := info.On(p, d)
	if err != nil {
		return nil, err
	}
	d.Limit(0) // what scoring takes for a moment, up to 64 MB, comes on top
	return &onDevice{memory: keep(remote, info, p), remote: remote, devices: []*device.Device{d}, place: place}, nil
}

// OnDevices makes an engine that samples on several devices, which are closed with it. place names them.
func OnDevices(info sampler.Info, p *sampler.Problem, devices []*device.Device, place string) (Engine, error) {
	remote, err := sampler.NewSeveral(info, p, devices)
	if err != nil {
		return nil, err
	}
	return &onDevice{memory: keep(remote, info, p), remote: remote, devices: devices, place: place}, nil
}

func (o *onDevice) Place() string { return o.place }

func (o *onDevice) Start(priors *sampler.Priors) error { return o.noted(o.memory.Start(priors)) }

func (o *onDevice) Restore(state *State, priors *sampler.Priors) error {
	return o.noted(o.memory.Restore(state, priors))
}

func (o *onDevice) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	o.fetched, o.topics = false, Topics{}
	return o.noted(o.memory.Sweep(ctx, iteration, priors))
}

func (o *onDevice) Wait() error {
	if o.can.Settle == nil {
		return nil
	}
	return o.noted(o.can.Settle())
}

// noted notes whether something has failed: no other run is to have the device then.
func (o *onDevice) noted(err error) error {
	o.failed = o.failed || err != nil
	return err
}

// fetch brings the present state to memory.
func (o *onDevice) fetch() error {
	if o.fetched {
		return nil
	}
	err := o.remote.Fetch()
	o.fetched = err == nil
	return o.noted(err)
}

func (o *onDevice) Statistics() (*counts.Histograms, error) {
	if o.can.Statistics != nil {
		h, err := o.can.Statistics()
		return h, o.noted(err)
	}
	if err := o.fetch(); err != nil {
		return nil, err
	}
	return o.memory.Statistics()
}

func (o *onDevice) Counts(words func() []uint32) (Counts, error) {
	if o.can.Excerpt != nil {
		some, err := o.can.Excerpt(words())
		if o.noted(err) != nil {
			return nil, err
		}
		if some != nil {
			return excerpt{some}, nil
		}
	}
	if err := o.fetch(); err != nil {
		return nil, err
	}
	return o.memory.Counts(words)
}

func (o *onDevice) Topics() (Topics, error) {
	if o.topics.Len() > 0 {
		return o.topics, nil
	}
	err := o.fetch()
	if err != nil {
		return Topics{}, err
	}
	if o.can.LendTopics != nil {
		o.topics = Topics{Narrow: o.can.LendTopics()}
	}
	if o.topics.Len() == 0 {
		o.topics, err = o.memory.Topics()
	}
	return o.topics, err
}

func (o *onDevice) Save() (*State, error) {
	z, err := o.Topics()
	if err != nil {
		return nil, err
	}
	if o.can.FetchExtra != nil {
		if err := o.noted(o.can.FetchExtra()); err != nil {
			return nil, err
		}
	}
	return o.saved(z), nil
}

// closing is held for reading while devices are being closed.
var closing sync.RWMutex

// Close leaves the device to the next run, if there is one and nothing has failed. If there is none, it is closed
// beside what comes next, usually the writing of a model: that takes a tenth of a second.
func (o *onDevice) Close() error {
	d := o.devices[0]
	switch {
	case o.failed:
		return closeAll(o.devices)
	case !d.Cached():
		CloseBehind(o.devices...)
		return nil
	}
	if err := device.FirstError(d.Wait(), o.remote.Close()); err != nil {
		return errors.Join(err, d.Close())
	}
	return d.Leave()
}

// CloseBehind starts to close devices that nobody uses any more and on which nothing has failed, and returns.
func CloseBehind(devices ...*device.Device) {
	closing.RLock()
	guard.Go(func() {
		defer closing.RUnlock()
		_ = closeAll(devices)
	})
}

// closeAll closes devices.
func closeAll(devices []*device.Device) error {
	faults := lists.Of(devices, func(d *device.Device) error { return d.Close() })
	return device.FirstError(faults...)
}

// EveryWord lists a whole vocabulary, for Counts.
func EveryWord(v int) func() []uint32 {
	return func() []uint32 {
		list := make([]uint32, v)
		for w := range list {
			list[w] = uint32(w)
		}
		return list
	}
}
