package cluster

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// cut is how the vocabulary is cut into slices: words sorted by frequency and
// dealt out, each round of dealing in another order (LightLDA §6: sorted, then
// shuffled). So every slice has its share of frequent and of rare words, and blobs
// are of about equal size.
type cut struct {
	frequencies []uint64   // V: how often a word occurs
	slice       []uint32   // V: the slice of a word
	place       []uint32   // V: its place among the slice's words
	words       [][]uint32 // by slice: its words in increasing order
}

// newCut cuts a vocabulary of the given frequencies into n slices.
func newCut(frequencies []uint64, n int) *cut {
	c := &cut{frequencies: frequencies, slice: make([]uint32, len(frequencies)), place: make([]uint32, len(frequencies)), words: make([][]uint32, n)}
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
			c.slice[group[i]] = uint32(s)
		}
	}
	for w, s := range c.slice {
		c.place[w] = uint32(len(c.words[s]))
		c.words[s] = append(c.words[s], uint32(w))
	}
	return c
}
