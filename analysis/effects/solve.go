package effects

import "math"

// leastOwn is how much of a column's sum of squares the columns before it must leave
// unexplained. A column with less has no coefficient of its own.
const leastOwn = 1e-10

// inverse returns the inverse of a symmetric p×p matrix over the columns that are not
// linear combinations of those before them, zero elsewhere, and which those are.
func inverse(m []float64, p int) (inv []float64, aliased []bool, rank int) {
	l := make([]float64, p*p) // lower triangle of the Cholesky factor
	aliased = make([]bool, p)
	for j := range p {
		pivot := m[j*p+j]
		for k := range j {
			pivot -= float64(l[j*p+k] * l[j*p+k])
		}
		if !(pivot > leastOwn*m[j*p+j]) {
			aliased[j] = true
			continue
		}
		rank++
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
		if aliased[i] {
			clear(l[i*p : (i+1)*p])
		}
	}
	inv = make([]float64, p*p)
	column := make([]float64, p)
	for j := range p {
		if aliased[j] {
			continue
		}
		clear(column)
		column[j] = 1
		substitute(l, aliased, column)
		for i, x := range column {
			inv[i*p+j] = x
		}
	}
	return inv, aliased, rank
}

// substitute solves L L' x = b in place.
func substitute(l []float64, aliased []bool, b []float64) {
	p := len(b)
	for i := range p {
		if aliased[i] {
			b[i] = 0
			continue
		}
		for k := range i {
			b[i] -= float64(l[i*p+k] * b[k])
		}
		b[i] /= l[i*p+i]
	}
	for i := p - 1; i >= 0; i-- {
		if aliased[i] {
			continue
		}
		for k := i + 1; k < p; k++ {
			b[i] -= float64(l[k*p+i] * b[k])
		}
		b[i] /= l[i*p+i]
	}
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

// sandwich returns c·m·c for symmetric p×p matrices.
func sandwich(c, m []float64, p int) []float64 {
	half, whole := make([]float64, p*p), make([]float64, p*p)
	for i := range p {
		copy(half[i*p:(i+1)*p], times(c, m[i*p:(i+1)*p])) // row i of m·c
	}
	for i := range p {
		for k := range p {
			if f := c[i*p+k]; f != 0 {
				for j := range p {
					whole[i*p+j] += float64(f * half[k*p+j])
				}
			}
		}
	}
	return whole
}
