package metrics

import (
	"math"
	"slices"
)

// rboPersistence is p of rank-biased overlap, as inverted RBO is published with it.
const rboPersistence = 0.9

// RBO returns the extrapolated rank-biased overlap of two lists without repetitions
// (Webber, Moffat and Zobel 2010, Eq. 32): from 0 for lists that share nothing to 1 for the
// same list. With s ≤ l the lengths, X_d the elements that the first d of both share and
// 0 < p < 1,
//
//	(1−p)/p (Σ_{d=1}^{l} X_d/d p^d + Σ_{d=s+1}^{l} X_s (d−s)/(s d) p^d) + ((X_l − X_s)/l + X_s/s) p^l.
//
// A list without elements has overlap 0 with every other.
func RBO(a, b []int, p float64) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	s, l := len(a), len(b)
	if s == 0 {
		return 0
	}
	sum, power, short, shared := 0.0, 1.0, 0.0, 0.0 // short is X_s, once known
	for d := 1; d <= l; d++ {
		power *= p
		if d <= s && slices.Contains(b[:d], a[d-1]) {
			shared++
		}
		if slices.Contains(a[:min(d-1, s)], b[d-1]) { // the pair (d, d) was counted above
			shared++
		}
		sum += shared / float64(d) * power
		if d == s {
			short = shared
		}
		if d > s {
			sum += short * float64(d-s) / float64(s*d) * power
		}
	}
	return (1-p)/p*sum + ((shared-short)/float64(l)+short/float64(s))*power
}

// MeanRBO returns the mean of RBO over all pairs of lists, NaN if there is but one. Only
// pairs that share an element are looked at; the others have 0.
func MeanRBO(lists [][]int, p float64) float64 {
	if len(lists) < 2 {
		return math.NaN()
	}
	holders := map[int][]int{} // lists before this one, by element
	sum := 0.0
	var others []int
	for i, list := range lists {
		others = others[:0]
		for _, w := range list {
			others = append(others, holders[w]...)
			holders[w] = append(holders[w], i)
		}
		slices.Sort(others)
		for _, j := range slices.Compact(others) {
			sum += RBO(lists[j], list, p)
		}
	}
	return 2 * sum / (float64(len(lists)) * float64(len(lists)-1))
}
