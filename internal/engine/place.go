package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// cpu is the place that is always there.
const cpu = "cpu"

// GPUTokens is how many tokens "auto" wants before it takes a GPU for training: below,
// the CPU is done before the GPU is ready. Tests make it smaller.
var GPUTokens = 1 << 20

// Where describes where training, a worker or inference is to compute.
type Where struct {
	Device string // "cpu", "cuda" or "cuda:N" for a GPU, or "auto"; where Many is set also "cuda:N,M" or "cuda:all" for several
	Memory int64  // bytes of a GPU's memory to use; 0: what is free
	Many   bool   // several GPUs may share the work

	// Open opens a GPU; nil: OpenDevice. Tests have emulated ones.
	Open func(ordinal int) (*device.Device, error)

	// Devices keeps a GPU open for the next run; nil: it is closed. Several GPUs that
	// share the work are always opened anew.
	Devices *device.Cache
}

// OpenDevice opens a GPU. Tests have emulated ones.
var OpenDevice = device.Open

// Validate returns all faults.
func (w Where) Validate() error {
	var faults []error
	list, ok := ordinals(w.Device)
	switch {
	case w.Device == "auto" || w.Device == cpu:
	case !ok && w.Many:
		faults = append(faults, fmt.Errorf("unknown device %q: it must be auto, cpu, cuda, cuda:N, cuda:N,M,… or cuda:all", w.Device))
	case !ok:
		faults = append(faults, fmt.Errorf("unknown device %q: it must be auto, cpu, cuda or cuda:N", w.Device))
	case len(list) != 1 && !w.Many:
		faults = append(faults, fmt.Errorf("device %q is several GPUs, and this is work for one: name it as cuda:N",
			w.Device))
	}
	if w.Memory < 0 {
		faults = append(faults, fmt.Errorf("the device memory to use is %d bytes: it must not be negative", w.Memory))
	}
	return errors.Join(faults...)
}

// ordinals reads the numbers in "cuda" (0), "cuda:N" and "cuda:N,M"; "cuda:all" has none.
func ordinals(name string) (list []int, ok bool) {
	rest, ok := strings.CutPrefix(name, "cuda")
	if !ok || rest == "" {
		return []int{0}, ok
	}
	if rest == ":all" {
		return nil, true
	}
	numbers, ok := strings.CutPrefix(rest, ":")
	for digits := range strings.SplitSeq(numbers, ",") {
		n, err := strconv.ParseUint(digits, 10, 16)
		list, ok = append(list, int(n)), ok && err == nil
	}
	return list, ok
}

// several returns the numbers of the GPUs that are to share the work; one, or none, if it is not to be shared.
func (w Where) several() ([]int, error) {
	list, ok := ordinals(w.Device)
	if !ok || list != nil {
		return list, nil
	}
	devices, err := cuda.Devices()
	if err != nil {
		return nil, err
	}
	for _, d := range devices {
		if d.Usable() {
			list = append(list, d.Ordinal)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("none of the %d GPUs can be used (%w)", len(devices), cuda.ErrNoDevice)
	}
	return list, nil
}

// One is w with the first of several GPUs that it names; others says whether there are more.
func (w Where) One() (one Where, others bool, err error) {
	list, err := w.several()
	if err != nil || len(list) < 2 {
		return w, false, err
	}
	w.Device = fmt.Sprintf("cuda:%d", list[0])
	return w, true, nil
}

// Asked reports whether a GPU was asked for by name.
func (w Where) Asked() bool { return w.Device != "auto" && w.Device != cpu }

// Ahead begins to open the GPU that was asked for, which takes a quarter of a second. Call it before the corpus is
// opened.
func (w Where) Ahead() {
	if list, ok := ordinals(w.Device); ok && len(list) == 1 {
		cuda.OpenAhead(list[0])
	}
}

// wants reports whether to look for a GPU: if one was asked for, or "auto" finds it worth it.
func (w Where) wants(worth bool) bool { return w.Asked() || w.Device == "auto" && worth }

// Place calls use with a GPU and its name: with the one that was asked for, or, if the choice was left to "auto" and
// a GPU is worth it, with the first one. placed says whether use has taken it; it closes the device then. Else the
// CPU is to do the work: because nobody wants a GPU, or because "auto" found none that is of use, and then why says
// what is wrong with it, unless it is that there is none.
func (w Where) Place(worth bool, use func(d *device.Device, name string) error) (placed bool, why, err error) {
	if !w.wants(worth) {
		return false, nil, nil
	}
	err = w.use(use)
	switch {
	case err == nil:
		return true, nil, nil
	case w.Asked() || !dispensable(err):
		return false, nil, err
	case cuda.Unavailable(err):
		return false, nil, nil
	}
	return false, err, nil
}

// use opens the GPU and hands it over. One that an earlier run has left may have been lost
// since, or have less memory than a fresh one: if it fails, it is opened anew.
func (w Where) use(use func(d *device.Device, name string) error) error {
	n := 0 // for "auto" too
	if list, _ := ordinals(w.Device); len(list) > 0 {
		n = list[0]
	}
	for {
		d, waited, err := w.open(n)
		if err != nil {
			return err
		}
		if err = use(d, fmt.Sprintf("cuda:%d (%s)", n, d.Name())); err == nil {
			return nil
		}
		_ = d.Close() // a lost device cannot be closed in order, and that is no second fault
		if !waited {
			return err
		}
	}
}

// open opens a GPU, of whose memory so much may be used as Where says, or takes the one that has waited for it.
func (w Where) open(n int) (d *device.Device, waited bool, err error) {
	closing.Lock() // the memory of devices that are being closed is wanted
	defer closing.Unlock()
	open := w.Open
	if open == nil {
		open = OpenDevice
	}
	if d, waited, err = w.Devices.Open(n, open); err == nil {
		d.Limit(w.Memory)
	}
	return d, waited, err
}

// onSeveral makes the engine of a run that several GPUs share.
func (w Where) onSeveral(info sampler.Info, p *sampler.Problem, list []int) (Engine, error) {
	var devices []*device.Device
	var names []string
	w.Devices = nil
	for _, n := range list {
		d, _, err := w.open(n)
		if err != nil {
			_ = closeAll(devices)
			return nil, err
		}
		devices = append(devices, d)
		names = append(names, fmt.Sprintf("cuda:%d (%s)", n, d.Name()))
	}
	e, err := OnDevices(info, p, devices, strings.Join(names, " and "))
	if err != nil {
		_ = closeAll(devices) // as in use
	}
	return e, err
}

// Replaceable reports whether work that failed with err on a GPU can go on by the CPU
// instead, with the same result: if "auto" has chosen the GPU, and the GPU is to blame.
func (w Where) Replaceable(err error) bool {
	failed := errors.Is(err, cuda.ErrDeviceLost) || errors.Is(err, cuda.ErrRefused)
	return w.Device == "auto" && err != nil && (failed || dispensable(err))
}

// dispensable reports whether a GPU that fails so is one that "auto" can do without.
func dispensable(err error) bool {
	return cuda.Unavailable(err) || errors.Is(err, cuda.ErrOutOfMemory) || errors.Is(err, sampler.ErrNotOnDevice)
}

// New makes the engine of a run in memory: on a GPU or by the CPU. worth says whether
// "auto" should look for a GPU, why as Where.Place.
func New(info sampler.Info, p *sampler.Problem, where Where, worth bool) (e Engine, why, err error) {
	list, err := where.several()
	if err != nil || len(list) > 1 {
		if err == nil {
			e, err = where.onSeveral(info, p, list)
		}
		return e, nil, err
	}
	if where.wants(worth) {
		own, done := info.Ahead(p)
		defer done()
		p = own
	}
	placed, why, err := where.Place(worth, func(d *device.Device, place string) (err error) {
		e, err = OnDevice(info, p, d, place)
		return err
	})
	if !placed && err == nil {
		e, err = InMemory(info, p)
	}
	return e, why, err
}
