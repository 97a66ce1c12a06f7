package prevalence

import "math"

// quantile returns the value below which the share p of the values lies, between the two
// nearest ones in proportion. It brings the values into another order.
func quantile(values []float64, p float64) float64 {
	place := p * float64(len(values)-1)
	i := int(math.Floor(place))
	nth(values, i)
	if i+1 >= len(values) {
		return values[i]
	}
	above := values[i+1]
	for _, v := range values[i+2:] {
		above = min(above, v)
	}
	return values[i] + float64((place-float64(i))*(above-values[i]))
}

// nth puts the value that would be at place i after sorting there, none above it before it
// and none below it after it (Hoare's selection, with the middle of three as pivot).
func nth(values []float64, i int) {
	for lo, hi := 0, len(values)-1; lo < hi; {
		a, b, c := values[lo], values[(lo+hi)/2], values[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		left, right := lo, hi
		for left <= right {
			for values[left] < pivot {
				left++
			}
			for values[right] > pivot {
				right--
			}
			if left <= right {
				values[left], values[right] = values[right], values[left]
				left++
				right--
			}
		}
		switch {
		case i <= right:
			hi = right
		case i >= left:
			lo = left
		default:
			return
		}
	}
}
