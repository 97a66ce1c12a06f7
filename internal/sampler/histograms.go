package sampler

import (
	"context"
	"runtime"
	"sync"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// Histograms is counts.Histograms with the scratch memory that counting needs.
type Histograms struct {
	counts.Histograms
	row []counts.Entry // scratch
	ndk []uint32       // scratch, K values, zero between documents

	tally *counts.Tally // see Tally; nil until it is needed
}

func NewHistograms(k int) *Histograms {
	h := &Histograms{ndk: make([]uint32, k)}
	h.Topic = make([][]uint32, k)
	h.TopicTotals = make([]uint64, k)
	return h
}

// CountHistograms calls add for every task 0 … tasks-1, from several goroutines, and returns the
// sum of their histograms.
func CountHistograms(p *Problem, tasks int, add func(h *Histograms, thread, task int)) *Histograms {
	sums := make([]*Histograms, parallel.Workers(p.Threads, tasks))
	for i := range sums {
		sums[i] = NewHistograms(p.K)
	}
	_ = parallel.Do(context.Background(), p.Threads, tasks, func(thread, task int) { add(sums[thread], thread, task) })
	for _, h := range sums[1:] {
		sums[0].Add(&h.Histograms)
		if h.tally != nil {
			sums[0].Tally(p).Add(h.tally)
		}
	}
	sums[0].endTally(p)
	return sums[0]
}

// Tally returns the tally of documents by group. Its bins become Groups.
func (h *Histograms) Tally(p *Problem) *counts.Tally {
	if h.tally == nil {
		h.tally = counts.NewTally(p.Groups, p.K)
	}
	return h.tally
}

func (h *Histograms) endTally(p *Problem) {
	if h.tally != nil {
		h.Groups, h.tally = h.tally.Bins(), nil
	}
}

// RowHistograms counts the entries n_wk of all rows. Goroutines share the work by ranges: range i
// is words ranges[i] … ranges[i+1]-1.
func RowHistograms(p *Problem, rows counts.Rows, ranges []int) *Histograms {
	return CountHistograms(p, len(ranges)-1, func(h *Histograms, _, i int) {
		h.AddRows(rows, ranges[i], ranges[i+1])
	})
}

// AddRows counts the n_wk of words lo … hi-1.
func (h *Histograms) AddRows(rows counts.Rows, lo, hi int) {
	for w := lo; w < hi; w++ {
		h.row = rows.AppendRow(h.row[:0], w)
		for _, e := range h.row {
			h.WordTopic = Bump(h.WordTopic, int(e.Count))
		}
	}
}

// AddDocs counts lengths and n_dk of all documents. z is in corpus order.
func (h *Histograms) AddDocs(p *Problem, z []uint32) {
	for d := range p.D() {
		cell := uint32(0)
		if p.Groups != nil {
			h.Tally(p)
			cell = counts.Cell(p.Groups[d], 0, p.K)
		}
		h.addDoc(z[p.Offsets[d]:p.Offsets[d+1]], cell)
	}
	h.endTally(p)
}

// AddDoc counts one document, given the topics of its tokens.
func (h *Histograms) AddDoc(z []uint32) { h.addDoc(z, 0) }

// addDoc counts a document. cell is the first of its group, if there is a tally.
func (h *Histograms) addDoc(z []uint32, cell uint32) {
	h.DocLengths = Bump(h.DocLengths, len(z))
	if h.tally != nil {
		h.tally.Count(cell+uint32(len(h.Topic)), uint32(len(z)))
	}
	for _, k := range z {
		h.ndk[k]++
	}
	for _, k := range z {
		if n := h.ndk[k]; n > 0 {
			if h.tally != nil {
				h.tally.Count(cell+k, n)
			} else {
				h.Topic[k] = Bump(h.Topic[k], int(n))
			}
			h.ndk[k] = 0
		}
	}
}

// Bump increments h[n], growing h when n is beyond its end.
func Bump[T uint32 | uint64](h []T, n int) []T {
	if n >= len(h) {
		h = append(h, make([]T, n+1-len(h))...)
	}
	h[n]++
	return h
}

// EqualRanges cuts the vocabulary into n ranges of about equal numbers of tokens.
func EqualRanges(words []uint32, v, n int) []int {
	before := make([]int, v+1)
	var adding sync.Mutex
	share := max(1<<20, 8*v, len(words)/runtime.GOMAXPROCS(0)+1) // tokens a goroutine: many more than V
	parallel.Each((len(words)+share-1)/share, func(i int) {
		counts := make([]int, v)
		for _, w := range words[i*share : min((i+1)*share, len(words))] {
			counts[w]++
		}
		adding.Lock()
		defer adding.Unlock()
		for w, n := range counts {
			before[w+1] += n
		}
	})
	for w := range v {
		before[w+1] += before[w]
	}
	return EqualRangesOf(before, n)
}

// EqualRangesOf is EqualRanges for known counts: before[w] is the number of tokens of words below w.
func EqualRangesOf(before []int, n int) []int {
	v := len(before) - 1
	ranges := []int{0}
	for w := range v {
		if before[w+1]*n >= before[v]*len(ranges) && len(ranges) < n {
			ranges = append(ranges, w+1)
		}
	}
	return append(ranges, v)
}
