package sampler

import "github.com/topoi-lda/topoi/internal/counts"

// histograms counts counts.Histograms.
type histograms struct {
	counts.Histograms
	row []counts.Entry // scratch
	ndk []uint32       // scratch, K values, zero between documents
}

func newHistograms(k int) *histograms {
	h := &histograms{ndk: make([]uint32, k)}
	h.Topic = make([][]uint32, k)
	h.TopicTotals = make([]uint64, k)
	return h
}

// addRows counts the n_wk of words lo … hi-1.
func (h *histograms) addRows(rows counts.Rows, lo, hi int) {
	for w := lo; w < hi; w++ {
		h.row = rows.AppendRow(h.row[:0], w)
		for _, e := range h.row {
			h.WordTopic = bump(h.WordTopic, int(e.Count))
		}
	}
}

// addDocs counts lengths and n_dk of all documents, z in corpus order.
func (h *histograms) addDocs(p *Problem, z []uint32) {
	for d := range p.D() {
		h.addDoc(z[p.Offsets[d]:p.Offsets[d+1]])
	}
}

// addDoc counts one document, given the topics of its tokens.
func (h *histograms) addDoc(z []uint32) {
	h.DocLengths = bump(h.DocLengths, len(z))
	for _, k := range z {
		h.ndk[k]++
	}
	for _, k := range z {
		if n := h.ndk[k]; n > 0 {
			h.Topic[k] = bump(h.Topic[k], int(n))
			h.ndk[k] = 0
		}
	}
}

// bump increments h[n], growing h when n is beyond its end.
func bump[T uint32 | uint64](h []T, n int) []T {
	if n >= len(h) {
		h = append(h, make([]T, n+1-len(h))...)
	}
	h[n]++
	return h
}

// add adds the counts of o to h, topic totals excepted.
func (h *histograms) add(o *histograms) {
	h.DocLengths = addTo(h.DocLengths, o.DocLengths)
	h.WordTopic = addTo(h.WordTopic, o.WordTopic)
	for k := range h.Topic {
		h.Topic[k] = addTo(h.Topic[k], o.Topic[k])
	}
}

// addTo adds b to a element by element, growing a as needed.
func addTo[T uint32 | uint64](a, b []T) []T {
	if len(b) > len(a) {
		a = append(a, make([]T, len(b)-len(a))...)
	}
	for i, x := range b {
		a[i] += x
	}
	return a
}
