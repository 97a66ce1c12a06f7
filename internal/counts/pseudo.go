package counts

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sync/atomic"

	"github.com/zeebo/xxh3"
)

// Pseudo holds pseudo-counts m_wk: tokens of word w that have topic k and never move. They count like tokens
// of the corpus in
//
//	φ_wk = (n_wk + m_wk + β) / (n_k + m_k + Vβ),   m_k = Σ_w m_wk
//
// but belong to no document. Rows and totals that a sampler, an engine or a model returns are n_wk + m_wk and
// n_k + m_k. A nil *Pseudo is empty. A Pseudo never changes.
type Pseudo struct {
	ends    []uint64 // V+1: word w has entries[ends[w]:ends[w+1]]
	entries []Entry
	totals  []uint64 // K: m_k
	number  int
}

var made atomic.Int64 // numbers the pseudo-counts of this process

// NewPseudo returns the pseudo-counts of v words and k topics. row returns those of a word, topics in
// increasing order; entries of 0 are ignored.
func NewPseudo(v, k int, row func(w int) []Entry) *Pseudo {
	m := &Pseudo{ends: make([]uint64, v+1), totals: make([]uint64, k), number: int(made.Add(1))}
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
func (m *Pseudo) Number() int {
	if m == nil {
		return 0
	}
	return m.number
}

// Row implements InPlace.
func (m *Pseudo) Row(w int) []Entry {
	if m == nil {
		return nil
	}
	return m.entries[m.ends[w]:m.ends[w+1]]
}

// AppendRow implements Rows.
func (m *Pseudo) AppendRow(dst []Entry, w int) []Entry { return append(dst, m.Row(w)...) }

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

// Totals returns m_k, or nil if there are none. It must not be changed.
func (m *Pseudo) Totals() []uint64 {
	if m == nil {
		return nil
	}
	return m.totals
}

// Words returns V, or 0 if there are none.
func (m *Pseudo) Words() int {
	if m == nil {
		return 0
	}
	return len(m.ends) - 1
}

// Entries returns the number of m_wk above 0.
func (m *Pseudo) Entries() int {
	if m == nil {
		return 0
	}
	return len(m.entries)
}

// Tokens returns Σ m_wk over all words and topics.
func (m *Pseudo) Tokens() (sum uint64) {
	for _, n := range m.Totals() {
		sum += n
	}
	return sum
}

// WordTokens returns Σ_k m_wk.
func (m *Pseudo) WordTokens(w int) (sum uint64) {
	for _, e := range m.Row(w) {
		sum += uint64(e.Count)
	}
	return sum
}

// Cells calls f for every m_wk above 0.
func (m *Pseudo) Cells(f func(w int, e Entry)) {
	for w := range m.Words() {
		for _, e := range m.Row(w) {
			f(w, e)
		}
	}
}

// Histograms returns the histograms of the pseudo-counts: WordTopic counts the m_wk above 0, TopicTotals has the m_k.
func (m *Pseudo) Histograms() *Histograms {
	h := &Histograms{TopicTotals: slices.Clone(m.Totals())}
	m.Cells(func(_ int, e Entry) {
		h.WordTopic = addTo(h.WordTopic, make([]uint64, int(e.Count)+1))
		h.WordTopic[e.Count]++
	})
	return h
}

// AddFrequencies adds Σ_k m_wk to the frequencies of words, and returns them.
func (m *Pseudo) AddFrequencies(frequencies []uint64) []uint64 {
	for w := range m.Words() {
		frequencies[w] += m.WordTokens(w)
	}
	return frequencies
}

// AddTotals adds m_k to n_k.
func AddTotals[T int32 | int64 | uint64](nk []T, m *Pseudo) { Add(nk, m.Totals()) }

// AddRows adds the rows of words first … first+len(rows)/stride-1 to a dense table of stride numbers a word.
func (m *Pseudo) AddRows(rows []int32, stride, first int) {
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
func (m *Pseudo) Hash() string {
	if m == nil {
		return ""
	}
	h := xxh3.New()
	_ = binary.Write(h, binary.LittleEndian, m.Totals()) // writing to a hash never fails
	for w := range m.Words() {
		_ = binary.Write(h, binary.LittleEndian, uint64(w))
		_, _ = h.Write(BytesOf(m.Row(w)))
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}
