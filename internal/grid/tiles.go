package grid

import (
	"slices"
	"sync"
)

// DefaultGroups is P, the number of groups of documents and of words, unless a user asks for another.
const DefaultGroups = 16

// Tries is the number of orders of documents and words among which samplers take the best balanced.
const Tries = 8

// Tiles lists the items (tokens, or distinct words of documents) of each tile of
// a P × P partition, document after document in corpus order.
type Tiles struct {
	p     int
	First []int     // P²+1: tile (m, n) has Docs[First[mP+n]:First[mP+n+1]]
	Docs  []TileDoc // by tile, then by document
	Items []uint32  // all items: positions inside their documents
}

// TileDoc is the part of a document that lies in one tile.
type TileDoc struct {
	Doc        uint32
	Begin, End int // Items[Begin:End]
}

// NewTiles sorts the items of all documents into tiles; document d has the items
// words[offsets[d]:offsets[d+1]].
func NewTiles(part Partition, offsets []uint64, words []uint32) Tiles {
	t := Tiles{
		p:     part.P,
		First: make([]int, part.P*part.P+1),
		Items: make([]uint32, len(words)),
	}
	sizes := t.count(part, offsets, words)
	t.Docs = make([]TileDoc, t.First[len(t.First)-1])
	nextDoc := make([]int, part.P*part.P)
	nextItem := make([]int, part.P*part.P)
	sum := 0
	for i, size := range sizes {
		nextDoc[i], nextItem[i] = t.First[i], sum
		sum += size
	}
	last := make([]int, part.P*part.P) // 1 + the document of each tile's newest
	for d := range len(offsets) - 1 {
		for i, w := range words[offsets[d]:offsets[d+1]] {
			tile := int(part.Docs[d])*part.P + int(part.Words[w])
			if last[tile] != d+1 {
				last[tile] = d + 1
				t.Docs[nextDoc[tile]] = TileDoc{Doc: uint32(d), Begin: nextItem[tile], End: nextItem[tile]}
				nextDoc[tile]++
			}
			t.Items[nextItem[tile]] = uint32(i)
			nextItem[tile]++
			t.Docs[nextDoc[tile]-1].End++
		}
	}
	return t
}

// count fills First and returns the number of items of each tile.
func (t *Tiles) count(part Partition, offsets []uint64, words []uint32) []int {
	sizes := make([]int, part.P*part.P)
	last := make([]int, part.P*part.P)
	for d := range len(offsets) - 1 {
		for _, w := range words[offsets[d]:offsets[d+1]] {
			tile := int(part.Docs[d])*part.P + int(part.Words[w])
			sizes[tile]++
			if last[tile] != d+1 {
				last[tile] = d + 1
				t.First[tile+1]++
			}
		}
	}
	for i := range sizes {
		t.First[i+1] += t.First[i]
	}
	return sizes
}

// Tile returns the documents of tile (m, n).
func (t *Tiles) Tile(m, n int) []TileDoc {
	i := m*t.p + n
	return t.Docs[t.First[i]:t.First[i+1]]
}

// Of returns the items of a document in a tile.
func (t *Tiles) Of(part TileDoc) []uint32 { return t.Items[part.Begin:part.End] }

// Cache keeps grids of one corpus from one run to the next: cutting is the same work every
// time, and grids are never changed. It keeps the last few different ones. A nil Cache
// keeps none.
type Cache struct {
	mu    sync.Mutex
	grids []*Grid
	words *uint32 // the first token of the corpus that they are of
	n     int     // its tokens
	once  bool    // a grid that was asked for again is not kept any longer
}

// Once makes a cache for two who ask for the same grid: one begins to cut, the other takes it.
func Once() *Cache { return &Cache{once: true} }

// cached is the number of grids that are kept: runs of other numbers of topics may ask for
// smaller blocks, but for few different sizes.
const cached = 2

// New returns what the function of this name returns, made earlier if it can. Limits
// that differ may give the same grid.
func (s *Cache) New(offsets []uint64, words []uint32, v int, limits Limits) *Grid {
	if s == nil || len(words) == 0 {
		return New(offsets, words, v, limits)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.words != &words[0] || s.n != len(words) {
		s.grids, s.words, s.n = nil, &words[0], len(words)
	}
	blocks := Cut(offsets, limits)
	same := func(g *Grid) bool {
		return slices.EqualFunc(g.Blocks, blocks, func(a, b Block) bool { return a.FirstDoc == b.FirstDoc && a.LastDoc == b.LastDoc })
	}
	if i := slices.IndexFunc(s.grids, same); i >= 0 {
		g := s.grids[i]
		if s.once {
			s.grids = nil
		}
		return g
	}
	if len(s.grids) == cached {
		s.grids = s.grids[1:]
	}
	g := New(offsets, words, v, limits)
	s.grids = append(s.grids, g)
	return g
}
