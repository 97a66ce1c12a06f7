package topoi

import (
	"fmt"
	"iter"
)

// Theta sets dst to θ_d of training document d, a share for each of the K topics, and
// returns it:
//
//	θ_dk = (n_dk + α_k)/(N_d + Σα)
//
// Documents are numbered as in [Model.Docs].
func (m *Model) Theta(dst []float64, d int) ([]float64, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	if d < 0 || d >= docs.NumDocs() {
		return nil, fmt.Errorf("there is no document %d among %d training documents", d, docs.NumDocs())
	}
	dst = append(dst[:0], m.has.Alpha...)
	begin, end := int(docs.Offsets()[d]), int(docs.Offsets()[d+1])
	for _, k := range m.AppendTopics(nil, begin, end) {
		dst[k]++
	}
	scale := float64(end-begin) + sum(m.has.Alpha)
	for k := range dst {
		dst[k] /= scale
	}
	return dst, nil
}

// Phi yields topics with their rows of φ, V probabilities that sum to 1,
//
//	φ_wk = (n_wk + β)/(n_k + Vβ)
//
// of the given topics in the given order, or of all topics if topics is nil. A row is
// valid until the next one. It costs what [Model.Columns] does, and V numbers a row.
func (m *Model) Phi(topics []int) iter.Seq2[int, []float64] {
	return func(yield func(int, []float64) bool) {
		row := make([]float64, m.NumWords())
		for k, column := range m.Columns(topics) {
			absent := m.phi(0, k)
			for w := range row {
				row[w] = absent
			}
			for _, e := range column {
				row[e.Word] = m.phi(e.Count, k)
			}
			if !yield(k, row) {
				return
			}
		}
	}
}
