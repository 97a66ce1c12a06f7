package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
)

// Kernel is a sampler that can sample its problem as a part. Words are numbered as in the problem.
type Kernel interface {
	Start(z []uint32, priors *Priors) error
	Topics(z []uint32)

	// Round resamples the documents first … last-1 of the problem, which are those in one round.
	Round(ctx context.Context, iteration, first, last int, model *Frozen, priors *Priors) error

	// AddMoves passes n the moves of word w's tokens in the last round. It may leave out tokens
	// whose topic did not change.
	AddMoves(w int, n *Net)

	// Memory and Restore do what those of PartTopics say.
	Memory() []byte
	Restore(iteration int)

	// Documents returns the histograms of the problem's documents.
	Documents() *counts.Histograms

	// Capabilities returns the optional functions of the kernel. It is called once.
	Capabilities() KernelCapabilities
}

// KernelCapabilities are functions that a kernel may leave nil. Those without a comment do what the
// methods of Part with their names say.
type KernelCapabilities struct {
	EachTopics   func(f func(z []uint32) error) error
	NarrowTopics func(z []uint16) (bool, error)
	TokenTotals  func(totals []uint64) bool

	// BringNear loads the tokens of word w and of some words after it into the cache, and returns
	// the first word whose tokens it did not load.
	BringNear func(w int) (end int)
}

// Cutting describes how a sampler works on parts.
type Cutting struct {
	Limits func(p *Problem) grid.Limits // of a block; the same for a part as for its whole corpus
	Rounds func(t Tuning, iteration int) int
	Ends   func(p *Problem, blocks []grid.Block, rounds int) []int // the document at which each round ends
	Kernel func(p *Problem, old Kernel) Kernel                     // reuses the memory of old, which may be nil
	Check  func(t Tuning) error                                    // nil: any tuning

	Slicewise bool // kernels take rows from Frozen.Sliced

	// On returns what parts share on a device; nil if they cannot be sampled there. OnFault returns
	// an error if those of this corpus cannot.
	On      func(p *Problem, d *device.Device) *PartsOn
	OnFault func(p *Problem) error
	Several bool // several devices of a process may have a part each
}

// PartsOn is the device memory that the parts of a plan share; it grows to the needs of the largest
// part. A part's state stays on the host. In a round its tokens pass through the device in loads,
// as those of a corpus that does not fit there.
type PartsOn struct {
	// Kernel returns a part's kernel, which allocates nothing on the device before its first round.
	Kernel func(p *Problem) Kernel

	// Close frees the device's memory.
	Close func() error

	// Bound sets the largest number of tokens in a load and, where that can be chosen, the number
	// of blocks of threads. Tests make both small.
	Bound func(tokens, blocks int)
}
