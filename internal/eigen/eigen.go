// Package eigen computes eigenvalues and eigenvectors of symmetric matrices with results that are the same on every
// machine, to the last bit: every product is rounded before it is added, and every sum has one written order.
// Libraries that are faster for their assembly, such as gonum, give other bits on every kind of processor.
package eigen

import (
	"math"
	"slices"
)

// Values returns the eigenvalues of the symmetric n×n matrix a, the smallest first. Only the lower triangle of a is
// read, and all of a is overwritten. It takes 4/3 n³ operations. It reports false if a holds numbers that are not
// finite.
func Values(a []float64, n int) (values []float64, ok bool) {
	t := tridiagonalize(a, n)
	return t.values()
}

// Largest returns all eigenvalues as Values does, and the eigenvectors of the count largest ones, that of the largest
// first. Vectors have length 1 and are orthogonal to each other; their sign is not defined. It takes 4/3 n³ operations.
func Largest(a []float64, n, count int) (values []float64, vectors [][]float64, ok bool) {
	t := tridiagonalize(a, n)
	if values, ok = t.values(); !ok {
		return nil, nil, false
	}
	for i := range min(count, n) {
		v := t.vector(values[n-1-i], vectors)
		vectors = append(vectors, v)
	}
	for _, v := range vectors {
		t.back(v)
	}
	return values, vectors, true
}

// tridiagonal is a tridiagonal matrix T = Q'AQ, where Q is the product of reflections H = I - scale·u u'.
type tridiagonal struct {
	n        int
	diagonal []float64 // n
	below    []float64 // n: below[i] couples i-1 and i; below[0] is 0
	u        []float64 // n×n: row i holds the vector of the reflection that cleared row i, in its first i elements
	scale    []float64 // n
}

// tridiagonalize reduces a symmetric matrix by Householder's reflections (Golub and Van Loan, Matrix Computations,
// section 8.3.1), the last row first, so that rows of a stay contiguous.
func tridiagonalize(a []float64, n int) *tridiagonal {
	t := &tridiagonal{
		n: n, diagonal: make([]float64, n), below: make([]float64, n),
		u: a, scale: make([]float64, n),
	}
	p := make([]float64, n)
	for i := n - 1; i > 0; i-- {
		u := a[i*n : i*n+i]
		t.diagonal[i] = a[i*n+i]
		t.below[i], t.scale[i] = reflection(u)
		if t.scale[i] != 0 {
			update(a, n, u, t.scale[i], p[:i])
		}
	}
	if n > 0 {
		t.diagonal[0] = a[0]
	}
	return t
}

// reflection turns x into the vector u of the reflection H = I - scale·u u' that maps x to (0, …, 0, last).
func reflection(x []float64) (last, scale float64) {
	end := len(x) - 1
	largest := 0.0
	for _, v := range x[:end] {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return x[end], 0
	}
	largest = max(largest, math.Abs(x[end]))
	for i := range x {
		x[i] /= largest
	}
	norm := math.Sqrt(dot(x, x))
	if x[end] > 0 {
		norm = -norm // no digits cancel in x[end] - norm
	}
	x[end] -= norm
	// u'u = 2 norm (norm - x_end) = -2 norm u_end, so that 2/u'u is:
	return float64(norm * largest), -1 / float64(norm*x[end])
}

// update replaces the leading block of a, as large as u is long, by H a H = a - u q' - q u', where p = scale·a u and
// q = p - ½ scale (u'p) u.
func update(a []float64, n int, u []float64, scale float64, p []float64) {
	multiply(a, n, u, p)
	for i := range p {
		p[i] = float64(p[i] * scale)
	}
	half := float64(0.5 * scale * dot(u, p))
	for i := range p {
		p[i] -= float64(half * u[i])
	}
	for i := range u {
		row := a[i*n : i*n+i+1]
		ui, qi := u[i], p[i]
		for j := range row {
			row[j] -= float64(ui*p[j]) + float64(qi*u[j])
		}
	}
}

// multiply sets p to a u, of which only the lower triangle of a is read.
func multiply(a []float64, n int, u, p []float64) {
	clear(p)
	for i := range u {
		row := a[i*n : i*n+i]
		ui, sum := u[i], 0.0
		for j, v := range row {
			sum += float64(v * u[j])
			p[j] += float64(v * ui)
		}
		p[i] += sum + float64(a[i*n+i]*ui)
	}
}

// mostRotations bounds the sweeps for one eigenvalue; two are usual.
const mostRotations = 60

// values returns the eigenvalues, the smallest first, by QL steps with implicit shifts (Golub and Van Loan, section
// 8.3.3), which need O(n²) operations without eigenvectors.
func (t *tridiagonal) values() ([]float64, bool) {
	d, e := slices.Clone(t.diagonal), make([]float64, t.n)
	copy(e, t.below[min(1, t.n):]) // e[i] couples i and i+1
	for l := range d {
		for try := 0; ; try++ {
			m := split(d, e, l)
			if m == l {
				break
			}
			if try == mostRotations || math.IsNaN(d[l]) || math.IsInf(d[l], 0) {
				return nil, false
			}
			step(d, e, l, m)
		}
	}
	slices.Sort(d)
	return d, true
}

// split returns the first m ≥ l at which the matrix falls into two, up to rounding.
func split(d, e []float64, l int) int {
	for m := l; m < len(d)-1; m++ {
		size := math.Abs(d[m]) + math.Abs(d[m+1])
		if math.Abs(e[m]) <= 0x1p-52*size {
			return m
		}
	}
	return len(d) - 1
}

// step does one QL step on the rows l to m.
func step(d, e []float64, l, m int) {
	g := (d[l+1] - d[l]) / (2 * e[l])
	g = d[m] - d[l] + e[l]/(g+math.Copysign(length(g, 1), g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := float64(s*e[i]), float64(c*e[i])
		r := length(f, g)
		e[i+1] = r
		if r == 0 { // the matrix falls into two here
			d[i+1] -= p
			e[m] = 0
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = float64((d[i]-g)*s) + float64(2*c*b)
		p = float64(s * r)
		d[i+1] = g + p
		g = float64(c*r) - b
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}

// length returns √(x² + y²) without overflow.
func length(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if x < y {
		x, y = y, x
	}
	if y == 0 {
		return x
	}
	y /= x
	return float64(x * math.Sqrt(1+float64(y*y)))
}

// dot returns x'y.
func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}
