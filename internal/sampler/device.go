package sampler

import (
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

// NewOn makes the sampler called name for p on a device. Its results are those of
// the sampler that New makes.
func NewOn(name string, p *Problem, d *device.Device) (Remote, error) {
	info, ok := Find(name)
	switch {
	case !ok:
		return nil, fmt.Errorf("unknown sampler %q", name)
	case info.NewOn == nil:
		return nil, fmt.Errorf("sampler %q runs on the CPU only", name)
	}
	return info.NewOn(p, d)
}
