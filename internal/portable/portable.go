// Package portable has functions whose results are the same on every machine, to the
// last bit, because models, scores and tables depend on them.
//
// The standard library's exp, log and their like differ in the last bits from one kind of machine to the next: some are
// written in assembly, and compilers for most processors turn a product that is added to something into one instruction
// that rounds once. Here every product is rounded before it is added, by a conversion that no compiler may remove.
package portable

import "math"

const (
	ln2High = 0x1.62e42feep-1        // the upper 32 bits of ln 2: small multiples are exact
	ln2Low  = 0x1.a39ef35793c76p-33  // the rest
	log2e   = 1.44269504088896340736 // 1 / ln 2
)

// expTerms are 1/i! for i = 11 … 0.
var expTerms = [...]float64{
	1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
	1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1,
}

// Exp returns e^x with a relative error below 10^-13, 0 below x = -700, and e^700 above x = 700. It writes x = n ln 2
// + r with |r| ≤ ln 2 / 2 and sums the first terms of e^r = Σ r^i / i!.
func Exp(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	if x < -700 {
		return 0
	}
	x = min(x, 700)
	n := math.Floor(float64(x*log2e) + 0.5)
	r := x - float64(n*ln2High)
	r -= float64(n * ln2Low)
	sum := 0.0
	for _, c := range expTerms {
		sum = float64(sum*r) + c
	}
	return float64(sum * math.Float64frombits(uint64(int64(n)+1023)<<52)) // 2^n, |n| ≤ 1010
}

// logTerms are 1/i for i = 21, 19, …, 1.
var logTerms = [...]float64{
	1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1,
}

// Log returns ln x with an error below 10^-13. It writes x = m 2^n with √½ ≤ m < √2 and sums
// ln m = 2 Σ s^(2i+1)/(2i+1), s = (m-1)/(m+1). The logarithm of 0 is -∞, that of a negative number NaN.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	}
	m, n := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, n = float64(2*m), n-1
	}
	s := (m - 1) / (m + 1)
	square := float64(s * s)
	sum := 0.0
	for _, c := range logTerms {
		sum = c + float64(square*sum)
	}
	return float64(float64(n)*(ln2High+ln2Low)) + float64(2*s*sum)
}

// Log1p returns ln(1 + x), also for x so small that 1 + x loses most of its digits: the rounding of 1 + x
// changes both factors of x · ln(1 + x)/((1 + x) - 1) alike (Kahan).
func Log1p(x float64) float64 {
	u := 1 + x
	if u == 1 {
		return x
	}
	if math.IsInf(u, 1) {
		return u
	}
	return float64(Log(u) * (x / (u - 1)))
}

// Expm1 returns e^x - 1, also for x so small that e^x loses most of its digits; see Log1p.
func Expm1(x float64) float64 {
	u := Exp(x)
	switch u - 1 {
	case 0:
		return x
	case -1:
		return -1
	}
	return float64((u - 1) * (x / Log(u)))
}

// Log2 returns the logarithm to base 2. Powers of 2 give whole numbers.
func Log2(x float64) float64 {
	if m, n := math.Frexp(x); m == 0.5 {
		return float64(n - 1)
	}
	return Log(x) / math.Ln2
}

// Log10 returns the logarithm to base 10. Powers of 10 give whole numbers.
func Log10(x float64) float64 {
	l := Log(x) / math.Ln10
	if n := math.Round(l); math.Abs(n) <= 308 && math.Pow10(int(n)) == x {
		return n
	}
	return l
}
