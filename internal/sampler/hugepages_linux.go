package sampler

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePages asks for large pages behind a table that is read all over: with
// pages of 4 KiB nearly every row of it would begin with a miss in the
// translation cache. It changes nothing but speed, so a refusal is no error.
func hugePages[T byte | int32 | uint16 | uint32 | uint64 | topicCell](table []T) {
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
}

// HugePages is hugePages for memory outside this package.
func HugePages(b []byte) { hugePages(b) }
