// Package mapfile opens files as read-only memory and sees raw little-endian arrays in them without copying.
package mapfile

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"
)

// File is the content of a file, in a memory map where the system has them and in ordinary memory elsewhere.
type File struct {
	Data  []byte // begins at an address divisible by 8; must not be changed
	unmap func() error
	path  string
	info  atomic.Pointer[os.FileInfo] // when it was opened or accepted

	closed atomic.Bool
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

// InMemory returns a file whose content is in memory already. data begins at an address divisible by 8.
func InMemory(data []byte) *File { return &File{Data: data} }

// Of maps the whole of an open file, which may be closed afterwards. Its errors lack the file's name.
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
		m := &File{path: f.Name()}
		m.info.Store(&info)
		return m, nil
	}
	m, err := mapFile(f, int(size))
	if err != nil {
		return nil, err
	}
	m.path = f.Name()
	m.info.Store(&info)
	maps.Store(m, m.Data)
	return m, nil
}

// Change describes what has become of the name of a file since it was opened.
type Change int

// What Changed returns.
const (
	Same     Change = iota // the same file, of the same size and time
	Altered                // the same file, written to
	Replaced               // another file, or none: what was opened is still there, without a name
)

// Changed looks at size, time and identity of the file. A map shows what is written to its
// file. accept takes the file as it was found for unchanged from now on.
func (f *File) Changed() (change Change, accept func()) { return f.ChangedAt(f.path) }

// ChangedAt is Changed for another name that the file was given.
func (f *File) ChangedAt(path string) (change Change, accept func()) {
	before := f.info.Load()
	if before == nil {
		return Same, func() {}
	}
	now, err := os.Stat(path)
	accept = func() { f.info.Store(&now) }
	switch {
	case err != nil || !os.SameFile(now, *before):
		return Replaced, func() {}
	case now.Size() != (*before).Size() || !now.ModTime().Equal((*before).ModTime()):
		return Altered, accept
	}
	return Same, accept
}

// maps holds the data of every open map by its *File.
var maps sync.Map

// At returns the path of the open file whose map holds an address.
func At(address uintptr) (path string, ok bool) {
	for f, data := range maps.Range {
		data := data.([]byte)
		begin := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
		if address >= begin && address-begin < uintptr(len(data)) {
			return f.(*File).path, true
		}
	}
	return "", false
}

// Forget tells the system that some of Data will not be read soon, so that what
// was read of it no longer counts as memory in use. It stays readable.
func (f *File) Forget(data []byte) {
	if f.unmap != nil && len(data) > 0 {
		forget(data)
	}
}

// Close releases the content, which must not be used afterwards. It may be called twice.
func (f *File) Close() error {
	f.closed.Store(true)
	maps.Delete(f)
	unmap := f.unmap
	f.Data, f.unmap = nil, nil
	if unmap == nil {
		return nil
	}
	return unmap()
}

// Closed reports whether the content was released.
func (f *File) Closed() bool { return f.closed.Load() }

// readFile is mapFile for systems, and file systems, without memory maps.
func readFile(f *os.File, size int) (*File, error) {
	data := Aligned(size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	return &File{Data: data}, nil
}

// Element is the type of an element of a raw array.
type Element interface {
	uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// littleEndian reports whether numbers have the same byte order in memory as in files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// View sees little-endian bytes as an array, sharing memory where the machine is little-endian too and copying
// elsewhere. The length of b must be a multiple of the element's size and b must be aligned to it.
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

// Bytes is the inverse of View. What is written to its result reaches x only where the machine is little-endian: to
// read numbers from elsewhere, read bytes and view them, or use Memory for what stays on one machine.
func Bytes[T Element](x []T) []byte {
	if len(x) == 0 {
		return nil
	}
	if littleEndian {
		return Memory(x)
	}
	b := make([]byte, len(x)*int(unsafe.Sizeof(x[0])))
	if _, err := binary.Encode(b, binary.LittleEndian, x); err != nil {
		panic(err)
	}
	return b
}

// Memory returns the bytes of x in the machine's own order. It always shares the memory.
func Memory[T Element](x []T) []byte {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
}

// OfMemory is the inverse of Memory.
func OfMemory[T Element](b []byte) []T {
	var zero T
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(zero)))
}

// ToMemory turns little-endian numbers, in place, into numbers in the machine's own order.
func ToMemory[T Element](b []byte) {
	if !littleEndian {
		copy(OfMemory[T](b), View[T](b))
	}
}

// Aligned returns n zero bytes that begin at an address divisible by 8.
func Aligned(n int) []byte { return Memory(make([]uint64, (n+7)/8))[:n:n] }
