// Package aliasrows keeps an alias table for every word's row of n_wk.
package aliasrows

import (
	"cmp"
	"slices"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/discrete"
)

// Rows holds a sparse alias table for every word, over the topics that the word has (LightLDA §4.2). A word that
// occurs n_w times has at most min(n_w, K) topics, so every table has a fixed place and building one allocates
// nothing. Different goroutines may build and use different rows at the same time.
type Rows struct {
	first  []uint64  // V+1: row w begins at first[w] in the slices below
	Length []uint32  // V: topics in row w
	Sum    []float64 // V: sum of the weights of row w
	column []column
	weight []float32 // by column: weight of the topic; nil if not wanted
}

// column is a column of a table. Its fields are stored together, because a draw reads one column that is in no cache.
type column struct {
	topic uint32  // increasing in a row
	own   float32 // share of the column that the topic fills itself
	other uint32  // the topic that fills the rest
}

// Builder is the scratch memory of one goroutine that builds rows.
type Builder struct {
	table   discrete.Alias[float32]
	entries []counts.Entry
	weights []float32
}

// New allocates rows of at most the given lengths, and their weights if these are wanted.
func New(frequencies []uint64, k int, weights bool) *Rows {
	r := &Rows{
		first:  make([]uint64, len(frequencies)+1),
		Length: make([]uint32, len(frequencies)),
		Sum:    make([]float64, len(frequencies)),
	}
	for w, n := range frequencies {
		r.first[w+1] = r.first[w] + min(n, uint64(k))
	}
	n := r.first[len(frequencies)]
	if weights {
		r.weight = make([]float32, n)
	}
	r.column = make([]column, n)
	return r
}

// Build builds the table of word w from its counts: topic k gets the weight n_wk · factor(k).
func (r *Rows) Build(w int, rows counts.Rows, b *Builder, factor func(k uint32) float64) {
	b.entries = rows.AppendRow(b.entries[:0], w)
	lo, n := r.first[w], uint64(len(b.entries))
	r.Length[w], r.Sum[w] = uint32(n), 0
	if n == 0 {
		return
	}
	b.weights = alloc.Resize(b.weights, int(n))
	columns := r.column[lo : lo+n]
	for i, e := range b.entries {
		x := float64(float64(e.Count) * factor(e.Topic))
		columns[i].topic, b.weights[i] = e.Topic, float32(x)
		r.Sum[w] += x
	}
	if r.weight != nil {
		copy(r.weight[lo:], b.weights)
	}
	b.table.Build(b.weights)
	own, alias := b.table.Table()
	for i := range columns {
		columns[i].own, columns[i].other = own[i], columns[alias[i]].topic
	}
}

// Draw returns a topic of word w, whose row must not be empty, for u in [0, 1).
func (r *Rows) Draw(w int, u float64) uint32 {
	n := uint64(r.Length[w])
	x := float64(u * float64(n))
	i := min(uint64(x), n-1)
	column := &r.column[r.first[w]+i]
	if float32(x-float64(i)) >= column.own {
		return column.other
	}
	return column.topic
}

// WeightOf returns the weight of topic k in the row of word w: O(log K_w).
func (r *Rows) WeightOf(w int, k uint32) float64 {
	lo, n := r.first[w], uint64(r.Length[w])
	i, found := slices.BinarySearchFunc(r.column[lo:lo+n], k,
		func(c column, k uint32) int { return cmp.Compare(c.topic, k) })
	if !found {
		return 0
	}
	return float64(r.weight[lo+uint64(i)])
}
