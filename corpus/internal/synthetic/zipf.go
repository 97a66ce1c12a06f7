package synthetic

import (
	"math"
	"math/bits"

	"github.com/topoi-lda/topoi/internal/rng"
)

// Law draws ranks 0, …, V-1 from the law of Zipf and Mandelbrot,
//
//	p(r) ∝ 1 / (r + 1 + shift),
//
// by an alias table (Vose, "A linear algorithm for generating random numbers with a given distribution", 1991) in
// integers throughout, so that every machine builds the same table and draws the same ranks.
type Law struct {
	stay  []uint32 // probability of staying in a column, in units of 2^-32
	alias []uint32 // where to go otherwise
}

// shift flattens the head of the law as removing stop words does: the most
// frequent word takes about 1 % of the tokens.
const shift = 10

// Weight returns the unnormalised probability of a rank.
func Weight(rank int) uint64 { return max(1, (1<<30)/uint64(rank+1+shift)) }

// NewLaw returns the law for a vocabulary of the given size.
func NewLaw(words int) *Law {
	z := &Law{stay: make([]uint32, words), alias: make([]uint32, words)}
	height := make([]uint64, words) // weight × V, so that the mean height is total
	total := uint64(0)
	for r := range height {
		height[r] = Weight(r) * uint64(words)
		total += Weight(r)
	}
	var low, high []uint32
	for r, h := range height {
		if h < total {
			low = append(low, uint32(r))
		} else {
			high = append(high, uint32(r))
		}
	}
	for len(low) > 0 {
		l, h := low[len(low)-1], high[len(high)-1]
		low = low[:len(low)-1]
		q, _ := bits.Div64(height[l]>>32, height[l]<<32, total)
		z.stay[l], z.alias[l] = uint32(q), h
		height[h] -= total - height[l]
		if height[h] < total {
			high = high[:len(high)-1]
			low = append(low, h)
		}
	}
	for _, r := range high { // exactly as high as the mean
		z.stay[r], z.alias[r] = math.MaxUint32, r
	}
	return z
}

// Draw returns the rank for two random words.
func (z *Law) Draw(column, toss uint32) uint32 {
	r := rng.Below(column, uint32(len(z.stay)))
	if toss < z.stay[r] {
		return r
	}
	return z.alias[r]
}
