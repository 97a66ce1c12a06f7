// Package grid cuts the D × V matrix of tokens into pieces that fit a cache, a GPU or a worker. The cut depends on
// the corpus and the options alone, never on the machine, because it is part of what determines a result.
//
// A Block is a run of whole documents. Inside a block the tokens are sorted by word (compressed sparse blocks): one
// word's tokens in one block are a Segment. Tokens are numbered in grid order: block after block, inside a block word
// after word. Inside a word, documents are distributed to four runs in turn (see spread), so that several tokens of a
// word in one document are not neighbours: a sampler then need not wait for one draw before the next.
package grid

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/topoi-lda/topoi/internal/parallel"
)

// Block is a run of whole documents and their tokens in grid order.
type Block struct {
	FirstDoc, LastDoc int // documents FirstDoc … LastDoc-1
	Begin, End        int // tokens Begin … End-1; the same range in corpus order and in grid order
	FirstSeg, LastSeg int // segments FirstSeg … LastSeg-1
}

// Docs returns the number of documents in the block.
func (b Block) Docs() int { return b.LastDoc - b.FirstDoc }

// Tokens returns the number of tokens in the block.
func (b Block) Tokens() int { return b.End - b.Begin }

// Segment is the tokens of one word inside one block: grid positions Begin … End-1.
type Segment struct {
	Word       uint32
	Begin, End uint32 // relative to the block's Begin
}

// Grid is a corpus cut into blocks.
type Grid struct {
	Blocks   []Block
	Segments []Segment // all blocks' segments, by block, then by word
	Docs     []uint16  // N: document of each token in grid order, relative to its block's FirstDoc
}

// Limits bound the size of a block. A document larger than Tokens has a block of its own.
type Limits struct {
	Tokens int // most tokens in a block
	Docs   int // most documents in a block, at most 65,536
}

// New cuts a corpus of the given documents (offsets as in corpus.Corpus, words
// sorted inside documents, word ids below v) into blocks.
func New(offsets []uint64, words []uint32, v int, limits Limits) *Grid {
	if limits.Docs < 1 || limits.Docs > 1<<16 || limits.Tokens < 1 {
		panic(fmt.Sprintf("grid: limits out of range: %+v", limits))
	}
	g := &Grid{Blocks: Cut(offsets, limits), Docs: make([]uint16, len(words))}
	g.join(g.sortBlocks(offsets, words, v))
	return g
}

// Cut returns the blocks of a corpus without their segments. The end of a block depends on its own documents
// alone, so a run of whole blocks, cut by itself, gives the same blocks.
func Cut(offsets []uint64, limits Limits) []Block {
	var blocks []Block
	for d := 0; d+1 < len(offsets); {
		b := Block{FirstDoc: d, Begin: int(offsets[d])}
		d = lastDoc(offsets, d, limits)
		b.LastDoc, b.End = d, int(offsets[d])
		blocks = append(blocks, b)
	}
	return blocks
}

// sortBlocks sorts every block's tokens, with all cores, and returns the blocks' segments.
func (g *Grid) sortBlocks(offsets []uint64, words []uint32, v int) [][]Segment {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // words may be in a mapped file
	segments := make([][]Segment, len(g.Blocks))
	if len(g.Blocks) == 1 && len(words) < v/8 {
		segments[0] = g.sortFew(g.Blocks[0], offsets, words)
		return segments
	}
	sorters := make([]*sorter, runtime.GOMAXPROCS(0))
	_ = parallel.Do(context.Background(), len(sorters), len(g.Blocks), func(worker, i int) {
		if sorters[worker] == nil {
			sorters[worker] = newSorter(v)
		}
		segments[i] = sorters[worker].sort(g, g.Blocks[i], offsets, words)
	})
	return segments
}

// join joins the blocks' segments into one list.
func (g *Grid) join(segments [][]Segment) {
	n := 0
	for i, list := range segments {
		g.Blocks[i].FirstSeg = n
		n += len(list)
		g.Blocks[i].LastSeg = n
	}
	if len(segments) == 1 {
		g.Segments = segments[0]
		return
	}
	g.Segments = make([]Segment, n)
	_ = parallel.Do(context.Background(), runtime.GOMAXPROCS(0), len(segments), func(_, i int) {
		copy(g.Segments[g.Blocks[i].FirstSeg:], segments[i])
	})
}

// lastDoc returns the document after the last one of the block that begins with d.
func lastDoc(offsets []uint64, d int, limits Limits) int {
	begin := offsets[d]
	end := min(len(offsets)-1, d+limits.Docs)
	d++
	for d < end && offsets[d+1]-begin <= uint64(limits.Tokens) {
		d++
	}
	return d
}

// sorter sorts blocks, one after the other. It belongs to one goroutine.
type sorter struct {
	cursor []uint32 // V: tokens of a word in the block, then the next free position; all zero between blocks
	met    []uint64 // a bit for every word of the block; all zero between blocks
	row    []uint16 // a segment's documents in corpus order
}

func newSorter(v int) *sorter {
	return &sorter{cursor: make([]uint32, v), met: make([]uint64, (v+63)/64)}
}

// sort sorts the block's tokens by word (a counting sort, stable in documents) and returns its segments.
func (k *sorter) sort(g *Grid, b Block, offsets []uint64, words []uint32) []Segment {
	segments := k.segments(words[b.Begin:b.End])
	docs := g.Docs[b.Begin:b.End]
	for d := b.FirstDoc; d < b.LastDoc; d++ {
		for _, w := range words[offsets[d]:offsets[d+1]] {
			docs[k.cursor[w]] = uint16(d - b.FirstDoc)
			k.cursor[w]++
		}
	}
	for _, s := range segments {
		k.cursor[s.Word] = 0
		if s.End-s.Begin <= 4 {
			continue // spread leaves every token in place
		}
		k.row = append(k.row[:0], docs[s.Begin:s.End]...)
		for i, d := range k.row {
			docs[s.Begin+spread(uint32(i), s.End-s.Begin)] = d
		}
	}
	return segments
}

// segments returns the segments of a block's tokens by word, and sets every word's cursor to its first
// position. It finds the words in increasing order by a bit for every word, a pass over V / 64 numbers, which
// is faster than sorting them.
func (k *sorter) segments(words []uint32) []Segment {
	n := 0
	for _, w := range words {
		if k.cursor[w] == 0 {
			k.met[w/64] |= 1 << (w % 64)
			n++
		}
		k.cursor[w]++
	}
	segments := make([]Segment, 0, n)
	at := uint32(0)
	for i, set := range k.met {
		if set == 0 {
			continue
		}
		k.met[i] = 0
		for ; set != 0; set &= set - 1 {
			w := uint32(i*64 + bits.TrailingZeros64(set))
			n := k.cursor[w]
			segments = append(segments, Segment{w, at, at + n})
			k.cursor[w] = at
			at += n
		}
	}
	return segments
}

// sortFew is sorter.sort for a block with few tokens compared with the vocabulary, such as one document sent
// to a server. It sorts the tokens and need not clear a counter for every word.
func (g *Grid) sortFew(b Block, offsets []uint64, words []uint32) []Segment {
	tokens := make([]uint64, 0, b.Tokens()) // word and document
	for d := b.FirstDoc; d < b.LastDoc; d++ {
		for _, w := range words[offsets[d]:offsets[d+1]] {
			tokens = append(tokens, uint64(w)<<16|uint64(d-b.FirstDoc))
		}
	}
	slices.Sort(tokens)
	segments := make([]Segment, 0, len(tokens))
	docs := g.Docs[b.Begin:b.End]
	for begin, end := 0, 0; begin < len(tokens); begin = end {
		word := tokens[begin] >> 16
		for end < len(tokens) && tokens[end]>>16 == word {
			end++
		}
		for i, t := range tokens[begin:end] {
			docs[begin+int(spread(uint32(i), uint32(end-begin)))] = uint16(t)
		}
		segments = append(segments, Segment{Word: uint32(word), Begin: uint32(begin), End: uint32(end)})
	}
	return segments
}

// spread returns the place of token i, counted in corpus order, among the n
// tokens of a segment: i mod 4 names one of four runs, i div 4 the place in it.
func spread(i, n uint32) uint32 {
	run := i % 4
	return run*(n/4) + min(run, n%4) + i/4
}

// Walker translates between corpus order and grid order, one block at a time. It belongs to one goroutine.
type Walker struct {
	segment []uint32 // per word: its segment in the current block
	rank    []uint32 // per word: tokens met so far in the current block
	turn    []uint8  // rank in 8 bits, of which the lowest two are used; nil before it is needed
}

// NewWalker returns a walker for a vocabulary of v words.
func NewWalker(v int) *Walker { return &Walker{segment: make([]uint32, v), rank: make([]uint32, v)} }

// Positions appends to dst, for every token of block b in corpus order, its
// grid position relative to b.Begin. words are all words in corpus order.
func (k *Walker) Positions(dst []uint32, g *Grid, b Block, words []uint32) []uint32 {
	segments := g.Segments[b.FirstSeg:b.LastSeg]
	for i, s := range segments {
		k.segment[s.Word], k.rank[s.Word] = uint32(i), 0
	}
	for _, w := range words[b.Begin:b.End] {
		s := segments[k.segment[w]]
		dst = append(dst, s.Begin+spread(k.rank[w], s.End-s.Begin))
		k.rank[w]++
	}
	return dst
}

// ByDocument compares, for every token of block b, its place in corpus order with its place when each
// document's tokens are sorted by grid position. It calls same with runs of tokens whose two places are
// equal, and other with each of the others. They differ if a document has several tokens of a word, because
// the four runs of a segment lie one after the other (see spread).
func (k *Walker) ByDocument(g *Grid, b Block, offsets []uint64, words []uint32, same func(first, last int),
	other func(corpus, drawn int),
) {
	if k.turn == nil {
		k.turn = make([]uint8, len(k.rank))
	}
	for _, s := range g.Segments[b.FirstSeg:b.LastSeg] {
		k.turn[s.Word] = 0
	}
	told := b.Begin // tokens before it
	for d := b.FirstDoc; d < b.LastDoc; d++ {
		doc := words[:offsets[d+1]]
		for at := int(offsets[d]); at < len(doc); {
			w, first := doc[at], at
			for at++; at < len(doc) && doc[at] == w; at++ {
			}
			turn, n := k.turn[w], at-first
			k.turn[w] = turn + uint8(n)
			if n == 1 || int(turn%4)+n <= 4 { // one after the other
				continue
			}
			same(told, first)
			told = at
			drawn := first
			for run := range 4 {
				for i := first + (run-int(turn))&3; i < at; i += 4 {
					other(i, drawn)
					drawn++
				}
			}
		}
	}
	same(told, b.End)
}
