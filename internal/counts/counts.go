// Package counts holds the integer tables a topic model is made of: n_wk (how often word w is assigned to topic k),
// n_k = Σ_w n_wk, and the histograms of n_dk and n_wk from which hyper-parameters and likelihoods follow.
package counts

import (
	"context"

	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/topic"
)

// Entry is one non-zero element of a row of n_wk.
type Entry = topic.Count

// Change is the change of one element of a row of n_wk in a round; it is never zero.
type Change struct {
	Topic uint32
	Delta int32
}

// AppendChanges appends the numbers of delta, which are by topic, that are not zero.
func AppendChanges(dst []Change, delta []int32) []Change {
	for k, d := range delta {
		if d != 0 {
			dst = append(dst, Change{Topic: uint32(k), Delta: d})
		}
	}
	return dst
}

// Rows gives access to n_wk word by word without saying how it is stored.
type Rows interface {
	// AppendRow appends the non-zero entries of word w in increasing topic order.
	AppendRow(dst []Entry, w int) []Entry
}

// InPlace gives rows of n_wk without copying them.
type InPlace interface {
	// Row returns the non-zero entries of word w in increasing topic order. They must not be changed.
	Row(w int) []Entry
}

// InPlaceOf returns rows itself if it implements InPlace, and otherwise a copy of the rows of the marked
// words. Several goroutines make the copy if rows is Concurrent.
func InPlaceOf(rows Rows, words []bool, threads int) InPlace {
	if direct, ok := rows.(InPlace); ok {
		return direct
	}
	if _, ok := rows.(Concurrent); ok {
		return copyTogether(rows, words, threads)
	}
	c := copied{ends: make([]uint64, len(words)+1)}
	if sized, ok := rows.(Sized); ok {
		c.entries = make([]Entry, 0, sized.Entries(words)) // a growing list would be in memory twice
	}
	for w, marked := range words {
		if marked {
			c.entries = rows.AppendRow(c.entries, w)
		}
		c.ends[w+1] = uint64(len(c.entries))
	}
	return c
}

// Concurrent is implemented by rows that several goroutines may read at the same time, after n_k was read.
type Concurrent interface {
	Rows
	Concurrent()
}

// Sized is implemented by rows that know the number of entries of the marked words, or return 0.
type Sized interface {
	Entries(words []bool) int
}

// copied is a copy of some rows.
type copied struct {
	ends    []uint64 // V+1
	entries []Entry
}

func (c copied) Row(w int) []Entry { return c.entries[c.ends[w]:c.ends[w+1]] }

// Histograms are the sufficient statistics of a state for Minka's fixed point and for the joint likelihood. They are
// integers, so they do not depend on the order or the number of threads in which they were counted.
type Histograms struct {
	DocLengths  []uint64   // DocLengths[n] = number of documents with n tokens
	Topic       [][]uint32 // Topic[k][n] = number of documents with n_dk = n, for n ≥ 1; rows end at their largest n; empty with groups
	WordTopic   []uint64   // WordTopic[n] = number of pairs (w, k) with n_wk = n, for n ≥ 1
	TopicTotals []uint64   // TopicTotals[k] = n_k

	// Groups counts documents by group, where groups have priors of their own, sorted by cell and n. It is nil without
	// groups, and if Raised has them on a device.
	Groups []Bin
	Raised Raised
}

// Raised are histograms by group on a device. They are valid until the device counts again.
type Raised interface {
	// Bins copies the bins that are not empty from the device, sorted by cell and n.
	Bins() ([]Bin, error)

	// Learn returns λ after some steps of hyper.Regression from lambda, and Σ_k α_gk of each group. The bits are those of
	// package hyper.
	Learn(lambda [][]float64, rounds int) (next [][]float64, sums []float64, err error)
}

// Bins returns the histograms by group, from wherever they are.
func (h *Histograms) Bins() ([]Bin, error) {
	if h.Raised != nil {
		return h.Raised.Bins()
	}
	return h.Groups, nil
}

// Add adds the counts of o to h.
func (h *Histograms) Add(o *Histograms) {
	h.DocLengths = addTo(h.DocLengths, o.DocLengths)
	h.WordTopic = addTo(h.WordTopic, o.WordTopic)
	h.TopicTotals = addTo(h.TopicTotals, o.TopicTotals)
	for k := range o.Topic {
		h.Topic[k] = addTo(h.Topic[k], o.Topic[k])
	}
	h.Groups = addBins(h.Groups, o.Groups)
}

// number is a type of counts and sums.
type number interface {
	int32 | int64 | uint32 | uint64 | float32 | float64
}

// Add adds n to sum, element by element.
func Add[T, S number](sum []T, n []S) {
	for k, x := range n {
		sum[k] += T(x)
	}
}

// Copy copies src to dst as numbers of another type.
func Copy[T, S number](dst []T, src []S) {
	for k, x := range src {
		dst[k] = T(x)
	}
}

// AppendDense appends the entries of a row with a count for every topic.
func AppendDense[T int32 | uint32](dst []Entry, row []T) []Entry {
	for k, n := range row {
		if n > 0 {
			dst = append(dst, Entry{Topic: uint32(k), Count: uint32(n)})
		}
	}
	return dst
}

// addTo adds b to a element by element, growing a as needed.
func addTo[T uint32 | uint64](a, b []T) []T {
	if len(b) > len(a) {
		a = append(a, make([]T, len(b)-len(a))...)
	}
	Add(a, b)
	return a
}

// CountIn returns n_wk of topic k from a row in topic order.
func CountIn(row []Entry, k uint32) uint32 {
	lo, hi := 0, len(row)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); row[mid].Topic < k {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(row) && row[lo].Topic == k {
		return row[lo].Count
	}
	return 0
}

// listed holds a row for every word.
type listed [][]Entry

func (l listed) Row(w int) []Entry { return l[w] }

// copyTogether copies the rows of the marked words with several goroutines.
func copyTogether(rows Rows, words []bool, threads int) listed {
	var list []int
	for w, marked := range words {
		if marked {
			list = append(list, w)
		}
	}
	l := make(listed, len(words))
	tasks := (len(list) + wordsAtOnce - 1) / wordsAtOnce
	slabs := make([][]Entry, parallel.Workers(threads, tasks))
	_ = parallel.Do(context.Background(), threads, tasks, func(worker, task int) {
		for _, w := range list[task*wordsAtOnce : min(len(list), (task+1)*wordsAtOnce)] {
			l[w], slabs[worker] = appendToSlab(rows, w, slabs[worker])
		}
	})
	return l
}

// appendToSlab appends the row of a word to a slab, and returns both. It starts a new slab well before the
// old one is full, so that hardly any row has to be moved.
func appendToSlab(rows Rows, w int, slab []Entry) (row, grown []Entry) {
	if cap(slab)-len(slab) < slabEntries/8 {
		slab = make([]Entry, 0, slabEntries)
	}
	before := len(slab)
	slab = rows.AppendRow(slab, w)
	return slab[before:len(slab):len(slab)], slab
}

// Bin is a bin of the histograms of a group of documents: the number of documents that have a topic N times, or N
// tokens.
type Bin struct{ Cell, N, Times uint32 }

// Cell returns the number of a group's histogram of topic t. Topic k, beyond the last one, stands for lengths of
// documents.
func Cell(group uint32, t, k int) uint32 { return group*uint32(k+1) + uint32(t) }

// Topic returns the topic of a bin, for k topics.
func (b Bin) Topic(k int) int { return int(b.Cell) % (k + 1) }

// addBins adds two lists of sorted bins. The second may have bins of one kind several times.
func addBins(a, b []Bin) []Bin {
	if len(b) == 0 {
		return a
	}
	sum := make([]Bin, 0, len(a)+len(b))
	for len(a)+len(b) > 0 {
		var next Bin
		if len(b) == 0 || len(a) > 0 && a[0].key() <= b[0].key() {
			next, a = a[0], a[1:]
		} else {
			next, b = b[0], b[1:]
		}
		if last := len(sum) - 1; last >= 0 && sum[last].key() == next.key() {
			sum[last].Times += next.Times
		} else {
			sum = append(sum, next)
		}
	}
	return sum
}

func (b Bin) key() uint64 { return uint64(b.Cell)<<32 | uint64(b.N) }

const (
	// wordsAtOnce is how many words a goroutine of copyTogether takes at a time. It is small because frequent
	// words, which have longer rows, often lie together.
	wordsAtOnce = 16

	// slabEntries is the number of entries allocated at a time: 512 kB.
	slabEntries = 1 << 16
)
