// Package counts holds the integer tables a topic model is made of: n_wk (how
// often word w is assigned to topic k), n_k = Σ_w n_wk, and the histograms of
// n_dk and n_wk from which hyper-parameters and likelihoods follow.
package counts

import "github.com/topoi-lda/topoi/topic"

// Entry is one non-zero element of a row of n_wk.
type Entry = topic.Count

// Change is what a round adds to one element of a row of n_wk; it is never zero.
type Change struct {
	Topic uint32
	Delta int32
}

// AppendChanges appends what is not zero of changes by topic.
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

// InPlaceOf returns rows itself if it can show them in place, and otherwise a copy
// of those of the words marked, made by several goroutines if rows is Concurrent.
func InPlaceOf(rows Rows, words []bool, threads int) InPlace {
	if direct, ok := rows.(InPlace); ok {
		return direct
	}
	if _, ok := rows.(Concurrent); ok {
		return copyTogether(rows, words, threads)
	}
	c := copied{ends: make([]uint64, len(words)+1)}
	if sized, ok := rows.(Sized); ok {
		c.entries = make([]Entry, 0, sized.Entries(words)) // a list that grows would be there twice now and then
	}
	for w, marked := range words {
		if marked {
			c.entries = rows.AppendRow(c.entries, w)
		}
		c.ends[w+1] = uint64(len(c.entries))
	}
	return c
}

// Concurrent are rows that several goroutines may ask for at the same time, once somebody
// has asked for n_k.
type Concurrent interface {
	Rows
	Concurrent()
}

// Sized are rows that know how many entries those of the words marked have, or say 0.
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

	Groups []Histograms // DocLengths and Topic of each group of documents that has a prior of its own; nil: there are none
}

// Group returns the histograms of a group of documents, of which there are k topics.
func (h *Histograms) Group(g uint32, k int) *Histograms {
	if more := int(g) + 1 - len(h.Groups); more > 0 {
		h.Groups = append(h.Groups, make([]Histograms, more)...)
	}
	if h.Groups[g].Topic == nil {
		h.Groups[g].Topic = make([][]uint32, k)
	}
	return &h.Groups[g]
}

// Add adds the counts of o to h.
func (h *Histograms) Add(o *Histograms) {
	h.DocLengths = addTo(h.DocLengths, o.DocLengths)
	h.WordTopic = addTo(h.WordTopic, o.WordTopic)
	h.TopicTotals = addTo(h.TopicTotals, o.TopicTotals)
	for k := range o.Topic {
		h.Topic[k] = addTo(h.Topic[k], o.Topic[k])
	}
	for g := range o.Groups {
		if own := &o.Groups[g]; own.Topic != nil {
			h.Group(uint32(g), len(own.Topic)).Add(own)
		}
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
