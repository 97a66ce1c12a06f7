package portable

import "math"

// stirling are the factors of 1/x, 1/x³, … in Stirling's series, B_2n / (2n (2n-1)) for n = 8 … 1
// (NIST Handbook of Mathematical Functions, 5.11.1).
var stirling = [...]float64{
	-3617.0 / 122400, 1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12,
}

// leastStirling is where the terms of the series that are left out fall below the last bit of its sum.
const leastStirling = 10

// Lgamma returns ln Γ(x) for x > 0 with an error below 10^-14 or, if that is more, one of the last bits. It sums
//
//	(x - ½) ln x - x + ½ ln 2π + Σ_n B_2n / (2n (2n-1) x^(2n-1)),
//
// and reaches arguments for which that is exact by Γ(x + 1) = x Γ(x).
func Lgamma(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 1) {
		return x
	}
	if x <= 0 {
		return math.NaN()
	}
	below := 1.0 // the product of the steps taken
	for x < leastStirling {
		below = float64(below * x)
		x++
	}
	inverse := 1 / x
	square, sum := float64(inverse*inverse), 0.0
	for _, c := range stirling {
		sum = float64(sum*square) + c
	}
	const halfLog2Pi = 0.91893853320467274178032973640562
	lead := float64((x-0.5)*(Log(x)-1)) - 0.5
	return lead + halfLog2Pi + float64(sum*inverse) - logOf(below)
}

// logOf is Log without the work for 1.
func logOf(x float64) float64 {
	if x == 1 {
		return 0
	}
	return Log(x)
}
