package sampler

import (
	"errors"

	"github.com/topoi-lda/topoi/internal/counts"
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

// Lending is implemented by remote samplers whose topics may come from the device as they
// are wanted, so that they need not be copied once more.
type Lending interface {
	// LendTopics returns the topics of the last Fetch, N in corpus order, which are never
	// written again; nil if the sampler has them in another order.
	LendTopics() []uint16
}

// Keeping is implemented by remote samplers that are Extra: what SaveExtra returns is the state
// at the last FetchExtra, which copies it from the device.
type Keeping interface {
	Extra
	FetchExtra() error
}

// ErrNotOnDevice is wrapped by errors of samplers, or choices inside them, that run
// on the CPU only.
var ErrNotOnDevice = errors.New("runs on the CPU only")

// Counting is implemented by remote samplers that count on their device what
// scores and priors follow from, so that topics need not be fetched for it.
type Counting interface {
	// Statistics is Histograms of the state on the device.
	Statistics() (*counts.Histograms, error)

	// Excerpt returns n_k, and n_wk of some words, of the state on the device; nil
	// if they are so many that Fetch is the better way.
	Excerpt(words []uint32) (*Excerpt, error)
}
