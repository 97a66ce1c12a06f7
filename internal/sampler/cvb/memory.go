package cvb

import "unsafe"

// aligned returns n zero values that begin on a cache line.
func aligned[T uint8 | int32 | float32](n int) []T {
	const line = 64
	var value T
	size := int(unsafe.Sizeof(value))
	buf := make([]T, n+line/size)
	skip := -int(uintptr(unsafe.Pointer(&buf[0]))) & (line - 1) / size
	return buf[skip : skip+n : skip+n]
}
