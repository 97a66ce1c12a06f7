package effects

import (
	"math"
	"slices"
)

// leastOwn is how much of a column's sum of squares the columns before it must leave
// unexplained. A column with less has no coefficient of its own.
const leastOwn = 1e-10

// factored is the Cholesky factor L of a symmetric p×p matrix, L L' = M, over the columns that are not linear
// combinations of those before them.
type factored struct {
	p       int
	l       []float64 // p×p, lower triangle; rows of aliased columns are 0
	aliased []bool    // p
	rank    int
}

// factor factors a symmetric p×p matrix.
func factor(m []float64, p int) *factored {
	l, f := make([]float64, p*p), &factored{p: p, aliased: make([]bool, p)}
	f.l = l
	for j := range p {
		pivot := m[j*p+j]
		for k := range j {
			pivot -= float64(l[j*p+k] * l[j*p+k])
		}
		if !(pivot > leastOwn*m[j*p+j]) {
			f.aliased[j] = true
			continue
		}
		f.rank++
		l[j*p+j] = math.Sqrt(pivot)
		for i := j + 1; i < p; i++ {
			sum := m[i*p+j]
			for k := range j {
				sum -= float64(l[i*p+k] * l[j*p+k])
			}
			l[i*p+j] = sum / l[j*p+j]
		}
	}
	for i := range p { // rows of aliased columns take no part
		if f.aliased[i] {
			clear(l[i*p : (i+1)*p])
		}
	}
	return f
}

// inverse returns the inverse of the matrix over columns that are not aliased, zero elsewhere.
func (f *factored) inverse() []float64 {
	p, inv := f.p, make([]float64, f.p*f.p)
	column := make([]float64, p)
	for j := range p {
		if f.aliased[j] {
			continue
		}
		clear(column)
		column[j] = 1
		f.forward(column)
		f.backward(column)
		for i, x := range column {
			inv[i*p+j] = x
		}
	}
	return inv
}

// forward solves L x = b in place. Elements of aliased columns become 0.
func (f *factored) forward(b []float64) {
	for i := range b {
		if f.aliased[i] {
			b[i] = 0
			continue
		}
		row := f.l[i*f.p:]
		for k := range i {
			b[i] -= float64(row[k] * b[k])
		}
		b[i] /= row[i]
	}
}

// backward solves L' x = b in place, where elements of aliased columns are 0.
func (f *factored) backward(b []float64) {
	p := f.p
	for i := p - 1; i >= 0; i-- {
		if f.aliased[i] {
			continue
		}
		for k := i + 1; k < p; k++ {
			b[i] -= float64(f.l[k*p+i] * b[k])
		}
		b[i] /= f.l[i*p+i]
	}
}

// unfold returns L'⁻¹ m L⁻¹ for a symmetric p×p matrix m that is 0 in rows and columns of aliased columns.
func (f *factored) unfold(m []float64) []float64 {
	p, half, whole := f.p, slices.Clone(m), make([]float64, f.p*f.p)
	for i := range p { // row i of m L⁻¹ is L'⁻¹ times column i of m
		f.backward(half[i*p : (i+1)*p])
	}
	column := make([]float64, p)
	for j := range p {
		for i := range p {
			column[i] = half[i*p+j]
		}
		f.backward(column)
		for i, x := range column {
			whole[i*p+j] = x
		}
	}
	return whole
}

// times returns m·x for a p×p matrix.
func times(m, x []float64) []float64 {
	p := len(x)
	y := make([]float64, p)
	for i := range y {
		y[i] = dot(m[i*p:(i+1)*p], x)
	}
	return y
}

// addTo adds x to sum, element by element.
func addTo(sum, x []float64) {
	for i, v := range x {
		sum[i] += v
	}
}

// scaled returns c·x.
func scaled(c float64, x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(c * v)
	}
	return y
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}
