// Package holdout draws documents at random.
package holdout

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/rng"
)

// forHoldout is the purpose of the random numbers that choose held-out documents.
const forHoldout rng.Purpose = 0x6c656176

// Sample parts the numbers 0, …, docs-1: left of them, drawn at random without
// replacement, and the rest, both rising. It depends on its arguments alone: every
// document has a key, which is a function of its number and the seed, and the
// documents with the smallest keys are drawn. So a smaller sample is a part of a
// larger one.
func Sample(docs, left int, seed uint64) (rest, drawn []uint32) {
	key := rng.NewKey(seed)
	first, within := smallestKeys(docs, left, key)
	rest, drawn = make([]uint32, 0, docs-left), make([]uint32, 0, left)
	for d := range uint32(docs) {
		bin := docKey(key, d) >> keyShift
		in := bin < first
		if bin == first {
			_, in = slices.BinarySearch(within, d)
		}
		if in {
			drawn = append(drawn, d)
		} else {
			rest = append(rest, d)
		}
	}
	return rest, drawn
}

// docKey is the key of a document.
func docKey(key rng.Key, d uint32) uint64 {
	b := key.Block(d, 0, 0, uint32(forHoldout))
	return uint64(b[0])<<32 | uint64(b[1])
}

// keyShift leaves the 16 bits of a key that bins are made of.
const keyShift = 48

// smallestKeys finds the n documents with the smallest keys, equal ones by number:
// all those whose bin is below the one that it returns, and the given ones, rising,
// of that bin.
func smallestKeys(docs, n int, key rng.Key) (bin uint64, within []uint32) {
	sizes := make([]int, 1<<(64-keyShift))
	for d := range uint32(docs) {
		sizes[docKey(key, d)>>keyShift]++
	}
	for n >= sizes[bin] && int(bin) < len(sizes)-1 {
		n -= sizes[bin]
		bin++
	}
	type keyed struct {
		key uint64
		doc uint32
	}
	var list []keyed
	for d := range uint32(docs) {
		if k := docKey(key, d); k>>keyShift == bin {
			list = append(list, keyed{k, d})
		}
	}
	slices.SortStableFunc(list, func(a, b keyed) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return 0
	})
	for _, k := range list[:min(n, len(list))] {
		within = append(within, k.doc)
	}
	slices.Sort(within)
	return bin, within
}
