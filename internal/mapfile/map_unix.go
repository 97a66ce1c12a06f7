//go:build unix

package mapfile

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapFile maps the file read-only. Its pages are shared with every process that
// has the file open and count as cache, not as memory in use.
func mapFile(f *os.File, size int) (*File, error) {
	data, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if errors.Is(err, unix.ENODEV) { // some network file systems
		return readFile(f, size)
	}
	if err != nil {
		return nil, err
	}
	return &File{Data: data, unmap: func() error { return unix.Munmap(data) }}, nil
}

// forget drops the whole pages inside data, which must lie in a shared map.
func forget(data []byte) {
	page := uintptr(os.Getpagesize())
	begin := uintptr(unsafe.Pointer(&data[0]))
	skip := -begin % page
	if uintptr(len(data)) <= skip {
		return
	}
	if whole := (uintptr(len(data)) - skip) &^ (page - 1); whole > 0 {
		_ = unix.Madvise(data[skip:skip+whole], unix.MADV_DONTNEED) // a refusal changes nothing
	}
}
