package mallet

import (
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
)

// maximizer does iterated conditional modes: in turn every token gets the topic that is most probable given all
// others,
//
//	argmax_k (α_k + n_dk) (β + n_wk) / (Vβ + n_k),
//
// the token itself taken out of the counts. A sweep costs O(K) for every token.
type maximizer struct {
	start *topoi.Start
	docs  *corpus.Corpus
	vBeta float64
	rows  [][]topic.Count // V: n_wk, not 0
	total []float64       // K: n_k
	inDoc []float64       // K: n_dk of the document at hand
	each  []float64       // K: (α_k + n_dk) / (Vβ + n_k)
	score []float64       // K: what is maximized, for the token at hand
}

func newMaximizer(start *topoi.Start, docs *corpus.Corpus) *maximizer {
	k := len(start.Alpha)
	m := &maximizer{
		start: start, docs: docs, vBeta: float64(docs.NumWords()) * start.Beta, rows: make([][]topic.Count, docs.NumWords()),
		total: make([]float64, k), inDoc: make([]float64, k), each: make([]float64, k), score: make([]float64, k),
	}
	for i, w := range docs.Tokens() {
		m.add(w, start.Topics[i])
	}
	return m
}

// sweep maximizes the topic of every token once and returns how many changed.
func (m *maximizer) sweep() (changed int) {
	offsets := m.docs.Offsets()
	for d := range m.docs.NumDocs() {
		words, z := m.docs.Doc(d), m.start.Topics[offsets[d]:offsets[d+1]]
		clear(m.inDoc)
		for _, k := range z {
			m.inDoc[k]++
		}
		for i, w := range words {
			before := z[i]
			m.inDoc[before]--
			m.remove(w, before)
			z[i] = m.mode(w)
			m.inDoc[z[i]]++
			m.add(w, z[i])
			if z[i] != before {
				changed++
			}
		}
	}
	return changed
}

// mode returns the most probable topic of a word, the lowest of equally probable ones.
func (m *maximizer) mode(w uint32) (best uint32) {
	for k := range m.score {
		m.each[k] = (m.start.Alpha[k] + m.inDoc[k]) / (m.vBeta + m.total[k])
		m.score[k] = m.start.Beta * m.each[k]
	}
	for _, c := range m.rows[w] {
		m.score[c.Topic] = (m.start.Beta + float64(c.Count)) * m.each[c.Topic]
	}
	for k, x := range m.score {
		if x > m.score[best] {
			best = uint32(k)
		}
	}
	return best
}

func (m *maximizer) add(w, k uint32) {
	m.total[k]++
	if i := m.place(w, k); i >= 0 {
		m.rows[w][i].Count++
	} else {
		m.rows[w] = append(m.rows[w], topic.Count{Topic: k, Count: 1})
	}
}

func (m *maximizer) remove(w, k uint32) {
	m.total[k]--
	row, i := m.rows[w], m.place(w, k)
	if row[i].Count--; row[i].Count == 0 {
		row[i] = row[len(row)-1]
		m.rows[w] = row[:len(row)-1]
	}
}

// place returns where the row of a word has a topic, or −1.
func (m *maximizer) place(w, k uint32) int {
	return slices.IndexFunc(m.rows[w], func(c topic.Count) bool { return c.Topic == k })
}
