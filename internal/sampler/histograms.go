package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
)

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

// countHistograms sums what add counts for every task 0 … tasks-1, from several
// goroutines.
func countHistograms(p *Problem, tasks int, add func(h *histograms, thread, task int)) *histograms {
	sums := make([]*histograms, workers(p.Threads, tasks))
	for i := range sums {
		sums[i] = newHistograms(p.K)
	}
	_ = parallel(context.Background(), p.Threads, tasks, func(thread, task int) { add(sums[thread], thread, task) })
	for _, h := range sums[1:] {
		sums[0].Add(&h.Histograms)
	}
	return sums[0]
}

// rowHistograms counts the n_wk of ranges of words.
func rowHistograms(p *Problem, rows counts.Rows, ranges []int) *histograms {
	return countHistograms(p, len(ranges)-1, func(h *histograms, _, i int) {
		h.addRows(rows, ranges[i], ranges[i+1])
	})
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

// equalRanges cuts the vocabulary into n ranges of about equal numbers of tokens.
func equalRanges(words []uint32, v, n int) []int {
	cf := make([]int, v)
	for _, w := range words {
		cf[w]++
	}
	ranges := []int{0}
	sum := 0
	for w, c := range cf {
		sum += c
		if sum*n >= len(words)*len(ranges) && len(ranges) < n {
			ranges = append(ranges, w+1)
		}
	}
	return append(ranges, v)
}
