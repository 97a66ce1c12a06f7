package rows

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Cut is how the vocabulary is cut into slices: words sorted by frequency and
// dealt out, each round of dealing in another order (LightLDA §6: sorted, then
// shuffled). So every slice has its share of frequent and of rare words, and blobs
// are of about equal size.
type Cut struct {
	Frequencies []uint64   // V: how often a word occurs
	Slice       []uint32   // V: the slice of a word
	Place       []uint32   // V: its place among the slice's words
	Words       [][]uint32 // by slice: its words in increasing order
}

// NewCut cuts a vocabulary of the given frequencies into n slices.
func NewCut(frequencies []uint64, n int) *Cut {
	c := &Cut{Frequencies: frequencies, Slice: make([]uint32, len(frequencies)), Place: make([]uint32, len(frequencies)), Words: make([][]uint32, n)}
	order := make([]uint32, len(frequencies))
	for w := range order {
		order[w] = uint32(w)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(frequencies[b], frequencies[a]), cmp.Compare(a, b))
	})
	random := rand.New(rand.NewPCG(uint64(len(frequencies)), uint64(n)))
	for group := range slices.Chunk(order, n) {
		for i, s := range random.Perm(n)[:len(group)] {
			c.Slice[group[i]] = uint32(s)
		}
	}
	for w, s := range c.Slice {
		c.Place[w] = uint32(len(c.Words[s]))
		c.Words[s] = append(c.Words[s], uint32(w))
	}
	return c
}
