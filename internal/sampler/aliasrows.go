package sampler

import (
	"slices"

	"github.com/topoi-lda/topoi/discrete"
	"github.com/topoi-lda/topoi/internal/counts"
)

// aliasRows holds a sparse alias table for every word, over the topics that the
// word has (LightLDA §4.2). A word that occurs n_w times has at most min(n_w, K)
// topics, so every table has a fixed place and building one allocates nothing.
// Different goroutines may build and use different rows at the same time.
type aliasRows struct {
	first  []uint64  // V+1: row w begins at first[w] in the slices below
	length []uint32  // V: topics in row w
	sum    []float64 // V: sum of the weights of row w
	topic  []uint32  // topics of each row, increasing
	weight []float32 // their weights
	own    []float32 // share of its column that a topic fills itself
	alias  []uint32  // who fills the rest: an index into the row
}

// aliasBuilder is the scratch memory of one goroutine that builds rows.
type aliasBuilder struct {
	table   discrete.Alias[float32]
	entries []counts.Entry
}

func newAliasRows(frequencies []uint64, k int) *aliasRows {
	r := &aliasRows{
		first:  make([]uint64, len(frequencies)+1),
		length: make([]uint32, len(frequencies)),
		sum:    make([]float64, len(frequencies)),
	}
	for w, n := range frequencies {
		r.first[w+1] = r.first[w] + min(n, uint64(k))
	}
	n := r.first[len(frequencies)]
	r.topic, r.weight = make([]uint32, n), make([]float32, n)
	r.own, r.alias = make([]float32, n), make([]uint32, n)
	return r
}

// build makes the table of word w from its counts: topic k gets the weight
// n_wk · factor(k).
func (r *aliasRows) build(w int, rows counts.Rows, b *aliasBuilder, factor func(k uint32) float64) {
	b.entries = rows.AppendRow(b.entries[:0], w)
	lo, n := r.first[w], uint64(len(b.entries))
	r.length[w], r.sum[w] = uint32(n), 0
	if n == 0 {
		return
	}
	weights := r.weight[lo : lo+n]
	for i, e := range b.entries {
		x := float64(e.Count) * factor(e.Topic)
		r.topic[lo+uint64(i)] = e.Topic
		weights[i] = float32(x)
		r.sum[w] += x
	}
	b.table.Build(weights)
	own, alias := b.table.Table()
	copy(r.own[lo:], own)
	for i, a := range alias {
		r.alias[lo+uint64(i)] = uint32(a)
	}
}

// draw returns a topic of word w, whose row must not be empty, for u in [0, 1).
func (r *aliasRows) draw(w int, u float64) uint32 {
	lo, n := r.first[w], uint64(r.length[w])
	x := u * float64(n)
	column := min(uint64(x), n-1)
	if float32(x-float64(column)) >= r.own[lo+column] {
		column = uint64(r.alias[lo+column])
	}
	return r.topic[lo+column]
}

// weightOf returns the weight of topic k in the row of word w: O(log K_w).
func (r *aliasRows) weightOf(w int, k uint32) float64 {
	lo, n := r.first[w], uint64(r.length[w])
	i, found := slices.BinarySearch(r.topic[lo:lo+n], k)
	if !found {
		return 0
	}
	return float64(r.weight[lo+uint64(i)])
}
