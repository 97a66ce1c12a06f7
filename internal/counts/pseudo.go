package counts

import (
	"slices"

	"github.com/topoi-lda/topoi/topic"
)

// Pseudo holds pseudo-counts m_wk. Rows and totals that a sampler, an engine or a model returns are n_wk + m_wk and n_k +
// m_k. A nil *Pseudo is empty.
type Pseudo = topic.PseudoCounts

// NewPseudo returns the pseudo-counts of v words and k topics.
func NewPseudo(v, k int, row func(w int) []Entry) *Pseudo { return topic.NewPseudoCounts(v, k, row) }

// AppendSum appends the sum of two rows to dst.
func AppendSum(dst, a, b []Entry) []Entry {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Topic < b[0].Topic:
			dst, a = append(dst, a[0]), a[1:]
		case a[0].Topic > b[0].Topic:
			dst, b = append(dst, b[0]), b[1:]
		default:
			dst = append(dst, Entry{Topic: a[0].Topic, Count: a[0].Count + b[0].Count})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(dst, a...), b...)
}

// HistogramsOf returns the histograms of pseudo-counts: WordTopic counts the m_wk above 0, TopicTotals has the m_k.
func HistogramsOf(m *Pseudo) *Histograms {
	h := &Histograms{TopicTotals: slices.Clone(m.Totals())}
	m.Cells(func(_ int, e Entry) {
		h.WordTopic = addTo(h.WordTopic, make([]uint64, int(e.Count)+1))
		h.WordTopic[e.Count]++
	})
	return h
}

// AddTotals adds m_k to n_k.
func AddTotals[T int32 | int64 | uint64](nk []T, m *Pseudo) { Add(nk, m.Totals()) }
