package warp

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// flush adds the worker's totals to n_k and resets them.
func (w *warpWorker[T]) flush() {
	w.s.adding.Lock()
	defer w.s.adding.Unlock()
	cells := w.row.Cells
	for k := range cells {
		w.s.nk[k] += int64(cells[k].Total)
		cells[k].Total = 0
	}
	w.counted = 0
}

// words runs the word phase for words lo … hi-1. If rows is nil it counts their rows from the tokens.
func (w *warpWorker[T]) words(lo, hi int, rows counts.Rows) {
	for word := lo; word < hi; word++ {
		w.s.tokens.Prefetch(w.ahead(word+warpTokensAhead, hi))
		if w.far {
			w.s.tokens.PrefetchCells(w.ahead(word+warpCellsAhead, hi), w.row.Cells)
		}
		segments := w.s.segments[w.s.first[word]:w.s.first[word+1]]
		if len(segments) == 0 {
			continue
		}
		if first := walk.FirstChunk(segments); first == len(segments) && rows == nil && w.s.pseudo(word) == nil {
			n := w.Count(segments)
			w.sort(n)
			w.chunk(segments, n, walk.NewMix(n, w.s.betaSum))
		} else {
			w.longWord(word, segments, rows)
		}
		w.row.Reset()
	}
}

// These constants say how far ahead memory is prefetched. It helps rare words, whose few tokens leave the
// processor little to do while it waits for memory.
const (
	warpTokensAhead = 4  // words until the one whose tokens are prefetched
	warpCellsAhead  = 2  // words until the one whose cells are prefetched
	warpMostAhead   = 64 // most segments of a word to prefetch

	// warpFar is the number of topics from which cells do not fit half a second-level cache.
	warpFar = 1 << 16
)

// ahead returns the first warpMostAhead segments of a word, or nil if it is not below hi.
func (w *warpWorker[T]) ahead(word, hi int) []walk.Segment {
	if word >= hi {
		return nil
	}
	segments := w.s.segments[w.s.first[word]:w.s.first[word+1]]
	return segments[:min(len(segments), warpMostAhead)]
}

// longWord runs the word phase for a word of several chunks, each of which is loaded twice, or one whose row is given.
func (w *warpWorker[T]) longWord(word int, segments []walk.Segment, rows counts.Rows) {
	total := w.total(word, segments, rows)
	w.sort(total)
	mix := walk.NewMix(total, w.s.betaSum)
	for len(segments) > 0 {
		next := walk.FirstChunk(segments)
		n := w.s.tokens.Load(&w.c, segments[:next])
		w.chunk(segments[:next], n, mix)
		segments = segments[next:]
	}
}

// total sets the row of a word and returns its number of tokens.
func (w *warpWorker[T]) total(word int, segments []walk.Segment, rows counts.Rows) int {
	if rows == nil {
		return w.countAll(segments) + w.row.AddCounts(w.s.pseudo(word))
	}
	if dense := w.s.frozen.DenseRow; dense != nil {
		if w.dense == nil {
			w.dense = make([]int32, w.s.p.K)
		}
		if row := dense(word, w.dense); row != nil {
			return w.row.SetDense(row)
		}
	}
	w.entries = rows.AppendRow(w.entries[:0], word)
	return w.row.Set(w.entries)
}

// Count loads a chunk and adds its topics to the row.
func (w *warpWorker[T]) Count(segments []walk.Segment) int {
	n := w.s.tokens.Load(&w.c, segments)
	w.row.Add(w.c.Z[:n])
	return n
}

// countAll counts a word's row and returns its number of tokens.
func (w *warpWorker[T]) countAll(segments []walk.Segment) int {
	total := 0
	for len(segments) > 0 {
		next := walk.FirstChunk(segments)
		total += w.Count(segments[:next])
		segments = segments[next:]
	}
	return total
}

// sort lists the n topics of the row in increasing order.
func (w *warpWorker[T]) sort(n int) {
	if n+walk.Slack > len(w.sorted) {
		w.sorted = make([]uint32, max(n, 2*len(w.sorted))+walk.Slack)
	}
	walk.Expand(w.sorted[:n+walk.Slack], w.row.Topics(), w.row.Cells)
}

// chunk runs the word phase for the tokens in the columns.
func (w *warpWorker[T]) chunk(segments []walk.Segment, n int, mix walk.Mix) {
	s := w.s
	w.c.Draw(n, w.key, s.iteration, sampler.ForWarpWord)
	w.c.Walk(n, &walk.Row{Cells: w.row.Cells, Prior: s.beta})
	w.c.Propose(n, w.sorted, mix, s.p.K, walk.Alias{})
	s.tokens.Store(&w.c, segments, n)
}

// Docs runs the doc phase for the documents of block b. Unless move is set, topics stay and only
// doc-proposals are drawn.
func (w *warpWorker[T]) Docs(b int, move bool) {
	s := w.s
	block := s.block(b)
	row := &walk.Row{Cells: w.row.Cells, Each: !s.alpha.Symmetric, Prior: s.alpha.Prior[0]}
	for d := block.FirstDoc; d < block.LastDoc; d++ {
		if w.far && d+1 < block.LastDoc {
			s.tokens.PrefetchDoc(b, s.places[s.p.Offsets[d+1]:s.p.Offsets[d+2]], w.row.Cells)
		}
		n := w.LoadDoc(b, d)
		if n == 0 {
			continue
		}
		w.c.Draw(n, w.key, s.iteration, sampler.ForWarpDoc)
		if move {
			w.walkDoc(n, row)
		}
		w.c.Propose(n, w.c.Z, walk.NewMix(n, s.alpha.Sum), s.p.K, s.alpha.Alias)
		s.tokens.StoreDoc(&w.c, b, n)
		for _, k := range w.c.Z[:n] {
			row.Cells[k].Total++
		}
	}
}

// LoadDoc copies the tokens of document d, in block b, into the columns.
func (w *warpWorker[T]) LoadDoc(b, d int) int {
	s := w.s
	begin, end := s.p.Offsets[d], s.p.Offsets[d+1]
	n := int(end - begin)
	w.c.Grow(n)
	if s.block(b).Tokens() <= warpBlockTokens {
		s.tokens.LoadDoc(&w.c, b, s.places[begin:end])
		return n
	}
	for i := range n {
		s.tokens.Get(&w.c, i, b, i)
	}
	return n
}

// walkDoc counts a document's row and moves its tokens.
func (w *warpWorker[T]) walkDoc(n int, row *walk.Row) {
	for _, k := range w.c.Z[:n] {
		row.Cells[k].N++
	}
	w.c.Walk(n, row)
	for _, k := range w.c.Own[:n] {
		row.Cells[k].N = 0
	}
}

// countDocs adds the documents of block b to h.
func (w *warpWorker[T]) countDocs(b int, h *sampler.Histograms) {
	for d := w.s.block(b).FirstDoc; d < w.s.block(b).LastDoc; d++ {
		n := w.LoadDoc(b, d)
		h.AddDoc(w.c.Z[:n])
	}
}

// appendRow appends the non-zero counts of a word.
func (w *warpWorker[T]) appendRow(dst []counts.Entry, word int) []counts.Entry {
	w.countAll(w.s.segments[w.s.first[word]:w.s.first[word+1]])
	w.row.AddCounts(w.s.pseudo(word))
	dst = w.row.AppendTo(dst)
	w.row.Reset()
	return dst
}
