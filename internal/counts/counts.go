// Package counts holds the integer tables a topic model is made of: n_wk (how
// often word w is assigned to topic k), n_k = Σ_w n_wk, and the histograms of
// n_dk and n_wk from which hyper-parameters and likelihoods follow.
package counts

import "github.com/topoi-lda/topoi/topic"

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
	// Row returns the non-zero entries of word w in increasing topic order. They
	// must not be changed.
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

// Histograms are the sufficient statistics of a state for Minka's fixed point
// and for the joint likelihood. They are integers, so they do not depend on
// the order or the number of threads in which they were counted.
type Histograms struct {
	DocLengths  []uint64   // DocLengths[n] = number of documents with n tokens
	Topic       [][]uint32 // Topic[k][n] = number of documents with n_dk = n, for n ≥ 1; rows end at their largest n
	WordTopic   []uint64   // WordTopic[n] = number of pairs (w, k) with n_wk = n, for n ≥ 1
	TopicTotals []uint64   // TopicTotals[k] = n_k

	Groups []Bin // documents by group, where groups have priors of their own, sorted by cell and n; nil without groups
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
	int32 | int64 | uint32 | uint64 | float64
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
