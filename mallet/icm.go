package mallet

import (
	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
)

// maximizer does iterated conditional modes: in turn every token gets the topic that is most probable
// given all others,
//
//	argmax_k (α_k + n_dk) (β + n_wk) / (Vβ + n_k),
//
// the token itself taken out of the counts. A sweep costs O(K) for every document and O(K_w) for every
// token, where K_w is the number of topics that its word has.
type maximizer struct {
	start *topoi.Start
	docs  *corpus.Corpus
	vBeta float64
	rows  [][]topic.Count // V: n_wk, not 0
	total []float64       // K: n_k
	inDoc []float64       // K: n_dk of the document at hand
	each  []float64       // K: (α_k + n_dk) / (Vβ + n_k)
	best  int             // the topic with the largest of them
}

func newMaximizer(start *topoi.Start, docs *corpus.Corpus) *maximizer {
	k := len(start.Alpha)
	m := &maximizer{
		start: start, docs: docs, vBeta: float64(docs.NumWords()) * start.Beta, rows: make([][]topic.Count, docs.NumWords()),
		total: make([]float64, k), inDoc: make([]float64, k), each: make([]float64, k),
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
		for k := range m.each {
			m.weigh(k)
		}
		m.findBest()
		for i, w := range words {
			before := z[i]
			m.inDoc[before]--
			m.remove(w, before)
			m.reweigh(int(before))
			z[i] = m.mode(w)
			m.inDoc[z[i]]++
			m.add(w, z[i])
			m.reweigh(int(z[i]))
			if z[i] != before {
				changed++
			}
		}
	}
	return changed
}

// mode returns the most probable topic of a word. Among equally probable ones the lowest of those that the
// word has goes first.
func (m *maximizer) mode(w uint32) uint32 {
	best, score := uint32(m.best), m.start.Beta*m.each[m.best]
	for _, c := range m.rows[w] {
		if s := (m.start.Beta + float64(c.Count)) * m.each[c.Topic]; s > score || s == score && c.Topic < best {
			best, score = c.Topic, s
		}
	}
	return best
}

// weigh computes what a topic has in common for all words.
func (m *maximizer) weigh(k int) {
	m.each[k] = (m.start.Alpha[k] + m.inDoc[k]) / (m.vBeta + m.total[k])
}

// reweigh does so after its counts have changed.
func (m *maximizer) reweigh(k int) {
	before := m.each[k]
	m.weigh(k)
	switch {
	case k == m.best && m.each[k] < before:
		m.findBest()
	case m.each[k] > m.each[m.best]:
		m.best = k
	}
}

func (m *maximizer) findBest() {
	m.best = 0
	for k, x := range m.each {
		if x > m.each[m.best] {
			m.best = k
		}
	}
}

func (m *maximizer) add(w, k uint32) {
	m.total[k]++
	row := m.rows[w]
	for i := range row {
		if row[i].Topic == k {
			row[i].Count++
			return
		}
	}
	m.rows[w] = append(row, topic.Count{Topic: k, Count: 1})
}

func (m *maximizer) remove(w, k uint32) {
	m.total[k]--
	row := m.rows[w]
	for i := range row {
		if row[i].Topic == k {
			if row[i].Count--; row[i].Count == 0 {
				row[i] = row[len(row)-1]
				m.rows[w] = row[:len(row)-1]
			}
			return
		}
	}
}
