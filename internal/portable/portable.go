// Package portable has functions whose results are the same on every machine, to the
// last bit, because the state of samplers depends on them.
package portable

import (
	"math"

	"github.com/topoi-lda/topoi/internal/rng"
)

// The standard library's exp and log differ in the last bits from one kind of machine to the next. Where a sampler's
// state depends on them, these are used: every product is rounded before it is added, so no compiler may fuse the two.

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
	return sum * math.Float64frombits(uint64(int64(n)+1023)<<52) // 2^n, |n| ≤ 1010
}

// Log returns ln x for finite x > 0 with an error below 10^-13. It writes
// x = m 2^n with √½ ≤ m < √2 and sums ln m = 2 Σ s^(2i+1)/(2i+1), s = (m-1)/(m+1).
func Log(x float64) float64 {
	m, n := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, n = 2*m, n-1
	}
	s := (m - 1) / (m + 1)
	square := float64(s * s)
	sum := 0.0
	for i := 21.0; i >= 1; i -= 2 {
		sum = 1/i + float64(square*sum)
	}
	return float64(float64(n)*(ln2High+ln2Low)) + float64(2*s*sum)
}

// Gammas draws gamma variates, numbered by an index: Marsaglia and Tsang, "A simple method for generating gamma
// variables", ACM TOMS 26(3), 2000, with normal variates by the polar method. All arithmetic is portable, so that a
// variate is the same on every machine.
type Gammas struct {
	Key       rng.Key
	Iteration uint32
	Purpose   rng.Purpose
}

// Draw returns a variate of the distribution with the given shape > 0 and scale 1.
func (g Gammas) Draw(index uint64, shape float64) float64 {
	boost := 1.0
	if shape < 1 {
		// Gamma(a) = Gamma(a + 1) · U^(1/a).
		boost = Exp(Log(g.block(index, 0)[3]) / shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for attempt := uint32(0); ; attempt++ {
		u := g.block(index, attempt)
		a, b := 2*u[0]-1, 2*u[1]-1
		square := float64(a*a) + float64(b*b)
		if square >= 1 {
			continue
		}
		normal := a * math.Sqrt(-2*Log(square)/square)
		v := 1 + float64(c*normal)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if Log(u[2]) < float64(normal*normal)/2+float64(d*(1-v+Log(v))) {
			return d * v * boost
		}
	}
}

// block returns four uniform numbers between 0 and 1, exclusive. Attempts are counted above the purpose.
func (g Gammas) block(index uint64, attempt uint32) [4]float64 {
	words := g.Key.Block(uint32(index), g.Iteration, uint32(g.Purpose)|attempt<<8, uint32(index>>32))
	var u [4]float64
	for i, w := range words {
		u[i] = (float64(w) + 0.5) / (1 << 32)
	}
	return u
}
