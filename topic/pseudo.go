package topic

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sync/atomic"

	"github.com/zeebo/xxh3"
)

// PseudoCounts holds pseudo-counts m_wk: tokens of word w that have topic k and never move. They count like tokens
// of the corpus in
//
//	φ_wk = (n_wk + m_wk + β) / (n_k + m_k + Vβ),   m_k = Σ_w m_wk
//
// but belong to no document. Rows and totals that a sampler, an engine or a model returns are n_wk + m_wk and
// n_k + m_k. A nil *PseudoCounts is empty. PseudoCounts never changes.
type PseudoCounts struct {
	ends    []uint64 // V+1: word w has entries[ends[w]:ends[w+1]]
	entries []Count
	totals  []uint64 // K: m_k
	number  int
}

var made atomic.Int64 // numbers the pseudo-counts of this process

// NewPseudoCounts returns the pseudo-counts of v words and k topics. row returns those of a word, topics in
// increasing order; entries of 0 are ignored.
func NewPseudoCounts(v, k int, row func(w int) []Count) *PseudoCounts {
	m := &PseudoCounts{ends: make([]uint64, v+1), totals: make([]uint64, k), number: int(made.Add(1))}
	for w := range v {
		for _, e := range row(w) {
			if e.Count > 0 {
				m.entries = append(m.entries, e)
				m.totals[e.Topic] += uint64(e.Count)
			}
		}
		m.ends[w+1] = uint64(len(m.entries))
	}
	m.entries = slices.Clip(m.entries)
	return m
}

// Number returns a number that is unique among the pseudo-counts of this process, or 0 for nil.
func (m *PseudoCounts) Number() int {
	if m == nil {
		return 0
	}
	return m.number
}

// Row returns the m_wk of word w above 0 in increasing topic order.
func (m *PseudoCounts) Row(w int) []Count {
	if m == nil {
		return nil
	}
	return m.entries[m.ends[w]:m.ends[w+1]]
}

// AppendRow appends the m_wk of word w above 0 to dst.
func (m *PseudoCounts) AppendRow(dst []Count, w int) []Count { return append(dst, m.Row(w)...) }

// Totals returns m_k, or nil if there are none. It must not be changed.
func (m *PseudoCounts) Totals() []uint64 {
	if m == nil {
		return nil
	}
	return m.totals
}

// Words returns V, or 0 if there are none.
func (m *PseudoCounts) Words() int {
	if m == nil {
		return 0
	}
	return len(m.ends) - 1
}

// Entries returns the number of m_wk above 0.
func (m *PseudoCounts) Entries() int {
	if m == nil {
		return 0
	}
	return len(m.entries)
}

// Tokens returns Σ m_wk over all words and topics.
func (m *PseudoCounts) Tokens() (sum uint64) {
	for _, n := range m.Totals() {
		sum += n
	}
	return sum
}

// WordTokens returns Σ_k m_wk.
func (m *PseudoCounts) WordTokens(w int) (sum uint64) {
	for _, e := range m.Row(w) {
		sum += uint64(e.Count)
	}
	return sum
}

// Cells calls f for every m_wk above 0.
func (m *PseudoCounts) Cells(f func(w int, e Count)) {
	for w := range m.Words() {
		for _, e := range m.Row(w) {
			f(w, e)
		}
	}
}

// AddFrequencies adds Σ_k m_wk to the frequencies of words, and returns them.
func (m *PseudoCounts) AddFrequencies(frequencies []uint64) []uint64 {
	for w := range m.Words() {
		frequencies[w] += m.WordTokens(w)
	}
	return frequencies
}

// AddRows adds the rows of words first … first+len(rows)/stride-1 to a dense table of stride numbers a word.
func (m *PseudoCounts) AddRows(rows []int32, stride, first int) {
	if m == nil {
		return
	}
	for w := first; len(rows) >= stride; w, rows = w+1, rows[stride:] {
		for _, e := range m.Row(w) {
			rows[e.Topic] += int32(e.Count)
		}
	}
}

// Hash returns a text that identifies the pseudo-counts; "" if there are none.
func (m *PseudoCounts) Hash() string {
	if m == nil {
		return ""
	}
	h := xxh3.New()
	_ = binary.Write(h, binary.LittleEndian, m.Totals()) // writing to a hash never fails
	for w := range m.Words() {
		_ = binary.Write(h, binary.LittleEndian, uint64(w))
		_ = binary.Write(h, binary.LittleEndian, m.Row(w))
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}
