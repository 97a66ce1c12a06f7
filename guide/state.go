package guide

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/topic"
)

// empty is α of a topic without tokens. It is so small that the topic never gets one.
const empty = 1e-9

// state is a model while it is edited.
type state struct {
	old    *topoi.Model
	docs   *corpus.Corpus
	z      []uint32
	alpha  []float64
	pseudo [][]topic.Count // by word; those of a model of several draws are the counts of all draws but the last
	names  map[int]string
	sum    float64 // Σα of the old model
	draws  int     // that the old model adds up
	gone   []bool  // topics without tokens, whose ids a split may take
	did    []string
}

// newState copies what a model holds.
func newState(m *topoi.Model) (*state, error) {
	docs, z, err := m.Trained()
	if err != nil {
		return nil, err
	}
	labels, err := m.Labels()
	if err != nil {
		return nil, err
	}
	s := &state{
		old: m, docs: docs, z: z, alpha: slices.Clone(m.Alpha()), names: labels.Clone().Names,
		pseudo: make([][]topic.Count, m.NumWords()), gone: make([]bool, m.NumTopics()),
	}
	for w := range s.pseudo {
		s.pseudo[w] = slices.Clone(m.PseudoCounts().Row(w))
	}
	for k, n := range m.TopicTotals() {
		s.gone[k] = n == 0
	}
	s.sum = prior.Sum(s.alpha)
	return s, nil
}

// check refuses topics that are not there.
func (s *state) check(topics ...int) error {
	for i, k := range topics {
		switch {
		case k < 0 || k >= len(s.alpha):
			return fmt.Errorf("there is no topic %d: the model has the topics 0 to %d", k, len(s.alpha)-1)
		case s.gone[k]:
			return fmt.Errorf("topic %d is empty: it was merged or dropped, or never had a word", k)
		case slices.Contains(topics[:i], k):
			return fmt.Errorf("topic %d is named twice", k)
		}
	}
	return nil
}

// settle changes α of a topic by the last bits that keep Σα, and with it θ of other topics, what it was.
func (s *state) settle(k int) {
	const steps = 8
	for range steps {
		off := s.sum - prior.Sum(s.alpha)
		if off == 0 || s.alpha[k]+off <= 0 {
			return
		}
		s.alpha[k] += off
	}
}

// relabel gives every token, and every pseudo-count, of word w and topic k the topic that to says.
func (s *state) relabel(to func(w uint32, k int) int) {
	for i, w := range s.docs.Tokens() {
		s.z[i] = uint32(to(w, int(s.z[i])))
	}
	for w, row := range s.pseudo {
		s.pseudo[w] = merged(row, func(k int) int { return to(uint32(w), k) })
	}
}

// merged returns a row with its topics renamed; those below 0 are left out.
func merged(row []topic.Count, to func(k int) int) []topic.Count {
	sums := map[int]uint32{}
	for _, e := range row {
		if k := to(int(e.Topic)); k >= 0 {
			sums[k] += e.Count
		}
	}
	var out []topic.Count
	for k, n := range sums {
		out = append(out, topic.Count{Topic: uint32(k), Count: n})
	}
	slices.SortFunc(out, func(a, b topic.Count) int { return cmp.Compare(a.Topic, b.Topic) })
	return out
}

// remove makes a topic an empty one.
func (s *state) remove(k int) {
	s.alpha[k], s.gone[k] = empty, true
	delete(s.names, k)
}
