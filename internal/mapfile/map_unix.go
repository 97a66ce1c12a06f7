//go:build unix

package mapfile

import (
	"errors"
	"os"

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
