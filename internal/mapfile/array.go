package mapfile

import (
	"encoding/binary"
	"unsafe"
)

// Element is what raw arrays hold.
type Element interface {
	uint8 | uint16 | uint32 | uint64 | float64
}

// littleEndian says whether numbers lie in memory as they do in files.
var littleEndian = func() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}()

// View sees little-endian bytes as an array, sharing memory where the machine
// is little-endian too and copying elsewhere. The length of b must be a
// multiple of the element's size and b must be aligned to it.
func View[T Element](b []byte) []T {
	var zero T
	n := len(b) / int(unsafe.Sizeof(zero))
	if n == 0 {
		return nil
	}
	if littleEndian {
		return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n)
	}
	x := make([]T, n)
	if _, err := binary.Decode(b, binary.LittleEndian, x); err != nil {
		panic(err) // the element types are all of fixed size
	}
	return x
}

// Bytes is the inverse of View.
func Bytes[T Element](x []T) []byte {
	if len(x) == 0 {
		return nil
	}
	if littleEndian {
		return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
	}
	b := make([]byte, len(x)*int(unsafe.Sizeof(x[0])))
	if _, err := binary.Encode(b, binary.LittleEndian, x); err != nil {
		panic(err)
	}
	return b
}

// Aligned returns n zero bytes that begin at an address divisible by 8.
func Aligned(n int) []byte {
	return Bytes(make([]uint64, (n+7)/8))[:n:n]
}
