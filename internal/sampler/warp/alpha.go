package warp

import (
	"math"
	"slices"
)

// warpAlpha is α as warp's doc phase uses it.
type warpAlpha struct {
	given     []float64 // K: α_k
	sum       float64   // Σα
	symmetric bool      // all α_k are the same number
	prior     []float32 // K: float32(α_k)
	alias     warpAlias
}

// Set takes new values and reports whether they differ from the old ones.
func (a *warpAlpha) Set(alpha []float64) (changed bool) {
	if slices.Equal(alpha, a.given) {
		return false
	}
	a.given = append(a.given[:0], alpha...)
	a.prior = a.prior[:0]
	a.sum, a.symmetric = 0, true
	for _, x := range alpha {
		a.sum += x
		a.symmetric = a.symmetric && x == alpha[0]
		a.prior = append(a.prior, float32(x))
	}
	a.alias = warpAlias{}
	if !a.symmetric {
		a.alias = newWarpAlias(alpha, a.sum)
	}
	return true
}

// table is what kernels read: K float32 numbers and, unless all are the same, thresholds
// and other topics of the alias table.
func (a *warpAlpha) table() []uint32 {
	var table []uint32
	for _, prior := range a.prior {
		table = append(table, math.Float32bits(prior))
	}
	return slices.Concat(table, a.alias.threshold, a.alias.other)
}

// warpAlias is Walker's alias table with 32-bit thresholds: of 2^32 places in
// column k the first threshold[k] belong to topic k, the others to other[k].
// Both are nil for equal weights, where every column is its own.
type warpAlias struct {
	threshold []uint32 // K
	other     []uint32 // K
}

// newWarpAlias builds the table by Vose's method: columns lower than the mean are
// filled up, last one first, from the last column that is higher.
func newWarpAlias(weights []float64, sum float64) warpAlias {
	n := len(weights)
	a := warpAlias{make([]uint32, n), make([]uint32, n)}
	height := make([]float64, n)
	var low, high []int
	for k, x := range weights {
		height[k] = x / sum * float64(n)
		a.threshold[k], a.other[k] = math.MaxUint32, uint32(k)
		if height[k] < 1 {
			low = append(low, k)
		} else {
			high = append(high, k)
		}
	}
	for len(low) > 0 && len(high) > 0 {
		small, large := low[len(low)-1], high[len(high)-1]
		low = low[:len(low)-1]
		a.threshold[small], a.other[small] = uint32(height[small]*(1<<32)), uint32(large)
		height[large] -= 1 - height[small]
		if height[large] < 1 {
			high = high[:len(high)-1]
			low = append(low, large)
		}
	}
	return a
}
