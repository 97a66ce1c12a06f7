package eigen

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/topoi-lda/topoi/internal/rng"
)

// symmetric returns a matrix with elements between -1 and 1.
func symmetric(n int, seed uint64) []float64 {
	key, a := rng.NewKey(seed), make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			x := float64(key.Block(uint32(i), uint32(j), 0, 0)[0])/(1<<31) - 1
			a[i*n+j], a[j*n+i] = x, x
		}
	}
	return a
}

// check compares with gonum, and asks the vectors to be orthonormal and to satisfy a v = λ v.
func check(t *testing.T, a []float64, n, count int) {
	t.Helper()
	var of mat.EigenSym
	if !of.Factorize(mat.NewSymDense(n, append([]float64{}, a...)), true) {
		t.Fatal("gonum finds no eigenvalues")
	}
	want := of.Values(nil)
	size := 1e-300
	for _, v := range want {
		size = max(size, math.Abs(v))
	}
	bound := 1e-14 * size * float64(n+10)
	values, vectors, ok := Largest(append([]float64{}, a...), n, count)
	if !ok || len(values) != n || len(vectors) != min(count, n) {
		t.Fatalf("%d values, %d vectors, %v", len(values), len(vectors), ok)
	}
	for i := range want {
		if math.Abs(values[i]-want[i]) > bound {
			t.Errorf("eigenvalue %d of %d is %v, want %v", i, n, values[i], want[i])
		}
	}
	for i, v := range vectors {
		for j, w := range vectors[:i+1] {
			product := dot(v, w)
			if i == j {
				product--
			}
			if math.Abs(product) > 1e-13*float64(n+10) {
				t.Errorf("vectors %d and %d of %d are off by %v", i, j, n, product)
			}
		}
		for row := range n {
			if off := dot(a[row*n:(row+1)*n], v) - values[n-1-i]*v[row]; math.Abs(off) > 10*bound {
				t.Errorf("row %d of vector %d of %d is off by %v", row, i, n, off)
			}
		}
	}
}

func TestEigen(t *testing.T) {
	for n := 1; n <= 40; n++ {
		check(t, symmetric(n, uint64(n)), n, 3)
	}
	check(t, symmetric(150, 7), 150, 4)
}

// Distances between topics give equal eigenvalues, values of 0 and matrices that fall into parts.
func TestEigenOfDegenerateMatrices(t *testing.T) {
	const n = 12
	alike := make([]float64, n*n) // the centred distances of points that are all equally far apart
	for i := range n {
		for j := range n {
			alike[i*n+j] = -1.0 / n
		}
		alike[i*n+i]++
	}
	check(t, alike, n, 2)
	check(t, make([]float64, n*n), n, 2)
	blocks := make([]float64, n*n) // two blocks with the same eigenvalues
	half := symmetric(n/2, 5)
	for i := range n / 2 {
		for j := range n / 2 {
			blocks[i*n+j], blocks[(i+n/2)*n+j+n/2] = half[i*n/2+j], half[i*n/2+j]
		}
	}
	check(t, blocks, n, 4)
	one := make([]float64, n*n) // a single line of points
	for i := range n {
		for j := range n {
			one[i*n+j] = float64(i-5) * float64(j-5)
		}
	}
	check(t, one, n, 2)
	for _, scale := range []float64{1e-150, 1e150} {
		a := symmetric(n, 9)
		for i := range a {
			a[i] *= scale
		}
		check(t, a, n, 2)
	}
}

func TestEigenRefusesWhatIsNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		a := symmetric(5, 1)
		a[3*5+1] = x
		if values, ok := Values(a, 5); ok {
			t.Errorf("a matrix with %v has the eigenvalues %v", x, values)
		}
	}
	if values, ok := Values(nil, 0); !ok || len(values) != 0 {
		t.Errorf("an empty matrix has the eigenvalues %v, %v", values, ok)
	}
}

func BenchmarkLargest(b *testing.B) {
	for range b.N {
		if _, _, ok := Largest(symmetric(300, 1), 300, 2); !ok {
			b.Fatal("no result")
		}
	}
}

func BenchmarkGonum(b *testing.B) {
	for range b.N {
		var of mat.EigenSym
		of.Factorize(mat.NewSymDense(300, symmetric(300, 1)), true)
	}
}
