// Package tiny is mutated by the test of the tool: which of its mutants survive is known.
package tiny

import "errors"

var errOdd = errors.New("odd")

// Clamp returns x, or the end of lo to hi that it lies beyond.
func Clamp(x, lo, hi int) int {
	if x < lo {
		return lo
	}
	return min(x, hi)
}

// Half returns half of an even number.
func Half(n int) (int, error) {
	if n%2 != 0 {
		return 0, errOdd
	}
	return n / 2, nil
}

// Count counts the elements of a list.
func Count(list []string) (n int) {
	for range list {
		n++
	}
	return n
}

// Untested is called by no test.
func Untested(n int) int { return n + 1 }
