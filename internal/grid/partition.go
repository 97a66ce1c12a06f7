package grid

import (
	"slices"
	"sort"
	"sync"

	"github.com/topoi-lda/topoi/internal/rng"
)

// forPermutation separates the random numbers of permutations from those of the samplers, whose purposes are
// small numbers.
const forPermutation rng.Purpose = 0x7065726d

// Matrix is the D × V matrix R of the work r_dw that document d and word w cause
// together: the number of tokens, or 1 for each distinct pair.
type Matrix struct {
	Offsets  []uint64 // D+1 positions; document d is Words[Offsets[d]:Offsets[d+1]]
	Words    []uint32 // word ids, sorted inside each document
	V        int      // words in the vocabulary
	Distinct bool     // count distinct (document, word) pairs instead of tokens
}

// each calls f for every unit of work.
func (m Matrix) each(f func(d int, w uint32)) {
	for d := range len(m.Offsets) - 1 {
		doc := m.Words[m.Offsets[d]:m.Offsets[d+1]]
		for i, w := range doc {
			if m.Distinct && i > 0 && doc[i-1] == w {
				continue
			}
			f(d, w)
		}
	}
}

// Partition cuts documents and words into P groups each, and so R into P × P tiles. In epoch l = 0 … P-1 the tiles
// (m, m ⊕ l), with ⊕ addition modulo P, share no document and no word, so P processors may work on them at once (Yan,
// Xu and Qi 2009, §3.1).
type Partition struct {
	P     int
	Docs  []uint32 // D: group m of each document
	Words []uint32 // V: group n of each word
}

// Group returns the word group that document group m works on in epoch l: m ⊕ l.
func (p Partition) Group(m, l int) int { return (m + l) % p.P }

// Tiles returns C_mn, the work of every tile, at [m*P + n].
func (p Partition) Tiles(r Matrix) []uint64 {
	tiles := make([]uint64, p.P*p.P)
	r.each(func(d int, w uint32) { tiles[int(p.Docs[d])*p.P+int(p.Words[w])]++ })
	return tiles
}

// Efficiency returns Yan's η = C_opt / C (§3.3, eq. 5 and 6), where
//
//	C     = Σ_l max_m C_(m, m ⊕ l)    the time of P processors that wait for the slowest
//	C_opt = Σ_mn C_mn / P             the time if no one ever waited
//
// It is at most 1, and 1 for an empty matrix.
func (p Partition) Efficiency(r Matrix) float64 {
	tiles := p.Tiles(r)
	var cost, work uint64
	for l := range p.P {
		slowest := uint64(0)
		for m := range p.P {
			c := tiles[m*p.P+p.Group(m, l)]
			slowest = max(slowest, c)
			work += c
		}
		cost += slowest
	}
	if cost == 0 {
		return 1
	}
	return float64(work) / float64(p.P) / float64(cost)
}

// Balanced is the partition algorithm of Yan §3.3: put documents and words in random order, cut each order
// where the running sums of work come nearest to multiples of 1/P, and keep the best η of the given number of
// tries. The first try uses the given order.
func Balanced(r Matrix, p, tries int, seed uint64) (Partition, float64) {
	docWork, wordWork := make([]uint64, len(r.Offsets)-1), make([]uint64, r.V)
	r.each(func(d int, w uint32) {
		docWork[d]++
		wordWork[w]++
	})
	var best Partition
	bestEta := -1.0
	for try := range max(1, tries) {
		candidate := Partition{
			P:     p,
			Docs:  cut(docWork, order(len(docWork), seed, 2*try), p),
			Words: cut(wordWork, order(len(wordWork), seed, 2*try+1), p),
		}
		if eta := candidate.Efficiency(r); eta > bestEta {
			best, bestEta = candidate, eta
		}
		if p == 1 {
			break
		}
	}
	return best, bestEta
}

// cut gives each item its group: with S_i the work of the first i items of the
// order, group m ends at the i that minimises |S_i - m·S_n/P|.
func cut(work []uint64, order []uint32, p int) []uint32 {
	sums := make([]uint64, len(order)+1)
	for i, item := range order {
		sums[i+1] = sums[i] + work[item]
	}
	groups := make([]uint32, len(order))
	begin := 0
	for m := 1; m <= p; m++ {
		end := max(begin, nearest(sums, float64(m)*float64(sums[len(order)])/float64(p)))
		if m == p {
			end = len(order)
		}
		for _, item := range order[begin:end] {
			groups[item] = uint32(m - 1)
		}
		begin = end
	}
	return groups
}

// nearest returns the index of the increasing value nearest to target.
func nearest(increasing []uint64, target float64) int {
	i := sort.Search(len(increasing), func(i int) bool { return float64(increasing[i]) >= target })
	if i == len(increasing) || i > 0 && target-float64(increasing[i-1]) < float64(increasing[i])-target {
		i--
	}
	return i
}

// order returns a random permutation of 0 … n-1, a different one for every
// stream; streams 0 and 1 are the order as it is.
func order(n int, seed uint64, stream int) []uint32 {
	items := make([]uint32, n)
	for i := range items {
		items[i] = uint32(i)
	}
	if stream < 2 {
		return items
	}
	key := rng.NewKey(seed)
	for i := n - 1; i > 0; i-- {
		word := key.Block(uint32(i), uint32(stream), uint32(forPermutation), 0)[0]
		j := rng.Below(word, uint32(i)+1)
		items[i], items[j] = items[j], items[i]
	}
	return items
}

// DefaultGroups is the default of P, the number of groups of documents and of words.
const DefaultGroups = 16

// Tries is the number of orders from which samplers take the best balanced one.
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

// NewTiles sorts the items of all documents into tiles; document d has the items words[offsets[d]:offsets[d+1]].
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
	last := make([]int, part.P*part.P) // by tile: 1 + the document of its last TileDoc
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

// Cache keeps grids of one corpus from one run to the next, since they never change and cutting is the same
// work every time. It keeps the last few different ones. A nil Cache keeps none.
type Cache struct {
	mu    sync.Mutex
	grids []*Grid
	words *uint32 // address of the corpus's first token
	n     int     // its tokens
	once  bool    // a grid is dropped when it is asked for a second time
}

// Once returns a cache for two callers of the same grid: the first one cuts, the second takes the result.
func Once() *Cache { return &Cache{once: true} }

// cached is the number of grids that are kept. Runs with other numbers of topics may use smaller blocks, but
// there are few different sizes.
const cached = 2

// New returns what the function New returns, from the cache if possible. Different limits may give the same grid.
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
		return slices.EqualFunc(g.Blocks, blocks, func(a, b Block) bool {
			return a.FirstDoc == b.FirstDoc &&
				a.LastDoc == b.LastDoc
		})
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
