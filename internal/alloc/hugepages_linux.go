package alloc

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// HugePages asks for large pages behind a table that is read all over: with pages of 4 KiB nearly every row of it
// would begin with a miss in the translation cache. It changes nothing but speed, so a refusal is no error.
func HugePages[T any](table []T) {
	const page = 2 << 20
	var value T
	size := unsafe.Sizeof(value)
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(table)))
	skip := -begin % page
	bytes := uintptr(len(table)) * size
	if bytes < skip+page {
		return
	}
	whole := unsafe.Slice((*byte)(unsafe.Pointer(&table[skip/size])), (bytes-skip)&^(page-1))
	_ = unix.Madvise(whole, unix.MADV_HUGEPAGE)
	_ = unix.Madvise(whole, unix.MADV_COLLAPSE) // memory that was used before has small ones, and would keep them
}
