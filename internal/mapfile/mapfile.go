// Package mapfile opens files as read-only memory and sees raw little-endian
// arrays in them without copying.
package mapfile

import (
	"errors"
	"io"
	"os"
	"unsafe"
)

// File is the content of a file, in a memory map where the system has them and
// in ordinary memory elsewhere.
type File struct {
	Data  []byte // begins at an address divisible by 8; must not be changed
	unmap func() error
}

// Open maps the whole file at path.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // the map lives on without it
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	switch {
	case !info.Mode().IsRegular():
		return nil, &os.PathError{Op: "map", Path: path, Err: errors.New("not a regular file")}
	case int64(int(size)) != size:
		return nil, &os.PathError{Op: "map", Path: path, Err: errors.New("larger than this machine can address")}
	case size == 0:
		return &File{}, nil
	}
	m, err := mapFile(f, int(size))
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: path, Err: err}
	}
	return m, nil
}

// Close releases the content, which must not be used afterwards. It may be
// called twice.
func (f *File) Close() error {
	unmap := f.unmap
	f.Data, f.unmap = nil, nil
	if unmap == nil {
		return nil
	}
	return unmap()
}

// readFile is mapFile for systems, and file systems, without memory maps.
func readFile(f *os.File, size int) (*File, error) {
	words := make([]uint64, (size+7)/8) // for the alignment
	data := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	return &File{Data: data}, nil
}
