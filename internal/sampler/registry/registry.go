// Package registry lists the samplers. Adding one means a package and a line here.
package registry

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/cvb"
	"github.com/topoi-lda/topoi/internal/sampler/light"
	"github.com/topoi-lda/topoi/internal/sampler/published"
	"github.com/topoi-lda/topoi/internal/sampler/warp"
)

// registry lists every sampler, in the order in which help texts show them.
var registry = []sampler.Info{
	published.Gibbs,
	published.Sparse,
	batch.Info,
	batch.ListsInfo,
	batch.PanelInfo,
	published.Alias,
	light.Info,
	warp.Info,
	published.Grid,
	cvb.Extend(published.CVB),
	published.Mean,
}

// List returns all samplers in the order in which help texts show them.
func List() []sampler.Info { return registry }

// Find returns the sampler called name.
func Find(name string) (sampler.Info, bool) {
	for _, info := range registry {
		if info.Name == name {
			return info, true
		}
	}
	return sampler.Info{}, false
}

// New makes the sampler called name for p.
func New(name string, p *sampler.Problem) (sampler.Sampler, error) {
	info, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("unknown sampler %q", name)
	}
	if p.Tuning.Staleness > 0 {
		return sampler.NewStale(info, p)
	}
	return info.New(p)
}

// NewOn makes the sampler called name for p on a device. Its results are those of
// the sampler that New makes.
func NewOn(name string, p *sampler.Problem, d *device.Device) (sampler.Remote, error) {
	info, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("unknown sampler %q", name)
	}
	return info.On(p, d)
}

// NewOnSeveral makes the sampler called name on several devices.
func NewOnSeveral(name string, p *sampler.Problem, devices []*device.Device) (sampler.Remote, error) {
	info, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("unknown sampler %q", name)
	}
	return sampler.NewSeveral(info, p, devices)
}

// NewPlan cuts the corpus of p, whose words need not be there, for the sampler
// called name.
func NewPlan(name string, p *sampler.Problem) (*sampler.Plan, error) {
	info, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("unknown sampler %q", name)
	}
	return sampler.PlanFor(info, p)
}
