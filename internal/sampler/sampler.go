// Package sampler defines what a training algorithm is: the Sampler that trains a whole corpus, the
// Kernel that samples a part of one, and the Info by which the rest of the program knows it. An
// algorithm is a package below this one and a line in the registry. Its results are a pure function
// of problem, priors, seed and iteration, whatever the number of threads.
//
// Letters used throughout:
//
//	D, V, K, N   documents, words of the vocabulary, topics, tokens
//	z            topic of each token
//	n_dk         tokens of document d with topic k
//	n_wk         tokens of word w with topic k
//	n_k          tokens with topic k
//	α_k, β       Dirichlet priors of document-topic and topic-word distributions
package sampler

import (
	"context"
	"errors"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Chain is one training run's state: a topic for every token, and the counts that follow from it.
type Chain interface {
	// Start sets the state to z, in corpus order, or to the sampler's own initial assignment when z
	// is nil. It is called once, before the first Sweep.
	Start(z []uint32, priors *Priors) error

	// Sweep resamples every token once. Iterations are numbered from 1; the number is part of every random counter, so a
	// resumed run continues exactly where the stopped one was.
	Sweep(ctx context.Context, iteration int, priors *Priors) error

	// Topics copies the current topics into z (N values, corpus order).
	Topics(z []uint32)

	// AppendRow gives n_wk, pseudo-counts included (see counts.Rows).
	counts.Rows

	// TopicTotals returns n_k as a fresh slice, pseudo-counts included.
	TopicTotals() []uint64

	// Histograms counts the sufficient statistics of the current state.
	Histograms() *counts.Histograms
}

// Sampler is a Chain in this process, on the CPU or on a device.
type Sampler interface {
	Chain

	// Capabilities returns the optional functions of the sampler. It is called once, before Start.
	Capabilities() Capabilities
}

// Remote is a sampler whose state lives on a device. Methods that read the state return that of the last Fetch.
type Remote interface {
	Sampler

	// Fetch copies the state from the device.
	Fetch() error

	// Close frees the device's memory.
	Close() error
}

// Capabilities are functions that a sampler may leave nil; each comment says what the caller does
// then. The zero value describes a sampler whose state is a topic per token and nothing else.
type Capabilities struct {
	// NarrowTopics is Chain.Topics in 16 bits, for samplers whose topics fit. If nil, Topics is called.
	NarrowTopics func(z []uint16)

	// LendTopics returns the topics of the last Fetch, N in corpus order, which the sampler never overwrites. It returns
	// nil if the sampler keeps them in another order. If nil, topics are copied.
	LendTopics func() []uint16

	// SaveExtra returns the state beyond the topics as bytes, the same on every machine. LoadExtra, called with them after
	// Start with the topics of the same moment, restores the state completely; it refuses bytes of another problem. If
	// nil, both of them, the topics are the whole state.
	SaveExtra func() []byte
	LoadExtra func(extra []byte) error

	// ExtraBytes returns an upper bound or a close estimate of the size of SaveExtra's result. If nil, it is small.
	ExtraBytes func() int64

	// FetchExtra copies from the device what SaveExtra then returns. If nil, SaveExtra needs no such call.
	FetchExtra func() error

	// Settle waits until all sweeps are done. If nil, Sweep itself waits.
	Settle func() error

	// Statistics returns Chain.Histograms of the state on the device. If nil, Fetch and Histograms are called.
	Statistics func() (*counts.Histograms, error)

	// Excerpt returns n_k, and n_wk of some words, of the state on the device. It returns nil if
	// Fetch is faster because there are many words. If nil, Fetch is called.
	Excerpt func(words []uint32) (*Excerpt, error)

	// ExpectedRow sets dst (K) to E[n_wk], ExpectedDoc to E[n_dk]. If nil, both of them, the
	// sampler has whole counts only.
	ExpectedRow func(dst []float64, w int)
	ExpectedDoc func(dst []float64, d int)

	// LowerBound returns the variational lower bound of log p(w | α, β). If nil, the sampler maximises none.
	LowerBound func(priors *Priors) float64
}

// ErrNotOnDevice is wrapped by errors of samplers, or choices inside them, that run on the CPU only.
var ErrNotOnDevice = errors.New("runs on the CPU only")
