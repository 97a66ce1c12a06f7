// Package registry lists the samplers. Adding one means a package and a line here.
package registry

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/alias"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/cvb"
	"github.com/topoi-lda/topoi/internal/sampler/gibbs"
	"github.com/topoi-lda/topoi/internal/sampler/grid"
	"github.com/topoi-lda/topoi/internal/sampler/light"
	"github.com/topoi-lda/topoi/internal/sampler/mean"
	"github.com/topoi-lda/topoi/internal/sampler/sparse"
	"github.com/topoi-lda/topoi/internal/sampler/warp"
)

// registry lists every sampler, in the order in which help texts show them.
var registry = []sampler.Info{
	gibbs.Info,
	sparse.Info,
	batch.Info,
	batch.PanelInfo,
	alias.Info,
	light.Info,
	warp.Info,
	grid.Info,
	cvb.Info,
	mean.Info,
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

// New returns the sampler called name for p, on the CPU.
func New(name string, p *sampler.Problem) (sampler.Sampler, error) {
	info, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("unknown sampler %q", name)
	}
	return info.Make(p)
}
