package topoi

import (
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/topic"
)

// Start is a state in which a run begins, instead of random topics and the priors of its options. It is
// taken from a model that is to be trained further, or comes from elsewhere.
type Start struct {
	Topics    []uint32  // N topics, one for every token in the order of the corpus, held-out documents included
	Alpha     []float64 // K: α_k
	Beta      float64   // β
	Iteration int       // sweeps that led to this state, at least 1; Options.Iterations counts them
}

// TopicCount is one non-zero element of a row of n_wk: Topic is k, Count is n_wk.
type TopicCount = topic.Count

// PseudoCounts holds m_wk for every word w and topic k: tokens that belong to no document and never leave
// their topic. They guide topics towards chosen words, or carry an older model into a new one:
//
//	φ_wk = (n_wk + m_wk + β) / (n_k + m_k + Vβ),   m_k = Σ_w m_wk
type PseudoCounts = counts.Pseudo

// NewPseudoCounts returns the pseudo-counts of the given numbers of words and topics. row returns the
// counts of word w, with topics in increasing order.
func NewPseudoCounts(words, topics int, row func(w int) []TopicCount) *PseudoCounts {
	return counts.NewPseudo(words, topics, row)
}

// Ancestor is one step by which a model was made from more than a corpus and options.
type Ancestor struct {
	Kind   string `json:"kind"`                  // "seeds", "update", "edit" or "by-time"
	From   string `json:"fingerprint,omitempty"` // of the model it was made from
	Docs   int    `json:"docs,omitempty"`        // training documents of that model
	Detail string `json:"detail"`                // what was done, in words

	By    string  `json:"by,omitempty"`    // length of the slices of "by-time", such as "year"
	Carry float64 `json:"carry,omitempty"` // share of the counts that each slice took from the one before
}

// Shared holds what runs over one corpus with the same held-out documents have in common: the training documents
// in one piece, their cut into blocks, and the GPU, if there is one, which stays open with the documents in its
// memory. Runs with Options.Shared reuse what is there and add what they make. Only one run at a time may use it.
type Shared struct {
	of *training.Shared
}

// NewShared is for package train: other programs cannot construct its parameter, and call train.Share.
func NewShared(of *training.Shared) *Shared { return &Shared{of} }

// Of is for package train. It returns nil if nothing is shared.
func (s *Shared) Of() *training.Shared {
	if s == nil {
		return nil
	}
	return s.of
}

// Close releases the GPU. Call it when the runs are over. A later run opens the GPU again.
func (s *Shared) Close() error { return s.of.Devices.Close() }

// Docs returns the training documents. They are valid as long as the corpus is.
func (s *Shared) Docs() *corpus.Corpus { return s.of.Docs }

// Heldout returns the held-out documents, or nil if there are none.
func (s *Shared) Heldout() *corpus.Corpus { return s.of.Heldout }
