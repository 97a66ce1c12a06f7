package eval

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
)

// tableModel is a model given by the table of its counts.
type tableModel struct {
	counts [][]uint32 // V × K: n_wk
	alpha  []float64
	beta   float64
}

func (m *tableModel) NumTopics() int   { return len(m.alpha) }
func (m *tableModel) NumWords() int    { return len(m.counts) }
func (m *tableModel) Alpha() []float64 { return m.alpha }
func (m *tableModel) Beta() float64    { return m.beta }

func (m *tableModel) TopicTotals() []uint64 {
	totals := make([]uint64, len(m.alpha))
	for _, row := range m.counts {
		for k, n := range row {
			totals[k] += uint64(n)
		}
	}
	return totals
}

func (m *tableModel) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	for k, n := range m.counts[w] {
		if n > 0 {
			dst = append(dst, counts.Entry{Topic: uint32(k), Count: n})
		}
	}
	return dst
}

// phi returns φ as V × K.
func (m *tableModel) phi() [][]float64 {
	totals := m.TopicTotals()
	table := make([][]float64, len(m.counts))
	for w, row := range m.counts {
		for k, n := range row {
			table[w] = append(table[w], (float64(n)+m.beta)/(float64(totals[k])+float64(len(m.counts))*m.beta))
		}
	}
	return table
}

// randomModel draws a model in which a share of the counts is not zero.
func randomModel(r *rand.Rand, v, k int, share float64) *tableModel {
	m := &tableModel{beta: 0.01 + r.Float64()}
	for range k {
		m.alpha = append(m.alpha, 0.05+r.Float64())
	}
	for range v {
		row := make([]uint32, k)
		for i := range row {
			if r.Float64() < share {
				row[i] = 1 + r.Uint32N(40)
			}
		}
		m.counts = append(m.counts, row)
	}
	return m
}

// randomDocs draws documents of up to length tokens, some of them empty, with
// small word ids more often than large ones.
func randomDocs(r *rand.Rand, d, v, length int) *corpus.Corpus {
	words := make([]string, v)
	for w := range words {
		words[w] = strconv.Itoa(w)
	}
	docs := make([][]uint32, d)
	for i := range docs {
		for range r.IntN(length + 1) {
			docs[i] = append(docs[i], uint32(float64(v)*r.Float64()*r.Float64()))
		}
		slices.Sort(docs[i])
	}
	return corpus.FromIDs(words, docs)
}
