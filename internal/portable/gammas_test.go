package portable

import (
	"math"
	"testing"

	"github.com/topoi-lda/topoi/internal/rng"
)

// Mean and variance of Gamma(a) are both a. The mean of n draws has standard
// deviation √(a/n), their variance √((2a² + 6a)/n); bounds are four of each.
func TestGammaMoments(t *testing.T) {
	const n = 50000
	g := Gammas{Key: rng.NewKey(1), Iteration: 1}
	for _, a := range []float64{0.01, 0.3, 1, 2.5, 40, 1e4} {
		sum, squares := 0.0, 0.0
		for i := range n {
			x := g.Draw(uint64(i), a)
			if x < 0 || math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("Gamma(%v) gave %v", a, x)
			}
			sum += x
			squares += (x - a) * (x - a)
		}
		if mean := sum / n; math.Abs(mean-a) > 4*math.Sqrt(a/n) {
			t.Errorf("mean of Gamma(%v) is %v", a, mean)
		}
		if variance := squares / n; math.Abs(variance-a) > 4*math.Sqrt((2*a*a+6*a)/n) {
			t.Errorf("variance of Gamma(%v) is %v", a, variance)
		}
	}
}

// Gamma(1) is the exponential distribution: P(X < x) = 1 - e^-x. The
// Kolmogorov statistic of n draws is below 1.95/√n with probability 0.999.
func TestGammaOfOneIsExponential(t *testing.T) {
	const n = 20000
	g := Gammas{Key: rng.NewKey(2), Iteration: 1}
	var below [100]int
	for i := range n {
		u := 1 - math.Exp(-g.Draw(uint64(i), 1))
		below[min(99, int(u*100))]++
	}
	sum := 0
	for i, c := range below {
		sum += c
		if d := math.Abs(float64(sum)/n - float64(i+1)/100); d > 1.95/math.Sqrt(n) {
			t.Errorf("distribution function is off by %v at %d %%", d, i+1)
		}
	}
}
