package walk

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// SegmentsOf lists the grid's segments word by word: word w has segments[first[w]:first[w+1]], and before[w]
// is the number of tokens of smaller words.
func SegmentsOf(g *grid.Grid, p *sampler.Problem) (first, before []int, segments []Segment) {
	first, before = make([]int, p.V+1), make([]int, p.V+1)
	eachSegment(g, p, func(_ int, seg grid.Segment) {
		n := int(seg.End - seg.Begin)
		first[seg.Word+1] += (n + MostTokens - 1) / MostTokens
		before[seg.Word+1] += n
	})
	for w := range p.V {
		first[w+1] += first[w]
		before[w+1] += before[w]
	}
	segments = make([]Segment, first[p.V])
	next := slices.Clone(first[:p.V])
	origin := p.OriginBlock()
	eachSegment(g, p, func(b int, seg grid.Segment) {
		for begin := seg.Begin; begin < seg.End; begin += MostTokens {
			segments[next[seg.Word]] = Segment{Block: uint32(origin + b), Begin: begin, N: min(seg.End-begin, MostTokens)}
			next[seg.Word]++
		}
	})
	return first, before, segments
}

// eachSegment calls f for all segments, those of a word in the order of blocks. Several goroutines call it,
// each for its own words.
func eachSegment(g *grid.Grid, p *sampler.Problem, f func(block int, seg grid.Segment)) {
	ranges := 1
	if p.Threads > 1 {
		ranges = 4 * p.Threads
	}
	_ = parallel.Do(context.Background(), p.Threads, ranges, func(_, i int) {
		first, last := uint32(i*p.V/ranges), uint32((i+1)*p.V/ranges)
		for b, block := range g.Blocks {
			segments := g.Segments[block.FirstSeg:block.LastSeg]
			at, _ := slices.BinarySearchFunc(segments, first, func(s grid.Segment, w uint32) int { return cmp.Compare(s.Word, w) })
			for at < len(segments) && segments[at].Word < last {
				f(b, segments[at])
				at++
			}
		}
	})
}

// PlacesOf returns the place of every token in its block, N places in corpus order. It skips blocks of more
// than most tokens: each is one document, whose tokens are already in order.
func PlacesOf(g *grid.Grid, p *sampler.Problem, most int) []uint16 {
	places := make([]uint16, p.N())
	next := make([]uint64, p.D())
	copy(next, p.Offsets)
	_ = parallel.Do(context.Background(), p.Threads, len(g.Blocks), func(_, block int) {
		b := g.Blocks[block]
		if b.Tokens() > most {
			return
		}
		for i, d := range g.Docs[b.Begin:b.End] {
			doc := b.FirstDoc + int(d)
			places[next[doc]] = uint16(i)
			next[doc]++
		}
	})
	return places
}

// SpotsFit reports whether the number of a block and a place in it fit 16 bits each.
func SpotsFit(blocks []grid.Block) bool {
	for _, b := range blocks {
		if b.Tokens() > 1<<16 {
			return false
		}
	}
	return len(blocks) <= 1<<16
}

// Alpha holds α in the forms that warp's doc phase uses.
type Alpha struct {
	given     []float64 // K: α_k
	Sum       float64   // Σα
	Symmetric bool      // all α_k are the same number
	Prior     []float32 // K: float32(α_k)
	Alias     Alias
}

// Set sets new values and reports whether they differ from the old ones.
func (a *Alpha) Set(alpha []float64) (changed bool) {
	if slices.Equal(alpha, a.given) {
		return false
	}
	a.given = append(a.given[:0], alpha...)
	a.Prior = a.Prior[:0]
	a.Sum, a.Symmetric = 0, true
	for _, x := range alpha {
		a.Sum += x
		a.Symmetric = a.Symmetric && x == alpha[0]
		a.Prior = append(a.Prior, float32(x))
	}
	a.Alias = Alias{}
	if !a.Symmetric {
		a.Alias = NewAlias(alpha, a.Sum)
	}
	return true
}

// Table returns what kernels read: float32(α_k) and, unless α is symmetric, thresholds and other topics of
// the alias table.
func (a *Alpha) Table() []uint32 {
	var table []uint32
	for _, prior := range a.Prior {
		table = append(table, math.Float32bits(prior))
	}
	return slices.Concat(table, a.Alias.Threshold, a.Alias.Other)
}

// Alias is Walker's alias table with 32-bit thresholds: of the 2^32 places in column k the first Threshold[k]
// belong to topic k, the others to Other[k]. Both are nil if all weights are equal.
type Alias struct {
	Threshold []uint32 // K
	Other     []uint32 // K
}

// NewAlias builds the table by Vose's method: columns below the mean are filled, last one first, from the
// last column above it.
func NewAlias(weights []float64, sum float64) Alias {
	n := len(weights)
	a := Alias{make([]uint32, n), make([]uint32, n)}
	height := make([]float64, n)
	var low, high []int
	for k, x := range weights {
		height[k] = x / sum * float64(n)
		a.Threshold[k], a.Other[k] = math.MaxUint32, uint32(k)
		if height[k] < 1 {
			low = append(low, k)
		} else {
			high = append(high, k)
		}
	}
	for len(low) > 0 && len(high) > 0 {
		small, large := low[len(low)-1], high[len(high)-1]
		low = low[:len(low)-1]
		a.Threshold[small], a.Other[small] = uint32(height[small]*(1<<32)), uint32(large)
		height[large] -= 1 - height[small]
		if height[large] < 1 {
			high = high[:len(high)-1]
			low = append(low, large)
		}
	}
	return a
}
