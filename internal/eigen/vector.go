package eigen

import (
	"math"

	"github.com/topoi-lda/topoi/internal/rng"
)

// steps is the number of inverse iterations. Two are enough from almost every start; one more costs nothing.
const steps = 3

// vector returns an eigenvector of T for an eigenvalue by inverse iteration. It is orthogonal to others, which are the
// vectors of larger eigenvalues: without that, equal eigenvalues would get the same vector twice.
func (t *tridiagonal) vector(value float64, others [][]float64) []float64 {
	v := start(t.n, len(others))
	factors := t.factor(value)
	for range steps {
		factors.solve(v)
		normalize(v)
		for _, other := range others {
			along := dot(v, other)
			for i := range v {
				v[i] -= float64(along * other[i])
			}
		}
		normalize(v)
	}
	return v
}

// start returns numbers between -1 and 1 that no eigenvector is orthogonal to, but by chance.
func start(n, number int) []float64 {
	key, v := rng.NewKey(uint64(number)), make([]float64, n)
	for i := range v {
		v[i] = float64(float64(key.Block(uint32(i), 0, 0, 0)[0])/(1<<31)) - 1
	}
	return v
}

// normalize gives v length 1. The largest element is divided by first, as solutions may be as large as numbers get.
func normalize(v []float64) {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return
	}
	for i := range v {
		v[i] /= largest
	}
	size := math.Sqrt(dot(v, v))
	for i := range v {
		v[i] /= size
	}
}

// factors are L and U of a tridiagonal matrix whose rows were exchanged for the larger pivot. U has two diagonals
// above its own.
type factors struct {
	pivot, above, second []float64 // U
	multiple             []float64 // L
	exchanged            []bool    // whether rows i and i+1 were exchanged in step i
}

// factor returns the factors of T - shift·I. A pivot of 0 is replaced by one as small as the rounding errors of T:
// an exact eigenvalue is the usual case here.
func (t *tridiagonal) factor(shift float64) *factors {
	n := t.n
	f := &factors{
		pivot: make([]float64, n), above: make([]float64, n), second: make([]float64, n),
		multiple: make([]float64, n), exchanged: make([]bool, n),
	}
	size := 0.0
	for i := range n {
		size = max(size, math.Abs(t.diagonal[i])+math.Abs(t.below[i]))
	}
	least := max(0x1p-52*size, 0x1p-1000)
	at := func(i int) float64 { // what couples i-1 and i
		if i < n {
			return t.below[i]
		}
		return 0
	}
	d, u := t.diagonal[0]-shift, at(1)
	for i := range n - 1 {
		b, nextD, nextU := t.below[i+1], t.diagonal[i+1]-shift, at(i+2)
		if math.Abs(b) > math.Abs(d) {
			f.exchanged[i] = true
			f.pivot[i], f.above[i], f.second[i] = b, nextD, nextU
			f.multiple[i] = d / b
			d = u - float64(f.multiple[i]*nextD)
			u = -float64(f.multiple[i] * nextU)
			continue
		}
		if math.Abs(d) < least {
			d = least
		}
		f.pivot[i], f.above[i] = d, u
		f.multiple[i] = b / d
		d = nextD - float64(f.multiple[i]*u)
		u = nextU
	}
	if math.Abs(d) < least {
		d = least
	}
	f.pivot[n-1] = d
	return f
}

// solve replaces x by the solution of L U y = x.
func (f *factors) solve(x []float64) {
	n := len(x)
	for i := range n - 1 {
		if f.exchanged[i] {
			x[i], x[i+1] = x[i+1], x[i]
		}
		x[i+1] -= float64(f.multiple[i] * x[i])
	}
	for i := n - 1; i >= 0; i-- {
		if i+1 < n {
			x[i] -= float64(f.above[i] * x[i+1])
		}
		if i+2 < n {
			x[i] -= float64(f.second[i] * x[i+2])
		}
		x[i] /= f.pivot[i]
	}
}

// back turns an eigenvector of T into one of the matrix that T was made from.
func (t *tridiagonal) back(v []float64) {
	for i := 1; i < t.n; i++ {
		if t.scale[i] == 0 {
			continue
		}
		u := t.u[i*t.n : i*t.n+i]
		along := float64(t.scale[i] * dot(u, v[:i]))
		for j, x := range u {
			v[j] -= float64(along * x)
		}
	}
}
