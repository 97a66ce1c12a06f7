package portable

import (
	"math"

	"github.com/topoi-lda/topoi/internal/rng"
)

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
		a, b := float64(2*u[0])-1, float64(2*u[1])-1
		square := float64(a*a) + float64(b*b)
		if square >= 1 {
			continue
		}
		normal := a * math.Sqrt(-2*Log(square)/square)
		v := 1 + float64(c*normal)
		if v <= 0 {
			continue
		}
		v = float64(v * v * v)
		if Log(u[2]) < float64(normal*normal/2)+float64(d*(1-v+Log(v))) {
			return float64(d * v * boost)
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
