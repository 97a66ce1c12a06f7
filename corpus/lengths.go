package corpus

import "math"

// lengths draws document lengths from a log-normal law. Quantiles are
// tabulated and rounded to 2^-16, far coarser than machines differ in computing
// exponentials, so that lengths are the same everywhere.
type lengths struct {
	mean     float64
	quantile [lengthSteps]uint64 // in units of 2^-16 of the mean
}

const (
	lengthSteps  = 4096
	lengthSpread = 0.6 // standard deviation of the logarithm, as in collections of papers or news
)

func newLengths(mean float64) *lengths {
	l := &lengths{mean: mean}
	for i := range l.quantile {
		p := (float64(i) + 0.5) / lengthSteps
		z := math.Sqrt2 * math.Erfinv(2*p-1) // normal quantile
		l.quantile[i] = uint64(math.Round(65536 * math.Exp(lengthSpread*z-lengthSpread*lengthSpread/2)))
	}
	return l
}

// draw returns a length of at least 1 for a random word: the quantile that its
// upper 12 bits choose, rounded up or down by its lower 20.
func (l *lengths) draw(x uint32) int {
	exact := float64(float64(l.quantile[x>>20]) * (l.mean / 65536)) // rounded here on every machine
	whole := math.Floor(exact)
	if float64(x&(1<<20-1)) < float64(exact-whole)*(1<<20) {
		whole++
	}
	return max(1, int(whole))
}
