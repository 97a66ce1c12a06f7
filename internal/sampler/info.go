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

	// Tables returns the bytes of the tables whose size grows with V · K or
	// D · K; nil for samplers that have none.
	Tables func(p *Problem) uint64

	New func(p *Problem) (Sampler, error)

	// NewOn makes the form that runs on a GPU; nil if there is none.
	NewOn func(p *Problem, d *device.Device) (Remote, error)

	// Lay makes what all forms begin with and take from Problem.Laid; nil if that is a grid as Cutting
	// says, which they take from Problem.Grids.
	Lay func(p *Problem) any

	// Racy says that the form that runs on a GPU is not repeatable: two runs give two
	// results. It must be asked for.
	Racy bool

	// Busy tells whether p has work enough at once to keep a GPU busy; nil: always.
	Busy func(p *Problem) bool

	// Exact lists the choices under which its stationary distribution is the posterior
	// p(z | w) itself. Near is how far from it the default choices may be, as the
	// largest distance in total variation in problems of a few tokens: 0 if they are
	// exact, 1 if it draws from no chain, so that tests of its own must judge it. Tests over all
	// samplers hold it to both, so one of the two must be stated.
	Exact []Tuning
	Near  float64

	// Guided reports whether the sampler knows Problem.Pseudo; nil: it does not.
	Guided func(p *Problem) bool

	// Grouped says that the sampler knows Problem.Groups.
	Grouped bool

	// Files says how it works from files, where memory is short.
	Files Files

	// Cutting says how it works on a part of a corpus; nil if it cannot.
	Cutting *Cutting
}

// WorthGPU says whether a choice between CPU and GPU that must not change the result
// should fall on a GPU.
func (info Info) WorthGPU(p *Problem) bool {
	return info.NewOn != nil && !info.Racy && p.Groups == nil && (info.Busy == nil || info.Busy(p))
}

// Draws says whether it draws topics, and does not estimate their probabilities.
func (info Info) Draws() bool { return info.Near < 1 }

// Always is Info.Guided of samplers that take pseudo-counts in every problem.
func Always(*Problem) bool { return true }

// DenseTable is Info.Tables of samplers that keep n_wk as V × K values of 32 bits.
func DenseTable(p *Problem) uint64 { return 4 * uint64(p.V) * uint64(p.K) }

// Make makes the form that runs on the CPU, all in memory.
func (info Info) Make(p *Problem) (Sampler, error) {
	if p.Tuning.Staleness > 0 {
		return NewStale(info, p)
	}
	return info.New(p)
}

// InParts says whether the sampler can work on a part of a corpus.
func (info Info) InParts() bool { return info.Cutting != nil }

// Ahead begins, in the background, with what the sampler begins with, whether on a GPU or not: a GPU takes a while
// to be opened. own is the problem to make the sampler of; done, to be called when it is made or nobody
// wants it any more, waits for what is under way and keeps nothing.
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

// Laid gives what Info.Lay has made ahead, once; nil if that is nothing.
func (p *Problem) Laid() any {
	if p.laid == nil {
		return nil
	}
	return p.laid()
}

// On makes the form that runs on a GPU, or says why there is none.
func (info Info) On(p *Problem, d *device.Device) (Remote, error) {
	switch {
	case p.Groups != nil:
		return nil, fmt.Errorf("priors for groups of documents, by labels or covariates, have no GPU form (%w): train with Options.Device = cpu", ErrNotOnDevice)
	case p.Tuning.Staleness > 0:
		return nil, fmt.Errorf("sampler %q with staleness %w: train it with Options.Device = cpu", info.Name, ErrNotOnDevice)
	case info.NewOn == nil:
		return nil, fmt.Errorf("sampler %q %w: train it with Options.Device = cpu", info.Name, ErrNotOnDevice)
	}
	return info.NewOn(p, d)
}
