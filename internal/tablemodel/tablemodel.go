// Package tablemodel has models given by the table of their counts, for tests of
// what looks at topics: such a model is known exactly, while a trained one is not.
package tablemodel

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
)

// Model is a model given by n_wk.
type Model struct {
	Counts [][]uint32 // V × K: n_wk
	Prior  float64    // β
	Terms  []string   // V words; w0, w1, … where nil
}

// Random draws a model of v words and k topics in which about a share of the counts is not zero. Every word occurs.
func Random(seed uint64, v, k int, share float64) *Model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &Model{Prior: 0.01 + r.Float64()/10}
	for range v {
		row := make([]uint32, k)
		for j := range row {
			if r.Float64() < share {
				row[j] = uint32(1 + r.IntN(1<<r.IntN(9)))
			}
		}
		row[r.IntN(k)]++
		m.Counts = append(m.Counts, row)
	}
	return m
}

// Renumbered returns the model in which topic k is called perm[k].
func (m *Model) Renumbered(perm []int) *Model {
	other := &Model{Prior: m.Prior, Terms: m.Terms}
	for _, row := range m.Counts {
		moved := make([]uint32, len(row))
		for k, n := range row {
			moved[perm[k]] = n
		}
		other.Counts = append(other.Counts, moved)
	}
	return other
}

// NumTopics returns K.
func (m *Model) NumTopics() int { return len(m.Counts[0]) }

// NumWords returns V.
func (m *Model) NumWords() int { return len(m.Counts) }

// Alpha returns α, which is 1 for every topic.
func (m *Model) Alpha() []float64 { return slices.Repeat([]float64{1}, m.NumTopics()) }

// Beta returns β.
func (m *Model) Beta() float64 { return m.Prior }

// Words returns the vocabulary.
func (m *Model) Words() corpus.Strings {
	terms := m.Terms
	for w := len(terms); w < len(m.Counts); w++ {
		terms = append(terms, "w"+strconv.Itoa(w))
	}
	return corpus.FromIDs(terms, nil).Words()
}

// TopicTotals returns n_k.
func (m *Model) TopicTotals() []uint64 {
	totals := make([]uint64, m.NumTopics())
	for _, row := range m.Counts {
		for k, n := range row {
			totals[k] += uint64(n)
		}
	}
	return totals
}

// AppendRow appends the non-zero n_wk of word w.
func (m *Model) AppendRow(dst []topic.Count, w int) []topic.Count {
	for k, n := range m.Counts[w] {
		if n > 0 {
			dst = append(dst, topic.Count{Topic: uint32(k), Count: n})
		}
	}
	return dst
}

// Row returns the non-zero n_wk of word w.
func (m *Model) Row(w int) []topic.Count { return m.AppendRow(nil, w) }

// Columns yields the given topics, or all of them, with their non-zero n_wk.
func (m *Model) Columns(topics []int) iter.Seq2[int, []topic.WordCount] {
	return func(yield func(int, []topic.WordCount) bool) {
		if topics == nil {
			for k := range m.NumTopics() {
				topics = append(topics, k)
			}
		}
		for _, k := range topics {
			var column []topic.WordCount
			for w, row := range m.Counts {
				if row[k] > 0 {
					column = append(column, topic.WordCount{Word: uint32(w), Count: row[k]})
				}
			}
			if !yield(k, column) {
				return
			}
		}
	}
}

// Phi returns φ_wk = (n_wk + β)/(n_k + Vβ) as K × V, with all its zeros.
func (m *Model) Phi() [][]float64 {
	totals := m.TopicTotals()
	phi := make([][]float64, m.NumTopics())
	for k := range phi {
		for _, row := range m.Counts {
			phi[k] = append(phi[k],
				(float64(row[k])+m.Prior)/(float64(totals[k])+float64(float64(m.NumWords())*m.Prior)))
		}
	}
	return phi
}
