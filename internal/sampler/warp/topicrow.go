package warp

import (
	"math/bits"
	"slices"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
)

// topicCell is what one goroutine keeps of a topic. Topics are met in any order, and
// with very many of them each meeting is a miss in a cache: what is needed together
// lies together, four topics to a cache line.
type topicCell struct {
	n     int32   // how often the topic occurs in the row at hand; zero at rest
	inv   float32 // warp's inv_k
	prior float32 // float32(α_k)
	total uint32  // tokens with the topic, until flush adds them to n_k
}

// topicRow counts topics and lists those that occur in increasing order, in time
// that goes with their number and not with K.
type topicRow struct {
	cells   []topicCell // K
	seen    []uint32    // K+1: topics that occur, as met until topics sorts them
	n       int         // how many
	sorted  bool        // seen is in increasing order
	bits    []uint64    // K bits: the topics that occur; zero at rest
	summary []uint64    // a bit for every word of bits that is not zero; zero at rest
}

func newTopicRow(k int) topicRow {
	words := (k + 63) / 64
	cells := make([]topicCell, k)
	alloc.HugePages(cells)
	return topicRow{
		cells:   cells,
		seen:    make([]uint32, k+1),
		bits:    make([]uint64, words),
		summary: make([]uint64, (words+63)/64),
	}
}

// add counts tokens with topics z. The list always takes a topic and keeps it
// only if it is new: no branch that a processor would have to guess.
func (r *topicRow) add(z []uint32) {
	cells, seen, at := r.cells, r.seen, r.n
	for _, k := range z {
		n := cells[k].n
		cells[k].n = n + 1
		seen[at] = k
		next := at + 1
		if n != 0 {
			next = at
		}
		at = next
	}
	r.n = at
}

// Set fills an empty row with counts above 0, topics in increasing order, and
// returns their sum.
func (r *topicRow) Set(entries []counts.Entry) (sum int) {
	cells, seen := r.cells, r.seen[:len(entries)]
	for i, e := range entries {
		cells[e.Topic].n = int32(e.Count)
		seen[i] = e.Topic
		sum += int(e.Count)
	}
	r.n, r.sorted = len(entries), true
	return sum
}

// setDense is set for a row with a number for every topic.
func (r *topicRow) setDense(row []int32) (sum int) {
	r.n, sum = setDense(r.cells, r.seen, row)
	r.sorted = true
	return sum
}

// setDenseGo sets the counts of topics from first on, lists those that occur, and
// returns their number and the sum of their counts. As in add, no branch depends on
// the counts.
func setDenseGo(cells []topicCell, seen []uint32, row []int32, first int) (n, sum int) {
	cells = cells[:len(row)]
	for k := first; k < len(row); k++ {
		cells[k].n = row[k]
		seen[n] = uint32(k)
		next := n + 1
		if row[k] == 0 {
			next = n
		}
		n = next
		sum += int(row[k])
	}
	return n, sum
}

// topicRowFew is how many times more topics than occur there must be for sorting
// to be faster than looking through the summary, a bit for 4,096 topics.
const topicRowFew = 1 << 13

// Topics returns the topics that occur in increasing order, until reset.
func (r *topicRow) Topics() []uint32 {
	if !r.sorted && r.n*topicRowFew < len(r.cells) {
		slices.Sort(r.seen[:r.n])
		r.sorted = true
	}
	if r.sorted {
		return r.seen[:r.n]
	}
	for _, k := range r.seen[:r.n] {
		r.bits[k>>6] |= 1 << (k & 63)
		r.summary[k>>12] |= 1 << (k >> 6 & 63)
	}
	seen := r.seen[:0]
	for i, words := range r.summary {
		for ; words != 0; words &= words - 1 {
			word := i<<6 + bits.TrailingZeros64(words)
			for topics := r.bits[word]; topics != 0; topics &= topics - 1 {
				seen = append(seen, uint32(word<<6+bits.TrailingZeros64(topics)))
			}
			r.bits[word] = 0
		}
		r.summary[i] = 0
	}
	return seen
}

// Reset empties the row.
func (r *topicRow) Reset() {
	cells := r.cells
	for _, k := range r.seen[:r.n] {
		cells[k].n = 0
	}
	r.n, r.sorted = 0, false
}

// appendTo appends the counts to dst in increasing topic order.
func (r *topicRow) appendTo(dst []counts.Entry) []counts.Entry {
	for _, k := range r.Topics() {
		dst = append(dst, counts.Entry{Topic: k, Count: uint32(r.cells[k].n)})
	}
	return dst
}
