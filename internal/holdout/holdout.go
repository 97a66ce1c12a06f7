// Package holdout draws documents at random, and leaves documents out of training.
package holdout

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/rng"
)

// forHoldout is the purpose of the random numbers that choose held-out documents.
const forHoldout rng.Purpose = 0x6c656176

// Sample parts the numbers 0, …, docs-1: left of them, drawn at random without replacement, and the rest, both
// rising. It depends on its arguments alone: every document has a key, which is a function of its number and the
// seed, and the documents with the smallest keys are drawn. So a smaller sample is a part of a larger one.
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

// smallestKeys finds the n documents with the smallest keys, equal ones by number: all those whose bin is below the
// one that it returns, and the given ones, rising, of that bin.
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
	slices.SortStableFunc(list, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	for _, k := range list[:min(n, len(list))] {
		within = append(within, k.doc)
	}
	slices.Sort(within)
	return bin, within
}

// Some returns n documents of c, drawn at random, or all if it has fewer.
func Some(c *corpus.Corpus, n int, seed uint64) *corpus.Corpus {
	_, drawn := Sample(c.NumDocs(), min(n, c.NumDocs()), seed)
	return c.Select(drawn)
}

// By describes which documents of a corpus are left out of training.
type By struct {
	Share float64 // of all documents
	Seed  uint64  // of a sample
	Last  bool    // the last ones, not a sample
}

func (b By) left(docs int) int { return int(float64(docs) * b.Share) }

// Split parts c into the documents of training and those that are left out, nil if there are none. A sample has no
// document whose copies are trained on: it is drawn from those without copies. If it would have more than half of them,
// it is drawn from the groups of copies, each of which is left out as a whole. With fewer groups than that needs, copies
// count as other documents do.
func (b By) Split(c *corpus.Corpus) (docs, heldout *corpus.Corpus, err error) {
	numDocs, pieces := c.NumDocs(), []int(nil)
	if c.HasPieces() { // documents are left out whole
		pieces = c.FirstPieces()
		numDocs, pieces = len(pieces), append(pieces, c.NumDocs())
	}
	left := b.left(numDocs)
	switch {
	case left == 0:
		return c, nil, nil
	case b.Last:
		n := numDocs - left
		if pieces != nil {
			n = pieces[n]
		}
		return c.Docs(0, n), c.Docs(n, c.NumDocs()), nil
	case c.NumDocs() > math.MaxUint32:
		return nil, nil, fmt.Errorf("a sample can be held out of at most %d documents: hold out the last ones instead",
			math.MaxUint32)
	}
	rest, drawn := b.sample(c, numDocs, left, pieces)
	return c.Select(expand(rest, pieces)), c.Select(expand(drawn, pieces)), nil
}

// sample is Sample for documents of which some may be copies of others. pieces, if not nil, has the first piece of each.
func (b By) sample(c *corpus.Corpus, docs, left int, pieces []int) (rest, drawn []uint32) {
	if !c.HasCopies() {
		return Sample(docs, left, b.Seed)
	}
	first, single, groups := groupsOf(c, docs, pieces)
	if 2*left > len(single) {
		whole := b.left(len(groups))
		if whole == 0 { // a few texts many times over: there is nothing else to look at
			return Sample(docs, left, b.Seed)
		}
		single, left = groups, whole
	}
	_, chosen := Sample(len(single), left, b.Seed)
	out := make([]bool, docs) // by the first document of a group
	for _, i := range chosen {
		out[single[i]] = true
	}
	for d := range uint32(docs) {
		if out[first[d]] {
			drawn = append(drawn, d)
		} else {
			rest = append(rest, d)
		}
	}
	return rest, drawn
}

// groupsOf returns of every document the first one of its group of copies, the documents without copies, and the first
// documents of all groups, each of which may be a single document.
func groupsOf(c *corpus.Corpus, docs int, pieces []int) (first, single, groups []uint32) {
	first = make([]uint32, docs)
	copied := make([]bool, docs)
	for d := range docs {
		at := d
		if pieces != nil {
			at = pieces[d]
		}
		at = c.CopyOf(at)
		if pieces != nil {
			at, _ = slices.BinarySearch(pieces, at)
		}
		first[d] = uint32(at)
		copied[at] = copied[at] || at < d
	}
	for d, f := range first {
		if int(f) < d {
			continue
		}
		groups = append(groups, f)
		if !copied[d] {
			single = append(single, f)
		}
	}
	return first, single, groups
}

// expand returns the pieces of documents, if there are pieces: document d has those from pieces[d] to pieces[d+1].
func expand(docs []uint32, pieces []int) []uint32 {
	if pieces == nil {
		return docs
	}
	var all []uint32
	for _, d := range docs {
		for p := pieces[d]; p < pieces[d+1]; p++ {
			all = append(all, uint32(p))
		}
	}
	return all
}

// Bytes is the memory that a split takes: offset and number of every document. Copies take 10 bytes more while it is made.
func (b By) Bytes(docs int) uint64 {
	if b.Last || b.left(docs) == 0 {
		return 0
	}
	return 12 * uint64(docs)
}
