package fold

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Expect finds the expected topics of documents without draws: zero-order collapsed
// variational inference (Asuncion et al. 2009) with the model's counts fixed. A distinct
// word w of a document, there c_w times, has responsibilities
//
//	r_wk ∝ (n_dk - r_wk + α_k) · n_wk/(n_k + Vβ) + (n_dk + α_k) · β/(n_k + Vβ)
//	n_dk = Σ_w c_w r_wk
//
// which are iterated from n_d = 0 until they settle. The own responsibility is taken out
// of n_dk in the first summand, where it matters, and not in the second. Topics are found
// in two rounds: the first looks at the topics in which each word is most likely, and
// topics with next to no tokens leave the document on the way; the second looks at all
// that is left. So an iteration costs a few topics for each distinct word, whatever K.
// Nothing is random, and a document has the same topics in whatever company it comes.
func (f *Fold) Expect(ctx context.Context, offsets []uint64, words []uint32, emit func(doc int, sums []counts.Entry) error) error {
	shared := newExpectation(f, len(words))
	return f.inTasks(ctx, offsets, func() func(dst []counts.Entry, d int) []counts.Entry {
		e := &expecter{expectation: shared, slotOf: make([]uint32, len(f.Totals))}
		return func(dst []counts.Entry, d int) []counts.Entry {
			return e.expect(dst, words[offsets[d]:offsets[d+1]])
		}
	}, emit)
}

// ExpectScale returns what one token counts in the sums of Expect for a document of so
// many tokens: a power of two for which all tokens fit 32 bits.
func ExpectScale(tokens int) float64 { return float64(uint64(1) << min(16, 31-bits.Len(uint(tokens)))) }

// When a round ends, and when a topic leaves a document.
const (
	expectTop     = 32    // topics of a word that the first round looks at
	expectMost    = 30    // iterations of a round
	expectSettled = 0.01  // Σ_k |change of n_dk| for each token
	expectLeast   = 0.005 // tokens that a topic must have, looked at from the third iteration on
	expectSecond  = 2
)

// expectation is what all documents share.
type expectation struct {
	f     *Fold
	inv   []float64                        // K: 1/(n_k + Vβ)
	small []float64                        // K: β/(n_k + Vβ)
	tops  []atomic.Pointer[[]counts.Entry] // of each word: what top found; nil where few words are asked for
}

func newExpectation(f *Fold, words int) *expectation {
	e := &expectation{f: f, inv: make([]float64, len(f.Totals)), small: make([]float64, len(f.Totals))}
	if words > f.V {
		e.tops = make([]atomic.Pointer[[]counts.Entry], f.V)
	}
	vbeta := float64(f.V) * f.Priors.Beta
	for k, n := range f.Totals {
		e.inv[k] = 1 / (float64(n) + vbeta)
		e.small[k] = f.Priors.Beta * e.inv[k]
	}
	return e
}

// top returns the entries of a word's row in whose topics it is most likely. It uses the
// scratch and returns it.
func (e *expectation) top(w uint32, scratch []counts.Entry) (top, rest []counts.Entry) {
	if e.tops != nil {
		if known := e.tops[w].Load(); known != nil {
			return *known, scratch
		}
	}
	scratch = e.f.Rows.AppendRow(scratch[:0], int(w))
	top = scratch
	if len(top) > expectTop {
		top = e.likeliest(top)
	}
	if e.tops != nil {
		kept := slices.Clone(top)
		e.tops[w].Store(&kept)
	}
	return top, scratch
}

// likeliest moves the expectTop entries in whose topics the word is most likely to the
// front, as a heap with the least likely first; of equal ones those that come first stay.
func (e *expectation) likeliest(row []counts.Entry) []counts.Entry {
	weight := func(x counts.Entry) float64 { return float64(x.Count) * e.inv[x.Topic] }
	heap := row[:expectTop]
	down := func(i int) {
		for {
			least := i
			for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
				if weight(heap[child]) < weight(heap[least]) {
					least = child
				}
			}
			if least == i {
				return
			}
			heap[i], heap[least] = heap[least], heap[i]
			i = least
		}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		down(i)
	}
	for _, x := range row[expectTop:] {
		if weight(x) > weight(heap[0]) {
			heap[0] = x
			down(0)
		}
	}
	return heap
}

// expecter is one goroutine's scratch.
type expecter struct {
	*expectation
	slotOf []uint32 // K: 1 + the slot of a topic of the document, 0 between documents

	topics       []uint32  // of each slot
	alpha, small []float64 // of each slot
	n, next      []float64 // of each slot: n_dk, and that of the next iteration
	gamma        []float64 // of each slot: n_dk + α_k

	times []float64 // of each distinct word: how often it occurs
	ends  []int     // of each distinct word: end of its cells
	cells []cell
	row   []counts.Entry
}

// cell is a topic of a word of the document.
type cell struct {
	slot   uint32
	weight float64 // n_wk/(n_k + Vβ)
	r      float64 // r_wk without the summand of β
}

// expect appends the topics of a document, sorted by number.
func (e *expecter) expect(dst []counts.Entry, doc []uint32) []counts.Entry {
	if len(doc) == 0 {
		return dst
	}
	e.load(doc)
	e.settle(len(doc))
	e.reload(doc)
	e.settle(len(doc))
	for _, k := range e.topics {
		e.slotOf[k] = 0
	}
	return e.collect(dst, len(doc))
}

// settle iterates until the topics settle.
func (e *expecter) settle(tokens int) {
	for i := range expectMost {
		change := e.iterate()
		if i >= expectSecond {
			e.prune()
		}
		if change < expectSettled*float64(tokens) {
			return
		}
	}
}

// load gathers the likely topics of the document's distinct words.
func (e *expecter) load(doc []uint32) {
	e.topics, e.alpha, e.small, e.n = e.topics[:0], e.alpha[:0], e.small[:0], e.n[:0]
	e.times, e.ends, e.cells = e.times[:0], e.ends[:0], e.cells[:0]
	for i, w := range doc { // sorted
		if i > 0 && doc[i-1] == w {
			e.times[len(e.times)-1]++
			continue
		}
		var top []counts.Entry
		top, e.row = e.top(w, e.row)
		for _, entry := range top {
			e.cells = append(e.cells, cell{slot: e.slot(entry.Topic), weight: float64(entry.Count) * e.inv[entry.Topic]})
		}
		e.times, e.ends = append(e.times, 1), append(e.ends, len(e.cells))
	}
	if len(e.topics) == 0 { // the training documents have none of its words
		for k := range e.inv {
			e.slot(uint32(k))
		}
	}
}

// reload gathers all that the document's words have of the topics that are left.
func (e *expecter) reload(doc []uint32) {
	e.ends, e.cells = e.ends[:0], e.cells[:0]
	for i, w := range doc {
		if i > 0 && doc[i-1] == w {
			continue
		}
		e.row = e.f.Rows.AppendRow(e.row[:0], int(w))
		for _, entry := range e.row {
			if at := e.slotOf[entry.Topic]; at > 0 {
				weight := float64(entry.Count) * e.inv[entry.Topic]
				e.cells = append(e.cells, cell{slot: at - 1, weight: weight})
			}
		}
		e.ends = append(e.ends, len(e.cells))
	}
}

// slot returns the slot of a topic, a new one if it has none.
func (e *expecter) slot(k uint32) uint32 {
	if e.slotOf[k] == 0 {
		e.topics = append(e.topics, k)
		e.alpha, e.small, e.n = append(e.alpha, e.f.Priors.Alpha[k]), append(e.small, e.expectation.small[k]), append(e.n, 0)
		e.slotOf[k] = uint32(len(e.topics))
	}
	return e.slotOf[k] - 1
}

// iterate computes all responsibilities anew and returns Σ_k |change of n_dk|.
func (e *expecter) iterate() float64 {
	slots := len(e.topics)
	e.gamma = slices.Grow(e.gamma[:0], slots)[:slots]
	e.next = slices.Grow(e.next[:0], slots)[:slots]
	clear(e.next)
	base := 0.0 // Σ_k (n_dk + α_k) β/(n_k + Vβ)
	for s, n := range e.n {
		e.gamma[s] = n + e.alpha[s]
		base += float64(e.gamma[s] * e.small[s])
	}
	outside, begin := 0.0, 0 // Σ_w c_w / Z_w
	for j, end := range e.ends {
		row := e.cells[begin:end]
		begin = end
		sum := base
		for i := range row {
			c := &row[i]
			c.r = max(0, e.gamma[c.slot]-c.r) * c.weight
			sum += c.r
		}
		scale := 1 / sum
		outside += float64(e.times[j] * scale)
		for i := range row {
			c := &row[i]
			c.r *= scale
			e.next[c.slot] += float64(e.times[j] * c.r)
		}
	}
	change := 0.0
	for s, g := range e.gamma {
		e.next[s] += float64(float64(g*e.small[s]) * outside)
		change += math.Abs(e.next[s] - e.n[s])
	}
	e.n, e.next = e.next, e.n
	return change
}

// prune takes topics with next to no tokens out of the document, but never all.
func (e *expecter) prune() {
	largest := slices.Max(e.n)
	least := min(expectLeast, largest)
	if slices.Min(e.n) >= least {
		return
	}
	const gone = math.MaxUint32
	to := make([]uint32, len(e.n))
	kept := uint32(0)
	for s, n := range e.n {
		to[s] = gone
		e.slotOf[e.topics[s]] = 0
		if n >= least {
			e.slotOf[e.topics[s]] = kept + 1
			e.topics[kept], e.alpha[kept], e.small[kept], e.n[kept] = e.topics[s], e.alpha[s], e.small[s], n
			to[s] = kept
			kept++
		}
	}
	e.topics, e.alpha, e.small, e.n = e.topics[:kept], e.alpha[:kept], e.small[:kept], e.n[:kept]
	begin, at := 0, 0
	for j, end := range e.ends {
		for _, c := range e.cells[begin:end] {
			if to[c.slot] != gone {
				c.slot = to[c.slot]
				e.cells[at] = c
				at++
			}
		}
		begin, e.ends[j] = end, at
	}
	e.cells = e.cells[:at]
}

// collect appends n_dk as whole numbers that add up to the document's tokens: shares are
// rounded down, and the largest topic has the rest.
func (e *expecter) collect(dst []counts.Entry, tokens int) []counts.Entry {
	total := uint64(float64(tokens) * ExpectScale(tokens))
	sum := 0.0
	for _, n := range e.n {
		sum += n
	}
	first, rest, largest := len(dst), total, 0
	for s, n := range e.n {
		count := uint64(n / sum * float64(total))
		rest -= count
		dst = append(dst, counts.Entry{Topic: e.topics[s], Count: uint32(count)})
		if n > e.n[largest] {
			largest = s
		}
	}
	dst[first+largest].Count += uint32(rest)
	slices.SortFunc(dst[first:], func(a, b counts.Entry) int { return cmp.Compare(a.Topic, b.Topic) })
	return dst
}
