package published

import "github.com/topoi-lda/topoi/internal/grid"

// tiles lists the items (tokens, or distinct words of documents) of each tile of
// a P × P partition, document after document in corpus order.
type tiles struct {
	p     int
	first []int     // P²+1: tile (m, n) has docs[first[mP+n]:first[mP+n+1]]
	docs  []tileDoc // by tile, then by document
	items []uint32  // all items: positions inside their documents
}

// tileDoc is the part of a document that lies in one tile.
type tileDoc struct {
	doc        uint32
	begin, end int // items[begin:end]
}

// newTiles sorts the items of all documents into tiles; document d has the items
// words[offsets[d]:offsets[d+1]].
func newTiles(part grid.Partition, offsets []uint64, words []uint32) tiles {
	t := tiles{
		p:     part.P,
		first: make([]int, part.P*part.P+1),
		items: make([]uint32, len(words)),
	}
	sizes := t.Count(part, offsets, words)
	t.docs = make([]tileDoc, t.first[len(t.first)-1])
	nextDoc := make([]int, part.P*part.P)
	nextItem := make([]int, part.P*part.P)
	sum := 0
	for i, size := range sizes {
		nextDoc[i], nextItem[i] = t.first[i], sum
		sum += size
	}
	last := make([]int, part.P*part.P) // 1 + the document of each tile's newest
	for d := range len(offsets) - 1 {
		for i, w := range words[offsets[d]:offsets[d+1]] {
			tile := int(part.Docs[d])*part.P + int(part.Words[w])
			if last[tile] != d+1 {
				last[tile] = d + 1
				t.docs[nextDoc[tile]] = tileDoc{doc: uint32(d), begin: nextItem[tile], end: nextItem[tile]}
				nextDoc[tile]++
			}
			t.items[nextItem[tile]] = uint32(i)
			nextItem[tile]++
			t.docs[nextDoc[tile]-1].end++
		}
	}
	return t
}

// Count fills first and returns the number of items of each tile.
func (t *tiles) Count(part grid.Partition, offsets []uint64, words []uint32) []int {
	sizes := make([]int, part.P*part.P)
	last := make([]int, part.P*part.P)
	for d := range len(offsets) - 1 {
		for _, w := range words[offsets[d]:offsets[d+1]] {
			tile := int(part.Docs[d])*part.P + int(part.Words[w])
			sizes[tile]++
			if last[tile] != d+1 {
				last[tile] = d + 1
				t.first[tile+1]++
			}
		}
	}
	for i := range sizes {
		t.first[i+1] += t.first[i]
	}
	return sizes
}

// tile returns the documents of tile (m, n).
func (t *tiles) tile(m, n int) []tileDoc {
	i := m*t.p + n
	return t.docs[t.first[i]:t.first[i+1]]
}

// of returns the items of a document in a tile.
func (t *tiles) of(part tileDoc) []uint32 { return t.items[part.begin:part.end] }
