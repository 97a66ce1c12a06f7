package sampler

import (
	"math/bits"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
)

// warpWorker is one goroutine's scratch: the tokens being worked on, column by
// column, and the row they belong to.
type warpWorker[T warpTopic] struct {
	s  *warp[T]
	nk []int64 // K: topics counted for eachBlock

	at, block []uint32      // place and block of each token
	own, z    []uint32      // topic before the phase, topic now
	proposal  [][]uint32    // M proposals of each token
	random    [][4][]uint32 // ⌈M/2⌉ times four random words of each token

	row    topicRow
	sorted []uint32 // the word's topics in increasing order, each as often as it occurs
}

// warpChunk is how many tokens of a word are worked on at once: their columns
// stay in the first-level cache.
const warpChunk = 512

func newWarpWorker[T warpTopic](s *warp[T]) *warpWorker[T] {
	w := &warpWorker[T]{
		s:        s,
		nk:       make([]int64, s.p.K),
		row:      newTopicRow(s.p.K),
		proposal: make([][]uint32, s.m),
		random:   make([][4][]uint32, (s.m+1)/2),
	}
	w.grow(warpChunk)
	return w
}

// grow makes room for n tokens.
func (w *warpWorker[T]) grow(n int) {
	if n <= len(w.z) {
		return
	}
	n = max(n, 2*len(w.z))
	w.at, w.block = make([]uint32, n), make([]uint32, n)
	w.own, w.z = make([]uint32, n), make([]uint32, n)
	for j := range w.proposal {
		w.proposal[j] = make([]uint32, n)
	}
	for i := range w.random {
		for word := range w.random[i] {
			w.random[i][word] = make([]uint32, n)
		}
	}
}

// draw fills the random words of the first n tokens.
func (w *warpWorker[T]) draw(n int, purpose rng.Purpose) {
	key := rng.NewKey(w.s.p.Seed)
	for i := range w.random {
		warpRandomGo(&w.random[i], key, w.at[:n], w.block[:n], w.s.iteration, uint32(purpose)+uint32(i)<<8)
	}
}

// walk moves the first n tokens through their proposals.
func (w *warpWorker[T]) walk(n int, row *warpRow) {
	copy(w.own[:n], w.z[:n])
	for j, proposal := range w.proposal {
		warpStepGo(w.z[:n], w.own, proposal, w.random[j/2][j%2*2], row)
	}
}

// propose draws new proposals for the first n tokens.
func (w *warpWorker[T]) propose(n int, places []uint32, mix warpMix, alias warpAlias) {
	for j, proposal := range w.proposal {
		random := &w.random[j/2]
		warpDrawGo(proposal[:n], random[j%2*2], random[j%2*2+1], places, mix, uint32(w.s.p.K), alias)
	}
}

// words runs the word phase for words lo … hi-1.
func (w *warpWorker[T]) words(lo, hi int) {
	s := w.s
	row := warpRow{counts: w.row.counts, prior: s.beta, inv: s.inv}
	for word := lo; word < hi; word++ {
		segments := s.segments[s.first[word]:s.first[word+1]]
		n := w.countWord(segments)
		if n == 0 {
			continue
		}
		w.sorted = w.row.expand(w.sorted[:0])
		mix := newWarpMix(n, s.betaSum)
		for cursor := (warpCursor{}); cursor.segment < len(segments); {
			n, next := w.load(segments, cursor)
			w.draw(n, forWarpWord)
			w.walk(n, &row)
			w.propose(n, w.sorted, mix, warpAlias{})
			w.store(segments, cursor, n)
			cursor = next
		}
		w.row.reset()
	}
}

// countWord counts a word's topics and returns how many tokens it has.
func (w *warpWorker[T]) countWord(segments []warpSegment) int {
	s, n := w.s, 0
	stride := s.m + 1
	for _, seg := range segments {
		begin := (s.blocks[seg.block].Begin + int(seg.begin)) * stride
		tokens := s.tokens[begin : begin+int(seg.n)*stride]
		for i := 0; i < len(tokens); i += stride {
			w.row.add(uint32(tokens[i]))
		}
		n += int(seg.n)
	}
	return n
}

// warpCursor is a place in a list of segments.
type warpCursor struct {
	segment int
	token   uint32 // tokens of the segment before it
}

// load copies the next tokens of a word, at most warpChunk, into the columns.
func (w *warpWorker[T]) load(segments []warpSegment, c warpCursor) (n int, next warpCursor) {
	s := w.s
	stride := s.m + 1
	for c.segment < len(segments) && n < warpChunk {
		seg := segments[c.segment]
		count := min(int(seg.n-c.token), warpChunk-n)
		at := seg.begin + c.token
		from := (s.blocks[seg.block].Begin + int(at)) * stride
		for i := range count {
			token := s.tokens[from+i*stride : from+(i+1)*stride]
			w.z[n+i] = uint32(token[0])
			for j, t := range token[1:] {
				w.proposal[j][n+i] = uint32(t)
			}
			w.at[n+i], w.block[n+i] = at+uint32(i), seg.block
		}
		n += count
		c.token += uint32(count)
		if c.token == seg.n {
			c = warpCursor{segment: c.segment + 1}
		}
	}
	return n, c
}

// store copies the columns of n tokens back to where load took them from.
func (w *warpWorker[T]) store(segments []warpSegment, c warpCursor, n int) {
	s := w.s
	stride := s.m + 1
	for done := 0; done < n; {
		seg := segments[c.segment]
		count := min(int(seg.n-c.token), n-done)
		from := (s.blocks[seg.block].Begin + int(seg.begin+c.token)) * stride
		for i := range count {
			w.put(s.tokens[from+i*stride:from+(i+1)*stride], done+i)
		}
		done += count
		c = warpCursor{segment: c.segment + 1}
	}
}

// put writes token i of the columns.
func (w *warpWorker[T]) put(token []T, i int) {
	token[0] = T(w.z[i])
	for j := range token[1:] {
		token[1+j] = T(w.proposal[j][i])
	}
}

// docs runs the doc phase for the documents of block b. Without walk the topics
// stay and only doc-proposals are drawn.
func (w *warpWorker[T]) docs(b int, walk bool) {
	s := w.s
	block := s.blocks[b]
	row := warpRow{counts: w.row.counts, prior: s.alpha.prior[0], inv: s.inv}
	if !s.alpha.symmetric {
		row.priors = s.alpha.prior
	}
	for d := block.FirstDoc; d < block.LastDoc; d++ {
		begin, n := int(s.p.Offsets[d])-block.Begin, int(s.p.Offsets[d+1]-s.p.Offsets[d])
		if n == 0 {
			continue
		}
		w.grow(n)
		w.loadDoc(b, begin, n)
		w.draw(n, forWarpDoc)
		if walk {
			w.walkDoc(n, &row)
		}
		w.propose(n, w.z, newWarpMix(n, s.alpha.sum), s.alpha.alias)
		for i := range n {
			at := s.place(block, begin+i) * (s.m + 1)
			w.put(s.tokens[at:at+s.m+1], i)
			w.nk[w.z[i]]++
		}
	}
}

// loadDoc copies a document's tokens into the columns.
func (w *warpWorker[T]) loadDoc(b, begin, n int) {
	s := w.s
	block := s.blocks[b]
	for i := range n {
		at := s.place(block, begin+i)
		token := s.tokens[at*(s.m+1) : (at+1)*(s.m+1)]
		w.z[i] = uint32(token[0])
		for j, t := range token[1:] {
			w.proposal[j][i] = uint32(t)
		}
		w.at[i], w.block[i] = uint32(at-block.Begin), uint32(b)
	}
}

// walkDoc counts a document's row and moves its tokens.
func (w *warpWorker[T]) walkDoc(n int, row *warpRow) {
	for _, k := range w.z[:n] {
		row.counts[k]++
	}
	w.walk(n, row)
	for _, k := range w.own[:n] {
		row.counts[k] = 0
	}
}

// countDocs adds the block's documents to h.
func (w *warpWorker[T]) countDocs(b grid.Block, h *histograms) {
	s := w.s
	for d := b.FirstDoc; d < b.LastDoc; d++ {
		begin, n := int(s.p.Offsets[d])-b.Begin, int(s.p.Offsets[d+1]-s.p.Offsets[d])
		w.grow(n)
		for i := range n {
			w.z[i] = uint32(s.tokens[s.place(b, begin+i)*(s.m+1)])
		}
		h.addDoc(w.z[:n])
	}
}

// appendRow appends the non-zero counts of a word.
func (w *warpWorker[T]) appendRow(dst []counts.Entry, word int) []counts.Entry {
	w.countWord(w.s.segments[w.s.first[word]:w.s.first[word+1]])
	for _, k := range w.row.topics() {
		dst = append(dst, counts.Entry{Topic: k, Count: uint32(w.row.counts[k])})
	}
	w.row.reset()
	return dst
}

// topicRow counts topics and lists those that occur in increasing order, in time
// that goes with their number and not with K.
type topicRow struct {
	counts  []int32  // K, zero at rest
	seen    []uint32 // K+1: topics that occur, as met until topics sorts them
	n       int      // how many
	set     []uint64 // K bits: the topics that occur; zero at rest
	summary []uint64 // a bit for every word of set that is not zero; zero at rest
}

func newTopicRow(k int) topicRow {
	words := (k + 63) / 64
	return topicRow{
		counts:  make([]int32, k),
		seen:    make([]uint32, k+1),
		set:     make([]uint64, words),
		summary: make([]uint64, (words+63)/64),
	}
}

// add counts a token of topic k. The list always takes k and keeps it only if it
// is new: no branch that a processor would have to guess.
func (r *topicRow) add(k uint32) {
	n := r.counts[k]
	r.counts[k] = n + 1
	r.seen[r.n] = k
	if n == 0 {
		r.n++
	}
}

// topics returns the topics that occur in increasing order, until reset.
func (r *topicRow) topics() []uint32 {
	for _, k := range r.seen[:r.n] {
		r.set[k>>6] |= 1 << (k & 63)
		r.summary[k>>12] |= 1 << (k >> 6 & 63)
	}
	at := 0
	for i, words := range r.summary {
		for ; words != 0; words &= words - 1 {
			word := i<<6 + bits.TrailingZeros64(words)
			for topics := r.set[word]; topics != 0; topics &= topics - 1 {
				r.seen[at] = uint32(word<<6 + bits.TrailingZeros64(topics))
				at++
			}
			r.set[word] = 0
		}
		r.summary[i] = 0
	}
	return r.seen[:r.n]
}

// expand appends every topic as often as it occurs, in increasing order.
func (r *topicRow) expand(dst []uint32) []uint32 {
	for _, k := range r.topics() {
		for range r.counts[k] {
			dst = append(dst, k)
		}
	}
	return dst
}

// reset empties the row.
func (r *topicRow) reset() {
	for _, k := range r.seen[:r.n] {
		r.counts[k] = 0
	}
	r.n = 0
}
