// Package alloc makes room for tables: on boundaries that vector instructions want, in
// large pages, and in memory that was used before.
package alloc

import "unsafe"

// AlignedFloats returns n zero values that begin on a cache line.
func AlignedFloats(n int) []float32 { return aligned[float32](n) }

// AlignedInts returns n zero values that begin on a cache line.
func AlignedInts(n int) []int32 { return aligned[int32](n) }

func aligned[T float32 | int32](n int) []T {
	const line = 64
	buf := make([]T, n+line/4)
	skip := (line - int(uintptr(unsafe.Pointer(&buf[0]))%line)) % line / 4
	return buf[skip : skip+n : skip+n]
}

// Resize returns n values, which are undefined, in the memory of a list if it is enough.
func Resize[T any](list []T, n int) []T {
	if n > cap(list) {
		return make([]T, n)
	}
	return list[:n]
}
