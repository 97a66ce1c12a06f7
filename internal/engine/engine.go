// Package engine is where a training run happens: in memory, on a GPU, by the workers of a cluster, or from files
// within a memory budget (package ondisk). The training loop holds one engine and knows nothing of which it is.
//
// An engine joins a sampler (package sampler), which says what is computed, to a place,
// which says where the state is. Results do not depend on the place.
package engine

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/topics"
)

// Engine is one training run's state, and what changes it. Start or Restore comes
// first, Close last. Its methods are for one goroutine.
type Engine interface {
	// Place names where the state is, for people: "cpu", "cuda:0 (NVIDIA H200)", "cluster".
	Place() string

	// Start sets the sampler's own initial state.
	Start(priors *sampler.Priors) error

	// Restore sets a state that Save gave, in this run or another of the same corpus
	// and options. Its error is an Elsewhere if another kind of engine saved it.
	Restore(state *State, priors *sampler.Priors) error

	// Sweep resamples every token once. Iterations are numbered from 1. It may return
	// before the sweep is done: Wait waits for it, and so do all other methods.
	Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error

	// Wait waits until all sweeps are done.
	Wait() error

	// Statistics counts what priors and likelihoods follow from.
	Statistics() (*counts.Histograms, error)

	// Counts returns n_k, and n_wk of some words or all. words lists those that are needed, distinct and increasing;
	// it is asked where that helps. What Counts returns is valid until the next Sweep.
	Counts(words func() []uint32) (Counts, error)

	// Topics returns the topics of all tokens.
	Topics() (Topics, error)

	// Save returns the state in a form to keep. Where that names files, these are the
	// state, and stay until Keep is told of another one.
	Save() (*State, error)

	// SaveEvery returns after how many iterations Save and Keep are to be called, where asked is what a user wants.
	SaveEvery(asked int) int

	// ExtraBytes returns how many bytes Save has to make beside the topics, if they are many.
	ExtraBytes() int64

	// Keep removes what neither the present state nor a saved one needs: the State.Files of the
	// last checkpoint that could be written, nil if there is none or it names no files.
	Keep(saved json.RawMessage) error

	// Sync waits until what Save returned will outlast the machine's end.
	Sync() error

	// Close gives back what the engine holds. Counts and topics that it gave stay valid.
	Close() error
}

// Counts are n_k, and n_wk of some words or all.
type Counts interface {
	counts.Rows

	// TopicTotals returns n_k. The caller does not change it.
	TopicTotals() []uint64

	// Err returns the first fault that kept a row from being read, or nil.
	Err() error
}

// Topics holds z, the topic of every token in corpus order.
type Topics = topics.List

// State is all that a run must keep of an engine to go on from.
type State struct {
	Topics Topics          // z; empty if it is in files. To Restore it is given wide
	Files  json.RawMessage // names the files where it is instead; nil if it is in Topics
	Extra  []byte          // what the sampler's state is beyond z; usually empty
	Given  bool            // z is where the sampler is to begin: there is no Extra
}

// Elsewhere is the error about a state that another kind of engine saved. It says by what, and what to do.
type Elsewhere string

func (e Elsewhere) Error() string { return "the state was written by " + string(e) }

// ErrMend is wrapped by errors of Sweep that have to do with files. What was saved
// before is still there: a run can be resumed when that is mended.
var ErrMend = errors.New("files could not be read or written")

// Mend wraps an error with ErrMend without changing its text.
type Mend struct{ Fault error }

func (m Mend) Error() string   { return m.Fault.Error() }
func (m Mend) Unwrap() []error { return []error{m.Fault, ErrMend} }

// sound are counts that are at hand, so that nothing can keep them from being read, by
// several goroutines at the same time.
type sound struct {
	counts.Rows
	totals func() []uint64
}

func (s sound) TopicTotals() []uint64 { return s.totals() }
func (s sound) Err() error            { return nil }
func (s sound) Concurrent()           {}

// excerpt are sound counts of some words that can be looked at in place.
type excerpt struct{ *sampler.Excerpt }

func (e excerpt) Err() error { return nil }

// resident is shared by engines whose state is not in files.
type resident struct{}

func (resident) SaveEvery(asked int) int    { return asked }
func (resident) ExtraBytes() int64          { return 0 }
func (resident) Keep(json.RawMessage) error { return nil }
func (resident) Sync() error                { return nil }

// Scored shows counts and priors to package eval, as a model.
type Scored struct {
	Counts
	Priors *sampler.Priors
	Words  int
}

// NumTopics returns K.
func (s Scored) NumTopics() int { return len(s.Priors.Alpha) }

// NumWords returns V.
func (s Scored) NumWords() int { return s.Words }

// Alpha returns α.
func (s Scored) Alpha() []float64 { return s.Priors.Alpha }

// Beta returns β.
func (s Scored) Beta() float64 { return s.Priors.Beta }

// Rows returns n_wk.
func (s Scored) Rows() counts.Rows { return s.Counts }
