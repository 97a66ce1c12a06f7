// Package training is the door between package topoi, which has the training loop,
// and package cluster, in which one worker of many leads that loop. Neither can see
// the other's inside, and a door in the open would be of no use to anybody else.
//
// Types of package topoi pass as any, because this package lies below it.
package training

import (
	"context"
	"encoding/json"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Plan begins a run whose sampling others will do: it splits the corpus and chooses
// the sampler. opts is a topoi.Options with its defaults filled in. Package topoi sets
// it.
var Plan func(c *corpus.Corpus, opts any) (Run, error)

// Run is a training run that was planned.
type Run interface {
	// Options are the run's, a *topoi.Options with what "auto" chose. Threads, Events
	// and Resume may be changed before Begin and Lead.
	Options() any

	// Docs are the documents in training.
	Docs() *corpus.Corpus

	// Frequencies counts the training tokens of every word.
	Frequencies() []uint64

	// Info describes the sampler.
	Info() sampler.Info

	// Problem is what is sampled.
	Problem() *sampler.Problem

	// Begin says where the run begins: at its checkpoint if Options.Resume is set and
	// there is one, else at iteration 0.
	Begin() (*State, error)

	// Lead trains from a state on, until training ends, ctx ends, or it is an error.
	Lead(ctx context.Context, from *State, by Leader) error

	// Model makes the *topoi.Model of a run that has ended in the given state.
	Model(at *State, of Trained) (any, error)
}

// State is where a run stands between two iterations.
type State struct {
	Iteration int
	Priors    *sampler.Priors
	History   json.RawMessage // scores and the like, as package topoi writes them

	Topics []uint32 // z of a checkpoint, corpus order; nil: there is none
	Extra  []byte   // what the sampler keeps beside z there
}

// Leader does the sampling of a run, by many workers.
type Leader interface {
	sampler.Chain

	// Fetch fetches what histograms need from where workers met.
	Fetch() error

	// SaveExtra returns what the sampler keeps beside z, after FetchTopics.
	SaveExtra() []byte

	// FetchCounts fetches n_k and n_wk of some words, distinct and increasing.
	FetchCounts(words func() []uint32) error

	// FetchTopics fetches what a checkpoint needs beyond Fetch.
	FetchTopics() error

	// Join is called once, before Start: next says after which iteration workers must
	// meet next, given the one at which they met last, whether histograms are
	// wanted there, and whether nothing else is; history returns State.History at such a meeting.
	Join(ctx context.Context, next func(iteration int) (until int, histograms, brief bool), history func() (json.RawMessage, error))

	// Submitted returns when the job was submitted.
	Submitted() time.Time

	// Finish says that the model is complete.
	Finish(priors *sampler.Priors) error
}

// Trained is what a model is made of.
type Trained interface {
	counts.Rows
	TopicTotals() []uint64
	Topics(z []uint32)
}
