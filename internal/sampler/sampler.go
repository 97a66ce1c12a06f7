// Package sampler holds the algorithms that draw topics. Each has one file and
// one line in the registry; each is a pure function of problem, priors, seed
// and iteration, whatever the number of threads.
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

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
)

// Problem is what a sampler works on. It does not change during a run.
type Problem struct {
	Offsets []uint64 // D+1 positions, the first one 0; document d is Words[Offsets[d]:Offsets[d+1]]
	Words   []uint32 // N word ids, sorted inside each document
	V       int      // words in the vocabulary
	K       int      // topics
	Seed    uint64   // key of all randomness
	Threads int      // goroutines to use; never changes a result
	Tuning  Tuning   // choices that do change the result

	Grids *grid.Cache // grids of earlier runs over the same Words; nil: none. Never changes a result

	laid func() any // see Laid

	Part *partOf // what a part knows of its corpus; nil for a whole one
}

// D returns the number of documents.
func (p *Problem) D() int { return len(p.Offsets) - 1 }

// N returns the number of tokens.
func (p *Problem) N() int { return int(p.Offsets[p.D()]) }

// Priors are the Dirichlet parameters. They may change between sweeps.
type Priors struct {
	Alpha []float64 // K values α_k > 0
	Beta  float64   // β > 0
}

// Sampler is one training run's state: a topic for every token, and the counts
// that follow from it.
type Sampler interface {
	// Start sets the state: to z, in corpus order, or to the sampler's own
	// initial assignment when z is nil. It is called once, before the first Sweep.
	Start(z []uint32, priors *Priors) error

	// Sweep resamples every token once. Iterations are numbered from 1; the
	// number is part of every random counter, so a resumed run continues
	// exactly where the stopped one was.
	Sweep(ctx context.Context, iteration int, priors *Priors) error

	// Topics copies the current topics into z (N values, corpus order).
	Topics(z []uint32)

	// AppendRow gives n_wk (see counts.Rows).
	counts.Rows

	// TopicTotals returns n_k as a fresh slice.
	TopicTotals() []uint64

	// Histograms counts the sufficient statistics of the current state.
	Histograms() *counts.Histograms
}

// Narrow is implemented by samplers whose topics fit 16 bits, for those who copy
// the topics of many tokens.
type Narrow interface {
	// NarrowTopics is Topics for 16 bits.
	NarrowTopics(z []uint16)
}

// Extra is implemented by samplers whose state is more than a topic per token.
// What SaveExtra returns after a sweep, given to LoadExtra after Start with the
// topics of the same moment, restores the state completely.
type Extra interface {
	// SaveExtra returns the rest of the state as bytes, the same on every machine.
	SaveExtra() []byte

	// LoadExtra restores it. It refuses bytes of another problem.
	LoadExtra(extra []byte) error
}

// Weighty is implemented by samplers whose SaveExtra may take long.
type Weighty interface {
	// ExtraBytes is how many bytes SaveExtra returns, at most or nearly.
	ExtraBytes() int64
}
