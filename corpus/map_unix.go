//go:build unix

package corpus

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps the whole file read-only. Pages are shared with every other
// process that has the corpus open, and count as cache, not as memory in use.
func mapFile(f *os.File, size int64) (*mappedFile, error) {
	if size == 0 {
		return &mappedFile{}, nil
	}
	if int64(int(size)) != size {
		return nil, errors.New("the file is larger than this machine can address")
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if errors.Is(err, unix.ENODEV) { // some network file systems
		return readFile(f, size)
	}
	if err != nil {
		return nil, err
	}
	return &mappedFile{data: data, unmap: func() error { return unix.Munmap(data) }}, nil
}
