package topicmap

import "slices"

// first returns the n first elements of a list by an order, equal ones as the list has
// them. One walk serves, since few elements are among the first when n is small.
func first[T any](list []T, n int, compare func(a, b T) int) []T {
	best := make([]T, 0, max(0, min(n, len(list))))
	if cap(best) == 0 {
		return best
	}
	for _, e := range list {
		if len(best) == cap(best) {
			if compare(e, best[len(best)-1]) >= 0 {
				continue
			}
			best = best[:len(best)-1]
		}
		at, _ := slices.BinarySearchFunc(best, e, func(b, e T) int {
			if compare(b, e) <= 0 {
				return -1 // behind equal ones
			}
			return 1
		})
		best = slices.Insert(best, at, e)
	}
	return best
}
