package sampler

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/device"
)

// Remote is a sampler whose state lives on a device. What its other methods tell
// is the state at the last Fetch.
type Remote interface {
	Sampler

	// Fetch copies the state from the device.
	Fetch() error

	// Close gives the device's memory back.
	Close() error
}

// Settling is implemented by remote samplers whose Sweep returns before the device is
// done with it, so that the next one can be put behind it.
type Settling interface {
	// Settle waits until all sweeps are done.
	Settle() error
}

// ErrNotOnDevice is wrapped by errors of samplers, or choices inside them, that run
// on the CPU only.
var ErrNotOnDevice = errors.New("runs on the CPU only")

// NewOn makes the sampler called name for p on a device. Its results are those of
// the sampler that New makes.
func NewOn(name string, p *Problem, d *device.Device) (Remote, error) {
	info, ok := Find(name)
	switch {
	case !ok:
		return nil, fmt.Errorf("unknown sampler %q", name)
	case p.Tuning.Staleness > 0:
		return nil, fmt.Errorf("sampler %q with staleness %w: train it with --device cpu", name, ErrNotOnDevice)
	case info.NewOn == nil:
		return nil, fmt.Errorf("sampler %q %w: train it with --device cpu", name, ErrNotOnDevice)
	}
	return info.NewOn(p, d)
}

// flatten takes lists among arguments of a launch apart.
func flatten(args []any) []any {
	var flat []any
	for _, arg := range args {
		if list, ok := arg.([]any); ok {
			flat = append(flat, flatten(list)...)
		} else {
			flat = append(flat, arg)
		}
	}
	return flat
}

// spread is the shape of a launch for n things, one a thread at a time, with at most
// so many blocks of threads for each processor.
func spread(d *device.Device, n, threads, shared, blocks int) device.Shape {
	return device.Shape{Blocks: min((n+threads-1)/threads, blocks*d.Processors()), Threads: threads, Shared: shared}
}

// inRuns calls f with runs of the numbers 0 … n-1, from several goroutines.
func inRuns(threads, n int, f func(first, last int)) {
	const run = 1 << 18
	_ = parallel(context.Background(), threads, (n+run-1)/run, func(_, i int) { f(i*run, min(n, (i+1)*run)) })
}

// keptTopics is where the topics of a load are between sweeps: on the device if it stays
// there, else where it is sent from.
type keptTopics struct {
	home  *device.Buffer[uint16]
	n     int // tokens of a load that stays
	stage *device.Host[uint16]
}

// set lets fill write the topics.
func (k keptTopics) set(fill func(topics []uint16)) error {
	if k.home == nil {
		fill(k.stage.Slice())
		return nil
	}
	topics := make([]uint16, k.n)
	fill(topics)
	return k.home.Upload(topics)
}

// get lets take read the topics.
func (k keptTopics) get(take func(topics []uint16)) error {
	if k.home == nil {
		take(k.stage.Slice())
		return nil
	}
	topics := make([]uint16, k.n)
	err := k.home.Download(topics)
	take(topics)
	return err
}

// firstError returns the first error. A lost device fails in every call after the one
// that lost it, and one sentence about it is enough.
func firstError(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

func flag(on bool) uint32 {
	if on {
		return 1
	}
	return 0
}
