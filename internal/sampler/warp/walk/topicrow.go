package walk

import (
	"math/bits"
	"slices"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
)

// TopicRow counts topics and lists those that occur in increasing order, in time that grows with their number
// and not with K.
type TopicRow struct {
	Cells   []TopicCell // K
	seen    []uint32    // K+1: topics that occur, unsorted until Topics sorts them
	n       int         // number of topics that occur
	sorted  bool        // seen is in increasing order
	bits    []uint64    // K bits: the topics that occur; zero outside Topics
	summary []uint64    // a bit for every word of bits that is not zero; zero outside Topics
}

func NewTopicRow(k int) TopicRow {
	words := (k + 63) / 64
	cells := make([]TopicCell, k)
	alloc.HugePages(cells)
	return TopicRow{
		Cells:   cells,
		seen:    make([]uint32, k+1),
		bits:    make([]uint64, words),
		summary: make([]uint64, (words+63)/64),
	}
}

// Add counts tokens with topics z. It always writes a topic to the list, but advances only if it is new, so
// that the loop has no unpredictable branch.
func (r *TopicRow) Add(z []uint32) {
	cells, seen, at := r.Cells, r.seen, r.n
	for _, k := range z {
		n := cells[k].N
		cells[k].N = n + 1
		seen[at] = k
		next := at + 1
		if n != 0 {
			next = at
		}
		at = next
	}
	r.n = at
}

// AddCounts adds the counts of entries, and returns their sum.
func (r *TopicRow) AddCounts(entries []counts.Entry) (sum int) {
	for _, e := range entries {
		if r.Cells[e.Topic].N == 0 {
			r.seen[r.n] = e.Topic
			r.n++
		}
		r.Cells[e.Topic].N += int32(e.Count)
		sum += int(e.Count)
	}
	return sum
}

// Set fills an empty row with counts above 0, topics in increasing order, and returns their sum.
func (r *TopicRow) Set(entries []counts.Entry) (sum int) {
	cells, seen := r.Cells, r.seen[:len(entries)]
	for i, e := range entries {
		cells[e.Topic].N = int32(e.Count)
		seen[i] = e.Topic
		sum += int(e.Count)
	}
	r.n, r.sorted = len(entries), true
	return sum
}

// SetDense is Set for a row with a number for every topic.
func (r *TopicRow) SetDense(row []int32) (sum int) {
	r.n, sum = setDense(r.Cells, r.seen, row)
	r.sorted = true
	return sum
}

// topicRowFew is how many times more topics than occurring topics there must be for sorting to be faster than
// scanning the summary, which has a bit for 64 topics.
const topicRowFew = 1 << 13

// Topics returns the topics that occur, in increasing order. The result is valid until Reset.
func (r *TopicRow) Topics() []uint32 {
	if !r.sorted && r.n*topicRowFew < len(r.Cells) {
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
func (r *TopicRow) Reset() {
	cells := r.Cells
	for _, k := range r.seen[:r.n] {
		cells[k].N = 0
	}
	r.n, r.sorted = 0, false
}

// AppendTo appends the counts to dst in increasing topic order.
func (r *TopicRow) AppendTo(dst []counts.Entry) []counts.Entry {
	for _, k := range r.Topics() {
		dst = append(dst, counts.Entry{Topic: k, Count: uint32(r.Cells[k].N)})
	}
	return dst
}
