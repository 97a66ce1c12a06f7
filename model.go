package topoi

import (
	"errors"
	"iter"
	"sync/atomic"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/topic"
)

// TopicCount is one non-zero element of a row of n_wk: Topic is k, Count is n_wk.
type TopicCount = topic.Count

// Model is a trained topic model. Only the labels of its topics can change. It is safe for use by many
// goroutines. Topics are numbered 0 … K-1 and never renumbered.
type Model struct {
	manifest Manifest
	has      *modelfile.Content // words, counts, α and z
	docs     training.Documents // of training; empty for a model opened from disk
	of       *Model             // the model whose documents Where selected; nil if this model has all

	stored *storedModel                      // the directory with the arrays; nil for a model in memory
	held   atomic.Pointer[saver]             // of the run whose last checkpoint is held back, or nil
	sums   atomic.Pointer[[]modelfile.Array] // descriptions of the arrays with checksums, once they are known
	labels labelStore                        // names that people gave to topics
	texts  textEncoder                       // for InferText
	// documents joined from pieces; nil if there are no pieces, or nobody has asked
	joined atomic.Pointer[joinedDocs]
}

// Manifest describes a model and how it was made. It holds nothing that depends on the machine, the time or
// the number of threads.
type Manifest struct {
	FormatVersion int     `json:"format_version"`
	Topics        int     `json:"topics"` // K
	Words         int     `json:"words"`  // V
	Docs          int     `json:"docs"`   // training documents
	Tokens        int     `json:"tokens"` // training tokens
	Beta          float64 `json:"beta"`

	// Options are the options that determine the model's bytes, with defaults filled in; all others are
	// zero. Sampler is never "auto". Device is "cuda" if the training on a GPU was not repeatable, so that
	// no second run gives the same model; else it is empty.
	Options Options `json:"options"`

	Iterations int        `json:"iterations"` // sweeps done
	Stopped    StopReason `json:"stopped"`    // why training ended
	History    []Score    `json:"history"`    // every evaluation, oldest first

	Corpus  string `json:"corpus_fingerprint"` // of the whole corpus, held-out documents included
	Started string `json:"started,omitempty"`  // hash of Options.Start, if there was one

	PseudoTokens uint64     `json:"pseudo_tokens,omitempty"` // Σ m_wk of Options.Pseudo
	Lineage      []Ancestor `json:"lineage,omitempty"`       // what the model was made from, oldest first

	Covariates *Covariates `json:"covariates,omitempty"` // only in models trained with PriorCovariates

	Program  string `json:"program,omitempty"` // version of the program that trained it; "" in old models
	Pipeline []byte `json:"-"`                 // the corpus's text options as JSON
}

// Manifest returns the description of the model.
func (m *Model) Manifest() Manifest { return m.manifest }

// NumTopics returns K.
func (m *Model) NumTopics() int { return m.manifest.Topics }

// NumWords returns V.
func (m *Model) NumWords() int { return m.manifest.Words }

// Words returns the vocabulary.
func (m *Model) Words() corpus.Strings { return m.has.Words }

// Alpha returns α; the slice belongs to the model.
func (m *Model) Alpha() []float64 { return m.has.Alpha }

// Beta returns β.
func (m *Model) Beta() float64 { return m.manifest.Beta }

// TopicTotals returns n_k, pseudo-counts included; the slice belongs to the model.
func (m *Model) TopicTotals() []uint64 { return m.has.Totals }

// Row returns the non-zero n_wk of word w, pseudo-counts included, in increasing topic order; the slice
// belongs to the model.
func (m *Model) Row(w int) []TopicCount { return m.has.Rows().Row(w) }

// Columns yields topics with their non-zero n_wk in increasing word order. It yields the given topics in
// the given order, or all of them if topics is nil. A slice is valid until the next one. See
// [topic.Rows.Columns].
func (m *Model) Columns(topics []int) iter.Seq2[int, []topic.WordCount] {
	return m.has.Rows().Columns(topics)
}

// AppendRow appends the non-zero n_wk of word w in increasing topic order.
func (m *Model) AppendRow(dst []TopicCount, w int) []TopicCount { return append(dst, m.Row(w)...) }

// Docs returns the training documents. A model opened from disk opens them at the first call; only exports
// of documents need them. Documents that were cut into pieces for training are joined again.
func (m *Model) Docs() (*corpus.Corpus, error) {
	docs, err := m.trained()
	if err != nil || !docs.HasPieces() {
		return docs, err
	}
	if m.joined.Load() == nil {
		var j joinedDocs
		j.docs, j.topics = docs.JoinPieces(m.has.Topics.Append)
		m.joined.CompareAndSwap(nil, &j)
	}
	return m.joined.Load().docs, nil
}

// joinedDocs are documents joined from pieces, with z of their tokens.
type joinedDocs struct {
	docs   *corpus.Corpus
	topics []uint32
}

// trained returns the documents as training saw them, in pieces if they were cut.
func (m *Model) trained() (*corpus.Corpus, error) {
	if m.stored != nil {
		return m.stored.docs()
	}
	return m.docs.Train, nil
}

// Topic returns z of training token i, in the order of [Model.Docs].
func (m *Model) Topic(i int) uint32 {
	if j := m.joined.Load(); j != nil {
		return j.topics[i]
	}
	return m.has.Topics.At(i)
}

// AppendTopics appends z of the training tokens lo, …, hi-1 to dst, in the order of [Model.Docs].
func (m *Model) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	if j := m.joined.Load(); j != nil {
		return append(dst, j.topics[lo:hi]...)
	}
	return m.has.Topics.Append(dst, lo, hi)
}

// Close releases the memory maps of a model that was opened from disk or trained within a memory budget.
// The model and everything obtained from it must not be used afterwards.
func (m *Model) Close() error {
	err := m.docs.Close()
	if m.of != nil {
		err = errors.Join(err, m.of.Close())
	}
	if m.stored != nil {
		err = errors.Join(err, m.stored.close())
	}
	return err
}

// dropEmpty removes topics without tokens if a hierarchical Dirichlet process was to find the number of topics. It
// returns the new numbers of the others, or nil if all topics stay as they are.
func (m *Model) dropEmpty() modelfile.Renumbering {
	if m.manifest.Options.Prior != PriorHDP {
		return nil
	}
	now := m.has.DropEmpty()
	m.manifest.Topics = len(m.has.Totals)
	return now
}
