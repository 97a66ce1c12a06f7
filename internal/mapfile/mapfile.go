// Package mapfile opens files as read-only memory and sees raw little-endian
// arrays in them without copying.
package mapfile

import (
	"errors"
	"io"
	"os"
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
	m, err := Of(f)
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: path, Err: err}
	}
	return m, nil
}

// Of maps the whole of an open file, which may be closed afterwards. Its errors
// lack the file's name.
func Of(f *os.File) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	switch {
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case int64(int(size)) != size:
		return nil, errors.New("it is larger than this machine can address")
	case size == 0:
		return &File{}, nil
	}
	return mapFile(f, int(size))
}

// Forget tells the system that some of Data will not be read soon, so that what
// was read of it no longer counts as memory in use. It stays readable.
func (f *File) Forget(data []byte) {
	if f.unmap != nil && len(data) > 0 {
		forget(data)
	}
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
	data := Aligned(size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	return &File{Data: data}, nil
}
