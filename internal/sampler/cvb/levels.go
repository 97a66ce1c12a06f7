package cvb

import (
	"context"
	"math/bits"

	kernels "github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// levels is an order in which a device can update pairs in parallel. Since n_k does not change in an epoch, a
// pair depends only on the pairs of its document and of its word that come before it in its tile. So a pair
// is put into a later level than these. Pairs of a level share neither a document nor a word and can be
// updated at the same time, with the same result as one after the other.
type levels struct {
	steps  []kernels.CvbStep // all pairs, by tile and level
	begins []uint32          // the first step of each level, by tile, and the end of the last
	first  []uint32          // P²+1: tile i has the levels first[i] … first[i+1]-1
	widest int               // pairs of the largest level
}

// newLevels divides the pairs of every tile into few levels of at most the given number of pairs.
func newLevels(l *layout, most, threads int) *levels {
	tiles := make([][]uint32, l.p*l.p) // ends of levels, relative to the tile's first pair
	v := &levels{steps: make([]kernels.CvbStep, len(l.pairs)), first: make([]uint32, l.p*l.p+1)}
	workers := make([]leveller, max(1, min(threads, len(tiles))))
	_ = parallel.Do(context.Background(), threads, len(tiles), func(worker, i int) {
		begin, end := l.span(i/l.p, i%l.p)
		pairs := l.pairs[begin:end]
		of := &workers[worker]
		of.begin(l, i)
		tiles[i] = of.fill(pairs, most)
		for at, j := range of.order {
			p := pairs[j]
			v.steps[begin+at] = kernels.CvbStep{Doc: p.doc, Word: p.word, Count: p.count, Pair: uint32(begin) + j}
		}
	})
	begin := uint32(0)
	for i, ends := range tiles {
		v.first[i] = uint32(len(v.begins))
		last := uint32(0)
		for _, end := range ends {
			v.begins = append(v.begins, begin+last)
			v.widest = max(v.widest, int(end-last))
			last = end
		}
		begin += last
	}
	v.first[len(tiles)] = uint32(len(v.begins))
	v.begins = append(v.begins, begin)
	return v
}

// leveller divides a tile into levels.
type leveller struct {
	firstDoc, firstWord uint32   // rows of the tile's groups
	docs, words         []uint32 // by row of the group: 1 + the next pair of it after the current one; 0: none
	nextDoc, nextWord   []uint32 // by pair: 1 + the next pair of its document, and of its word; 0: none
	waits               []uint8  // by pair: how many of the two pairs before it have no level yet
	height              []uint32 // by pair: length of the longest chain of pairs that depend on it
	ready               buckets  // pairs that depend on no other, by height
	order               []uint32 // pairs by level
}

// begin prepares for tile i.
func (v *leveller) begin(l *layout, i int) {
	m, n := i/l.p, i%l.p
	v.firstDoc, v.firstWord = uint32(l.docs.first[m]), uint32(l.words.first[n])
	v.docs = cleared(v.docs, l.docs.first[m+1]-l.docs.first[m])
	v.words = cleared(v.words, l.words.first[n+1]-l.words.first[n])
}

// cleared returns n zeros, in the memory of list if that is large enough.
func cleared[T uint8 | uint32](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// fill orders the pairs by level and returns where each level ends. A level takes the ready pairs with the
// longest chains of dependent pairs first. The longest chain is a lower bound of the number of levels, and
// this order hardly exceeds it.
func (v *leveller) fill(pairs []pair, most int) (ends []uint32) {
	v.link(pairs)
	v.order = v.order[:0]
	for i := range pairs {
		if v.waits[i] == 0 {
			v.ready.put(uint32(i), v.height[i])
		}
	}
	for begin := 0; begin < len(pairs); begin = len(v.order) {
		v.order = v.ready.take(v.order, most)
		for _, i := range v.order[begin:] {
			v.release(v.nextDoc[i])
			v.release(v.nextWord[i])
		}
		ends = append(ends, uint32(len(v.order)))
	}
	return ends
}

// release notes that a pair before next has a level.
func (v *leveller) release(next uint32) {
	if next == 0 {
		return
	}
	if v.waits[next-1]--; v.waits[next-1] == 0 {
		v.ready.put(next-1, v.height[next-1])
	}
}

// link finds the pairs that follow each pair, from the last to the first.
func (v *leveller) link(pairs []pair) {
	n := len(pairs)
	v.nextDoc, v.nextWord, v.height = cleared(v.nextDoc, n), cleared(v.nextWord, n), cleared(v.height, n)
	v.waits = cleared(v.waits, n)
	highest := uint32(0)
	for i := n - 1; i >= 0; i-- {
		doc, word := &v.docs[pairs[i].doc-v.firstDoc], &v.words[pairs[i].word-v.firstWord]
		v.nextDoc[i], v.nextWord[i] = *doc, *word
		*doc, *word = uint32(i+1), uint32(i+1)
		for _, next := range [2]uint32{v.nextDoc[i], v.nextWord[i]} {
			if next > 0 {
				v.waits[next-1]++
				v.height[i] = max(v.height[i], v.height[next-1]+1)
			}
		}
		highest = max(highest, v.height[i])
	}
	v.ready.begin(n, int(highest)+1)
}

// buckets holds pairs by height.
type buckets struct {
	first []uint32 // by height: 1 + a pair; 0: none
	next  []uint32 // by pair: 1 + another pair of its height; 0: none
	full  []uint64 // a bit for each height that has pairs
	top   int      // words of full that may have bits
}

func (b *buckets) begin(pairs, heights int) {
	b.first, b.next = cleared(b.first, heights), cleared(b.next, pairs)
	b.top = (heights + 63) / 64
	b.full = make([]uint64, b.top)
}

func (b *buckets) put(i, height uint32) {
	b.next[i] = b.first[height]
	b.first[height] = i + 1
	b.full[height/64] |= 1 << (height % 64)
}

// take appends at most most pairs to list, highest first.
func (b *buckets) take(list []uint32, most int) []uint32 {
	for b.top > 0 && b.full[b.top-1] == 0 { // pairs that become ready are lower than those before them
		b.top--
	}
	for word := b.top - 1; word >= 0 && most > 0; word-- {
		for b.full[word] != 0 && most > 0 {
			height := 64*word + bits.Len64(b.full[word]) - 1
			for b.first[height] > 0 && most > 0 {
				i := b.first[height] - 1
				b.first[height] = b.next[i]
				list = append(list, i)
				most--
			}
			if b.first[height] == 0 {
				b.full[word] &^= 1 << (height % 64)
			}
		}
	}
	return list
}
