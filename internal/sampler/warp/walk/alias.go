package walk

import (
	"math"
	"slices"
)

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
