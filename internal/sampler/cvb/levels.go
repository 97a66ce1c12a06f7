package cvb

import (
	"context"
	"math/bits"

	kernels "github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// levels is an order in which a device can update pairs. A pair waits only for the one before it of its document
// in its tile, and for the one before it of its word: n_k does not change inside an epoch. So the pairs of a tile
// are put into levels, each pair into a later one than those two. Pairs of a level share neither a document
// nor a word, and can be updated at once, with the bytes that updates one after the other give.
type levels struct {
	steps  []kernels.CvbStep // all pairs, by tile and level
	begins []uint32          // the first step of each level, by tile, and the end of the last
	first  []uint32          // P²+1: tile i has the levels first[i] … first[i+1]-1
	widest int               // pairs of the largest level
}

// newLevels puts the pairs of every tile into as few levels as it can, of at most so many pairs each.
func newLevels(l *layout, most, threads int) *levels {
	tiles := make([][]uint32, l.p*l.p) // the end of each level, from the tile's first pair on
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

// leveller makes the levels of a tile, one after the other.
type leveller struct {
	firstDoc, firstWord uint32   // rows of the tile's groups
	docs, words         []uint32 // by row of the group: the next pair of it, seen from the pair at hand; 0: none, else 1 more
	nextDoc, nextWord   []uint32 // by pair: the next one of its document, and of its word, likewise
	waits               []uint8  // by pair: how many of the two before it are in no level yet
	height              []uint32 // by pair: how many pairs wait for it, one for the other, at least
	ready               buckets  // pairs that wait for nothing, by height
	order               []uint32 // pairs by level
}

// begin makes room for the rows of tile i.
func (v *leveller) begin(l *layout, i int) {
	m, n := i/l.p, i%l.p
	v.firstDoc, v.firstWord = uint32(l.docs.first[m]), uint32(l.words.first[n])
	v.docs = cleared(v.docs, l.docs.first[m+1]-l.docs.first[m])
	v.words = cleared(v.words, l.words.first[n+1]-l.words.first[n])
}

// cleared returns n zeros, in the room of list if that is enough.
func cleared[T uint8 | uint32](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// fill orders the pairs by level and returns where each level ends. In a level are those of the pairs that wait for nothing
// which most others wait for: the longest of such chains is how many levels there must be, and they are hardly more.
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

// release tells the pair after one that this is in a level.
func (v *leveller) release(next uint32) {
	if next == 0 {
		return
	}
	if v.waits[next-1]--; v.waits[next-1] == 0 {
		v.ready.put(next-1, v.height[next-1])
	}
}

// link finds what follows each pair, from the last to the first.
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
	first []uint32 // by height: a pair, 0 for none, else 1 more
	next  []uint32 // by pair: another one of its height, likewise
	full  []uint64 // a bit for each height: there are some
	top   int      // words of full that may have a bit
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

// take appends at most so many pairs to list, highest first.
func (b *buckets) take(list []uint32, most int) []uint32 {
	for b.top > 0 && b.full[b.top-1] == 0 { // those that will come are lower than those that were there
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
