// Package draw32 implements the canonical draw of a topic, by 32 lanes, for one token and for the tokens of a few words
// in a block at once. Portable Go defines it; assembly gives the same results. batch, grid and inference use it.
package draw32

import (
	"context"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// The canonical draw. An O(K) draw is defined once, for every engine, as a draw by 32 lanes, the width of a GPU's
// warp, of two AVX-512 registers or of four AVX2 registers. Lane l owns the topics k ≡ l (mod 32). With weights p_k:
//
//  1. Each lane sums its weights in increasing k: running sums c_gl over the
//     groups g = 0, 1, … of 32 topics.
//  2. The token's own contribution is taken out by subtracting
//     δ = p_z(own count in) - p_z(own count out) from every running sum that
//     contains topic z.
//  3. The 32 lane sums are made into prefix sums P_l: in each half of 16 lanes
//     by four doubling steps (shift by 1, 2, 4, 8), then the last value of the
//     lower half is added to the upper half.
//  4. With t = u·P_31, the lane is the number of l < L-1 with P_l ≤ t, where
//     L = min(K, 32).
//  5. With r = t - P_(lane-1), the group is the number of running sums of that
//     lane, its last one excepted, that are ≤ r.
//
// All arithmetic is float32 without fused multiply-add. No prefix sum over all K
// topics is ever made: the point of Steele and Tristan's butterfly sums.

// Lanes is the width of the canonical draw: W of the butterfly paper.
const Lanes = 32

// PaddedTopics returns K rounded up to whole groups of lanes.
func PaddedTopics(k int) int { return (k + Lanes - 1) &^ (Lanes - 1) }

// LaneMask has a bit for every lane but the last of the min(K, 32) in use.
func LaneMask(k int) uint32 { return 1<<(min(k, Lanes)-1) - 1 }

// Prefix replaces 32 lane sums by their prefix sums (step 3).
func Prefix(p *[Lanes]float32) {
	prefix16((*[16]float32)(p[:16]))
	prefix16((*[16]float32)(p[16:]))
	low := p[15]
	for l := 16; l < Lanes; l++ {
		p[l] += low
	}
}

// quad is four lanes, which the compiler keeps in registers.
type quad struct{ a, b, c, d float32 }

func (x quad) plus(a, b, c, d float32) quad { return quad{x.a + a, x.b + b, x.c + c, x.d + d} }

// prefix16 makes prefix sums of one half.
func prefix16(p *[16]float32) {
	w, x := quad{p[0], p[1], p[2], p[3]}, quad{p[4], p[5], p[6], p[7]}
	y, z := quad{p[8], p[9], p[10], p[11]}, quad{p[12], p[13], p[14], p[15]}
	// Lanes one below, then two, four and eight. The last lanes come first, as they need the others' old values.
	z = z.plus(y.d, z.a, z.b, z.c)
	y = y.plus(x.d, y.a, y.b, y.c)
	x = x.plus(w.d, x.a, x.b, x.c)
	w = quad{w.a, w.b + w.a, w.c + w.b, w.d + w.c}

	z = z.plus(y.c, y.d, z.a, z.b)
	y = y.plus(x.c, x.d, y.a, y.b)
	x = x.plus(w.c, w.d, x.a, x.b)
	w = quad{w.a, w.b, w.c + w.a, w.d + w.b}

	z = z.plus(y.a, y.b, y.c, y.d)
	y = y.plus(x.a, x.b, x.c, x.d)
	x = x.plus(w.a, w.b, w.c, w.d)

	z = z.plus(x.a, x.b, x.c, x.d)
	y = y.plus(w.a, w.b, w.c, w.d)
	p[0], p[1], p[2], p[3] = w.a, w.b, w.c, w.d
	p[4], p[5], p[6], p[7] = x.a, x.b, x.c, x.d
	p[8], p[9], p[10], p[11] = y.a, y.b, y.c, y.d
	p[12], p[13], p[14], p[15] = z.a, z.b, z.c, z.d
}

// Draw draws a topic with weights p_k = d[k]·w[k], k < topics, by the random number u. The slices are padded to whole
// groups of lanes with d = 0. The weight of topic z is lowered by delta first (step 2); cum is scratch, at least as
// long as d.
func Draw(d, w, cum []float32, topics int, z uint32, delta, u float32) uint32 {
	var sums [Lanes]float32
	for l := 0; l < Lanes; l += 4 { // four lanes at a time, whose sums stay in registers
		var sum quad
		for g := l; g+4 <= len(d); g += Lanes {
			dg, wg, cg := (*[4]float32)(d[g:]), (*[4]float32)(w[g:]), (*[4]float32)(cum[g:])
			sum = sum.plus(float32(dg[0]*wg[0]), float32(dg[1]*wg[1]), float32(dg[2]*wg[2]), float32(dg[3]*wg[3]))
			cg[0], cg[1], cg[2], cg[3] = sum.a, sum.b, sum.c, sum.d
		}
		sums[l], sums[l+1], sums[l+2], sums[l+3] = sum.a, sum.b, sum.c, sum.d
	}
	own := int(z) % Lanes
	for k := int(z); k < len(d); k += Lanes {
		cum[k] -= delta
	}
	sums[own] -= delta

	Prefix(&sums)
	t := float32(u * sums[Lanes-1])
	lane := 0
	for _, p := range sums[:min(topics, Lanes)-1] {
		if p <= t {
			lane++
		}
	}
	r := t
	if lane > 0 {
		r -= sums[lane-1]
	}
	k := lane
	for next := lane; next+Lanes < topics; next += Lanes {
		if cum[next] <= r {
			k += Lanes
		}
	}
	return uint32(k)
}

// Schedule is the order in which batch draws. Draws of different documents do not see each other inside a mini-batch,
// so tokens may change places as long as each document's own stay in order: every such order gives the same topics.
//
// A draw is a long chain of dependent operations, and a processor is busy only when it works on several at once. So
// the tokens of a block are cut into tiles of a few words, and a tile into quads: four tokens of four documents,
// drawn at the same time. Neighbouring quads share no document either, because the next quad's loads are to overtake
// the last one's stores. Tokens that fit no full quad, a few in most tiles, come last, one by one.
type Schedule struct {
	Tiles [][]Tile // by block
	Order []uint16 // N: the tokens of each tile in turn, relative to its first
	Rows  []uint16 // N: which of its tile's words is each token's, in grid order; or the word, see NameRows
}

// Tile is a run of segments whose rows fit a cache together.
type Tile struct {
	FirstSeg, LastSeg int // segments FirstSeg … LastSeg-1; the first and the last may be cut
	Begin, End        int // tokens begin … end-1 in grid order
	Quads             int // quads at the beginning of the tile's order
}

const (
	tileBytes  = 1 << 16 // most bytes of word rows in a tile, …
	tileMin    = 4       // … if that leaves so many words
	tileMax    = 32      // most words in a tile
	tileTokens = 1 << 16 // most tokens in a tile: their numbers are 16-bit
	quadGap    = 2       // a document has at most one token in this many consecutive quads
)

// TileWords returns the most words in a tile.
func TileWords(kpad int) int { return max(tileMin, min(tileMax, tileBytes/(4*kpad))) }

// NewSchedule orders the draws of a grid, with tiles of at most the given number of words.
func NewSchedule(g *grid.Grid, words, threads int) *Schedule {
	n := len(g.Docs)
	s := &Schedule{Tiles: make([][]Tile, len(g.Blocks)), Order: make([]uint16, n), Rows: make([]uint16, n)}
	planners := make([]Planner, threads)
	// Planning cannot fail: nothing ends its context.
	_ = parallel.Do(context.Background(), threads, len(g.Blocks), func(thread, i int) {
		b := g.Blocks[i]
		s.Tiles[i] = planners[thread].PlanBlock(s.Order[b.Begin:b.End], g, b, words)
		rows := s.Rows[b.Begin:b.Begin:b.End]
		for _, c := range s.Tiles[i] {
			rows = c.AppendRows(rows, g, b)
		}
	})
	return s
}

// NameRows makes Rows the words themselves, of which there are at most 65,536.
func (s *Schedule) NameRows(g *grid.Grid) {
	for _, b := range g.Blocks {
		for _, seg := range g.Segments[b.FirstSeg:b.LastSeg] {
			for i := b.Begin + int(seg.Begin); i < b.Begin+int(seg.End); i++ {
				s.Rows[i] = uint16(seg.Word)
			}
		}
	}
}

// cutTiles cuts a block's tokens into tiles.
func cutTiles(g *grid.Grid, b grid.Block, words int) []Tile {
	var tiles []Tile
	c := Tile{FirstSeg: b.FirstSeg, LastSeg: b.FirstSeg, Begin: b.Begin, End: b.Begin}
	for i := b.FirstSeg; i < b.LastSeg; i++ {
		end := b.Begin + int(g.Segments[i].End)
		for c.End < end {
			if c.LastSeg-c.FirstSeg == words || c.End-c.Begin == tileTokens {
				tiles = append(tiles, c)
				c = Tile{FirstSeg: i, Begin: c.End, End: c.End}
			}
			c.LastSeg = i + 1
			c.End = min(end, c.Begin+tileTokens)
		}
	}
	if c.End > c.Begin {
		tiles = append(tiles, c)
	}
	return tiles
}

// AppendRows appends to dst, for every token of the tile, the index of its word among the tile's words.
func (c Tile) AppendRows(dst []uint16, g *grid.Grid, b grid.Block) []uint16 {
	at := c.Begin
	for i, seg := range g.Segments[c.FirstSeg:c.LastSeg] {
		for end := min(c.End, b.Begin+int(seg.End)); at < end; at++ {
			dst = append(dst, uint16(i))
		}
	}
	return dst
}

// Planner finds quads. It belongs to one goroutine.
type Planner struct {
	slots [][4]uint16 // tokens of each quad
	used  []uint8     // how many of the four places are taken
	next  []int       // per document: the first quad that may have its next token
}

// PlanBlock cuts a block into tiles and plans each of them in its part of order.
func (p *Planner) PlanBlock(order []uint16, g *grid.Grid, b grid.Block, words int) []Tile {
	tiles := cutTiles(g, b, words)
	for i, c := range tiles {
		tiles[i].Quads = p.plan(order[c.Begin-b.Begin:c.End-b.Begin], g.Docs[c.Begin:c.End], b.Docs())
	}
	return tiles
}

// plan writes the tokens of a tile, given by their documents, into order: each into the first quad that has a place
// and comes late enough after the document's last one. It returns the number of quads that have no incomplete one
// before them.
func (p *Planner) plan(order, docs []uint16, numDocs int) int {
	p.slots, p.used = p.slots[:0], p.used[:0]
	p.next = append(p.next[:0], make([]int, numDocs)...)
	full := 0
	for i, d := range docs {
		q := max(full, p.next[d])
		for q < len(p.used) && p.used[q] == 4 {
			q++
		}
		for q >= len(p.used) {
			p.slots, p.used = append(p.slots, [4]uint16{}), append(p.used, 0)
		}
		p.slots[q][p.used[q]] = uint16(i)
		p.used[q]++
		p.next[d] = q + quadGap
		for full < len(p.used) && p.used[full] == 4 {
			full++
		}
	}
	at := 0
	for q, n := range p.used {
		at += copy(order[at:], p.slots[q][:n])
	}
	return full
}

// Limits returns the limits of blocks. Blocks are small enough that the documents' rows stay in a
// second-level cache, and as large as that allows, because a word's row is fetched once per block. There are
// at least about a hundred blocks, so that each of several mini-batches has work for many threads.
func Limits(tokens, kpad int) grid.Limits {
	const rowBytes = 3 << 18 // of DNT_dk and n_dk
	return grid.Limits{
		Tokens: max(1<<12, min(1<<18, tokens/128)),
		Docs:   max(16, min(1<<16, rowBytes/(6*kpad))),
	}
}
