package hyper

import "math"

// digamma returns ψ(x) = d/dx log Γ(x) for x > 0, with the same bits on every
// machine: the recurrence ψ(x) = ψ(x + 1) - 1/x up to x ≥ 10, then
//
//	ψ(x) ≈ ln x - 1/(2x) - Σ_{n≥1} B_2n / (2n x^2n)
//
// (DLMF 5.5.2 and 5.11.2; B_2n are the Bernoulli numbers). The terms left out
// are below 10^-16 from 10 on.
func digamma(x float64) float64 {
	shift := 0.0
	for x < 10 {
		shift += 1 / x
		x++
	}
	// -B_2n / 2n for n = 7, …, 1.
	series := 0.0
	y := 1 / float64(x*x)
	for _, c := range [...]float64{-1. / 12, 691. / 32760, -1. / 132, 1. / 240, -1. / 252, 1. / 120, -1. / 12} {
		series = float64(y * (series + c))
	}
	return ln(x) - 0.5/x + series - shift
}

// ln returns the natural logarithm of x > 0 with the same bits on every machine,
// which math.Log does not promise:
//
//	ln (2^e m) = e ln 2 + 2 artanh s,    s = (m - 1)/(m + 1)
//
// with m between √½ and √2, where twelve terms of artanh's series suffice.
func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	s := (m - 1) / (m + 1)
	s2 := float64(s * s)
	series := 0.0
	for n := 23; n >= 1; n -= 2 {
		series = float64(series*s2) + 1/float64(n)
	}
	return float64(float64(e)*math.Ln2) + float64(2*s*series)
}
