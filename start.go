package topoi

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/topics"
)

// Start is a state that a run begins with, instead of random topics and the priors of its options:
// that of a model which is to be trained further, or one that came from elsewhere.
type Start struct {
	Topics    []uint32  // N: the topic of every token, in the order of the corpus, held-out documents included
	Alpha     []float64 // K: α_k
	Beta      float64   // β
	Iteration int       // sweeps that led to it, at least 1; Options.Iterations counts them
}

// Start returns the state of a model, to train it further on its own documents. A run that began with
// random topics, was stopped, and goes on from here with the same options and sampler takes the path of one
// that was not stopped, unless its sampler is cvb, whose state is more than a topic for every token.
func (m *Model) Start() *Start {
	return &Start{
		Topics: m.AppendTopics(nil, 0, m.manifest.Tokens), Alpha: slices.Clone(m.has.Alpha),
		Beta: m.manifest.Beta, Iteration: m.manifest.Iterations,
	}
}

// Trained returns the documents as they were trained on, in pieces if they were cut, and z of their tokens.
func (m *Model) Trained() (docs *corpus.Corpus, z []uint32, err error) {
	docs, err = m.trained()
	return docs, m.has.Topics.Append(nil, 0, m.manifest.Tokens), err
}

// state returns the checkpoint that a run would have at the start.
func (s *Start) state(r *run) (*checkpoint, error) {
	if len(s.Topics) != r.corpus.NumTokens() {
		return nil, fmt.Errorf("Options.Start belongs to another corpus: it has %d tokens, not %d", len(s.Topics), r.corpus.NumTokens())
	}
	state := &checkpoint{
		Options: r.record, Iteration: s.Iteration, Alpha: slices.Clone(s.Alpha), Beta: s.Beta,
		Topics: topics.List{Wide: s.trained(r)}, Given: true,
	}
	if err := state.check(r.opts.Topics, r.docs.NumTokens()); err != nil {
		return nil, fmt.Errorf("Options.Start belongs to another corpus: %w", err)
	}
	for i, k := range s.Topics {
		if int(k) >= r.opts.Topics {
			return nil, fmt.Errorf("Options.Start gives token %d topic %d, and the topics are 0 to %d",
				i, k, r.opts.Topics-1)
		}
	}
	return state, nil
}

// trained returns the topics of the documents in training.
func (s *Start) trained(r *run) []uint32 {
	if r.heldout == nil {
		return s.Topics
	}
	z, offsets := make([]uint32, 0, r.docs.NumTokens()), r.corpus.Offsets()
	for d := range r.docs.NumDocs() {
		n := r.docs.Number(d) - r.corpus.Number(0)
		z = append(z, s.Topics[offsets[n]-offsets[0]:offsets[n+1]-offsets[0]]...)
	}
	return z
}

// hash returns a text that identifies the state; "" if there is none.
func (s *Start) hash() string {
	if s == nil {
		return ""
	}
	h := xxh3.New()
	_ = binary.Write(h, binary.LittleEndian, s.Topics) // a hash takes everything
	_ = binary.Write(h, binary.LittleEndian, append(s.Alpha, s.Beta, float64(s.Iteration)))
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}
