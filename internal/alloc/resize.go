package alloc

// Resize returns n values, which are undefined, in the memory of a list if it is enough.
func Resize[T any](list []T, n int) []T {
	if n > cap(list) {
		return make([]T, n)
	}
	return list[:n]
}
