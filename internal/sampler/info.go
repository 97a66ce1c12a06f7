package sampler

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/guard"
)

// Info describes a sampler to the rest of the program.
type Info struct {
	Name    string // what the user types
	Summary string // one line for help texts
	Cost    string // cost per token in the letters of the package comment
	Source  string // the paper it comes from
	MaxK    int    // largest number of topics it accepts

	// Tables returns the bytes of the tables whose size grows with V · K or D · K; nil for samplers that have none.
	Tables func(p *Problem) uint64

	New func(p *Problem) (Sampler, error)

	// NewOn makes the form that runs on a GPU; nil if there is none.
	NewOn func(p *Problem, d *device.Device) (Remote, error)

	// Lay prepares the data that all forms of the sampler begin with; they take it from Problem.Laid. It is nil if that
	// data is a grid with the limits of Cutting, which they take from Problem.Grids.
	Lay func(p *Problem) any

	// Racy means that the GPU form is not repeatable: two runs give different results. It is used only on request.
	Racy bool

	// Busy reports whether p has enough parallel work to keep a GPU busy; nil means always.
	Busy func(p *Problem) bool

	// Exact lists the choices under which the stationary distribution is the posterior p(z | w) itself. Near bounds how
	// far from it the default choices may be, as the largest distance in total variation in problems of a few tokens: 0 if
	// they are exact, 1 if the sampler is no Markov chain and needs tests of its own. The tests over all samplers check
	// both, so every sampler states at least one.
	Exact []Tuning
	Near  float64

	// Guided reports whether the sampler supports Problem.Pseudo; nil means that it does not.
	Guided func(p *Problem) bool

	// Grouped means that the sampler supports Problem.Groups.
	Grouped bool

	// Files describes how the sampler works from files when memory is short.
	Files Files

	// Cutting describes how the sampler works on a part of a corpus; nil if it cannot.
	Cutting *Cutting
}

// WorthGPU reports whether an automatic choice between CPU and GPU should take the GPU. That choice
// must not change the result.
func (info Info) WorthGPU(p *Problem) bool {
	return info.NewOn != nil && !info.Racy && (p.Groups == nil || info.Grouped && !p.Few) &&
		(info.Busy == nil || info.Busy(p))
}

// Draws reports whether the sampler draws topics, as opposed to estimating their probabilities.
func (info Info) Draws() bool { return info.Near < 1 }

// Always is the Info.Guided of samplers that take pseudo-counts in every problem.
func Always(*Problem) bool { return true }

// DenseTable is the Info.Tables of samplers that keep n_wk as V × K values of 32 bits.
func DenseTable(p *Problem) uint64 { return 4 * uint64(p.V) * uint64(p.K) }

// InParts reports whether the sampler can work on a part of a corpus.
func (info Info) InParts() bool { return info.Cutting != nil }

// Ahead starts preparing the sampler's data in the background, while the caller opens a GPU, which
// takes a while. The data serves the CPU form too. The caller makes the sampler from own, and then,
// or when it gives up, calls done, which waits for the preparation and drops what was not taken.
func (info Info) Ahead(p *Problem) (own *Problem, done func()) {
	if info.NewOn == nil || info.Cutting == nil || p.Part != nil || p.Tuning.Fresh != "" || p.Tuning.Staleness > 0 {
		return p, func() {}
	}
	var working guard.Group
	here, there := *p, *p
	if own = &here; info.Lay != nil {
		var laid any
		working.Go(func() { laid = info.Lay(&there) })
		own.laid = func() any {
			working.Wait()
			own.laid = nil
			return laid
		}
	} else {
		if p.Grids == nil {
			own.Grids = grid.Once()
		}
		there.Grids = own.Grids
		working.Go(func() { there.Grids.New(p.Offsets, p.Words, p.V, info.Cutting.Limits(p)) })
	}
	return own, func() {
		own.Grids, own.laid = p.Grids, nil
		working.Wait()
	}
}

// On returns the form of the sampler that runs on a GPU, or an error that says why there is none.
func (info Info) On(p *Problem, d *device.Device) (Remote, error) {
	switch {
	case p.Groups != nil && !info.Grouped:
		return nil, fmt.Errorf("sampler %q has one α for all documents: choose batch", info.Name)
	case p.Tuning.Staleness > 0:
		return nil, fmt.Errorf("sampler %q with staleness %w: train it with Options.Device = cpu", info.Name,
			ErrNotOnDevice)
	case info.NewOn == nil:
		return nil, fmt.Errorf("sampler %q %w: train it with Options.Device = cpu", info.Name, ErrNotOnDevice)
	}
	return info.NewOn(p, d)
}
