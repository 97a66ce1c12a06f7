package portable

import "math"

const (
	twoOverRootPi = 1.12837916709551257389615890312154517
	farErf        = 2   // from here on the continued fraction converges quickly
	fractions     = 120 // of its terms are taken; at 2 some 60 would do
)

// Erf returns the error function 2/√π ∫_0^x e^-t² dt.
func Erf(x float64) float64 {
	if x < 0 {
		return -Erf(-x)
	}
	if x < farErf {
		return nearErf(x)
	}
	return 1 - Erfc(x)
}

// Erfc returns 1 - Erf(x) with a relative error below 10^-12, 0 above x = 26.
func Erfc(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	if x < farErf {
		return 1 - Erf(x)
	}
	// e^-x² / (x √π) · 1/(1 + a/(1 + 2a/(1 + 3a/(1 + …)))), a = 1/(2x²) (NIST Handbook, 7.9.2)
	square := float64(x * x)
	a, tail := 0.5/square, 1.0
	for i := float64(fractions); i >= 1; i-- {
		tail = 1 + float64(i*a)/tail
	}
	return float64(Exp(-square)*(twoOverRootPi/2)) / x / tail
}

// nearErf returns 2/√π e^-x² Σ_n 2^n x^(2n+1) / (1·3·…·(2n+1)), of which all terms are positive.
func nearErf(x float64) float64 {
	square := float64(x * x)
	term, sum := x, x
	for n := 1.0; term > 1e-17*sum; n++ {
		term = float64(term*(2*square)) / (float64(2*n) + 1)
		sum += term
	}
	return float64(float64(twoOverRootPi*Exp(-square)) * sum)
}

// Erfinv returns x with Erf(x) = y for -1 < y < 1. Halley's steps begin at an approximation with a relative error of
// 0.002 (Winitzki 2008).
func Erfinv(y float64) float64 {
	switch {
	case math.IsNaN(y) || y < -1 || y > 1:
		return math.NaN()
	case y < 0:
		return -Erfinv(-y)
	case y == 0:
		return 0
	case y == 1:
		return math.Inf(1)
	}
	const a = 0.147
	l := Log1p(-y) + Log1p(y)
	b := 2/(math.Pi*a) + float64(l/2)
	x := math.Sqrt(math.Sqrt(float64(b*b)-l/a) - b)
	for range 4 {
		off := Erf(x) - y
		if y > 0.5 {
			off = (1 - y) - Erfc(x)
		}
		t := off / float64(twoOverRootPi*Exp(-float64(x*x)))
		x -= t / (1 + float64(x*t))
	}
	return x
}
