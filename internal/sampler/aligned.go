package sampler

import "unsafe"

// alignedFloats returns n zero values that begin on a cache line.
func alignedFloats(n int) []float32 { return aligned[float32](n) }

// alignedInts returns n zero values that begin on a cache line.
func alignedInts(n int) []int32 { return aligned[int32](n) }

func aligned[T float32 | int32](n int) []T {
	const line = 64
	buf := make([]T, n+line/4)
	skip := (line - int(uintptr(unsafe.Pointer(&buf[0]))%line)) % line / 4
	return buf[skip : skip+n : skip+n]
}
