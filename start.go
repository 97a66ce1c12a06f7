package topoi

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/training"
)

// Start is a state in which a run begins, instead of random topics and the priors of its options. It is
// taken from a model that is to be trained further, or comes from elsewhere.
type Start struct {
	Topics    []uint32  // N topics, one for every token in the order of the corpus, held-out documents included
	Alpha     []float64 // K: α_k
	Beta      float64   // β
	Iteration int       // sweeps that led to this state, at least 1; Options.Iterations counts them
}

// Start returns the state of a model, to train it further on its own documents. A run that is stopped and continued
// from here with the same options and sampler gives the same bytes as one that was not stopped, provided that it
// began with random topics. The exception is the sampler cvb, whose state is more than one topic for every token.
func (m *Model) Start() *Start {
	return &Start{
		Topics: m.AppendTopics(nil, 0, m.manifest.Tokens), Alpha: slices.Clone(m.has.Alpha),
		Beta: m.manifest.Beta, Iteration: m.manifest.Iterations,
	}
}

// Trained returns the documents as training saw them, in pieces if they were cut, and z of their tokens.
func (m *Model) Trained() (docs *corpus.Corpus, z []uint32, err error) {
	docs, err = m.trained()
	return docs, m.has.Topics.Append(nil, 0, m.manifest.Tokens), err
}

// state returns the checkpoint from which a run with the given options and documents begins.
func (s *Start) state(record Options, docs *training.Documents) (*checkpoint, error) {
	if len(s.Topics) != docs.All.NumTokens() {
		return nil, fmt.Errorf("Options.Start belongs to another corpus: it has %d tokens, not %d", len(s.Topics), docs.All.NumTokens())
	}
	state := &checkpoint{
		Options: record, Iteration: s.Iteration, Alpha: slices.Clone(s.Alpha), Beta: s.Beta,
		Topics: topics.List{Wide: s.trained(docs)}, Given: true,
	}
	if err := state.check(record.Topics, docs.Train.NumTokens()); err != nil {
		return nil, fmt.Errorf("Options.Start belongs to another corpus: %w", err)
	}
	for i, k := range s.Topics {
		if int(k) >= record.Topics {
			return nil, fmt.Errorf("Options.Start gives token %d topic %d, and the topics are 0 to %d", i, k, record.Topics-1)
		}
	}
	return state, nil
}

// trained returns the topics of the training documents.
func (s *Start) trained(docs *training.Documents) []uint32 {
	if docs.Heldout == nil {
		return s.Topics
	}
	z, offsets := make([]uint32, 0, docs.Train.NumTokens()), docs.All.Offsets()
	for d := range docs.Train.NumDocs() {
		n := docs.Train.Number(d) - docs.All.Number(0)
		z = append(z, s.Topics[offsets[n]-offsets[0]:offsets[n+1]-offsets[0]]...)
	}
	return z
}

// hash returns a text that identifies the state, or "" for nil.
func (s *Start) hash() string {
	if s == nil {
		return ""
	}
	h := xxh3.New()
	_ = binary.Write(h, binary.LittleEndian, s.Topics) // writing to a hash never fails
	_ = binary.Write(h, binary.LittleEndian, append(s.Alpha, s.Beta, float64(s.Iteration)))
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}

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

// PseudoCounts returns the pseudo-counts with which the model was trained, or nil.
func (m *Model) PseudoCounts() *PseudoCounts { return m.has.Pseudo }

// TopicTokens returns the number of training tokens of every topic: TopicTotals without pseudo-counts.
func (m *Model) TopicTokens() []uint64 { return m.has.TopicTokens() }
