package sampler

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/device"
)

// registry lists every sampler. Adding one means a file and a line here.
var registry = []Info{
	gibbsInfo,
	sparseInfo,
	batchInfo,
	panelInfo,
	aliasInfo,
	lightInfo,
	warpInfo,
	gridInfo,
	cvbInfo,
	meanInfo,
}

// List returns all samplers in the order in which help texts show them.
func List() []Info { return registry }

// Find returns the sampler called name.
func Find(name string) (Info, bool) {
	for _, info := range registry {
		if info.Name == name {
			return info, true
		}
	}
	return Info{}, false
}

// New makes the sampler called name for p.
func New(name string, p *Problem) (Sampler, error) {
	info, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("unknown sampler %q", name)
	}
	if p.Tuning.Staleness > 0 {
		return newStale(info, p)
	}
	return info.New(p)
}

// NewOn makes the sampler called name for p on a device. Its results are those of
// the sampler that New makes.
func NewOn(name string, p *Problem, d *device.Device) (Remote, error) {
	info, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("unknown sampler %q", name)
	}
	return info.On(p, d)
}

// NewPlan cuts the corpus of p, whose words need not be there, for the sampler
// called name.
func NewPlan(name string, p *Problem) (*Plan, error) {
	info, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("unknown sampler %q", name)
	}
	return PlanFor(info, p)
}
