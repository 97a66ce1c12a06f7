// Package parquetcheck looks at what a Parquet file claims about sizes, numbers and nesting before the
// library that reads it allocates memory for them. It follows the structure of footers and page headers
// (Thrift's compact protocol) and of the pages themselves, and refuses what no sound file claims.
package parquetcheck

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

// maxDepth bounds how deep structures and columns may be nested. Sound footers have a depth of 7.
const maxDepth = 64

// structBytes is the least number of bytes of file for a structure in a list, on average. The least that
// occur, orders of columns, take three, and a structure takes a hundred times as much memory.
const structBytes = 3

// errShort means that a structure ends before its end.
var errShort = errors.New("a structure ends too early")

// walker steps through one structure, until the first fault.
type walker struct {
	b    []byte
	at   int
	path []int // ids of the fields from the outermost structure inwards
	err  error // the first fault

	// see is called with every whole number and boolean, and with 0 behind the end of every structure.
	see func(path []int, value int64)
}

// walk steps through the structure that b begins with and returns its length.
func walk(b []byte, see func(path []int, value int64)) (int, error) {
	w := walker{b: b, see: see}
	w.structure()
	return w.at, w.err
}

func (w *walker) fail(err error) { w.err = cmp.Or(w.err, err) }

func (w *walker) structure() {
	if len(w.path) > maxDepth {
		w.fail(fmt.Errorf("structures are nested more than %d deep", maxDepth))
		return
	}
	depth := len(w.path)
	w.path = append(w.path, 0)
	for id, head := 0, w.byte(); head != 0 && w.err == nil; head = w.byte() {
		id += int(head >> 4)
		if head>>4 == 0 {
			id = int(int16(w.number()))
		}
		w.path[depth] = id
		w.value(head&15, false)
	}
	if w.err == nil {
		w.path = w.path[:depth]
		w.see(w.path, 0)
	}
}

// The types of the compact protocol.
const (
	typeTrue   = 1
	typeFalse  = 2
	typeByte   = 3
	typeI64    = 6
	typeDouble = 7
	typeBinary = 8
	typeList   = 9
	typeSet    = 10
	typeMap    = 11
	typeStruct = 12
)

// value steps over a value. A boolean is part of its field's head, but a byte of its own in a list.
func (w *walker) value(kind byte, listed bool) {
	switch {
	case kind == typeByte || listed && (kind == typeTrue || kind == typeFalse):
		w.skip(1)
	case kind == typeTrue || kind == typeFalse:
		w.see(w.path, int64(typeFalse-kind))
	case kind <= typeI64:
		w.see(w.path, w.number())
	case kind == typeDouble:
		w.skip(8)
	case kind == typeBinary:
		w.skip(w.uvarint())
	case kind == typeList || kind == typeSet:
		w.list()
	case kind == typeMap:
		w.fail(errors.New("a map is where none belongs"))
	case kind == typeStruct:
		w.structure()
	default:
		w.fail(fmt.Errorf("a value has the type %d, which does not exist", kind))
	}
}

// list steps over a list, whose length must fit the bytes that are left.
func (w *walker) list() {
	head := w.byte()
	n, kind := uint64(head>>4), head&15
	if n == 15 {
		n = w.uvarint()
	}
	least := uint64(1)
	if kind == typeStruct {
		least = structBytes
	}
	if kind == 0 || n > uint64(len(w.b)-w.at)/least {
		w.fail(fmt.Errorf("a list claims %d entries and has %d bytes", n, len(w.b)-w.at))
	}
	for ; n > 0 && w.err == nil; n-- {
		w.value(kind, true)
	}
}

func (w *walker) skip(n uint64) {
	if n > uint64(len(w.b)-w.at) {
		w.fail(errShort)
		return
	}
	w.at += int(n)
}

// byte returns the next byte, 0 after a fault.
func (w *walker) byte() byte {
	if w.skip(1); w.err != nil {
		return 0
	}
	return w.b[w.at-1]
}

func (w *walker) uvarint() uint64 {
	v, n := binary.Uvarint(w.b[w.at:])
	if n <= 0 {
		w.fail(errShort)
	}
	w.at += max(0, n)
	return v
}

// number reads a whole number in zigzag form.
func (w *walker) number() int64 {
	u := w.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

const (
	magic    = "PAR1"
	tailSize = 4 + len(magic) // the length of the footer and the magic
)

// Footer checks the footer of a file of the given size: that it lies in the file, that its lists and texts
// lie in it, and that neither its structures nor the columns it describes are nested without end.
func Footer(r io.ReaderAt, size int64) error {
	var tail [tailSize]byte
	_, err := r.ReadAt(tail[:], max(0, size-int64(tailSize)))
	switch end := string(tail[4:]); {
	case err == nil && end == "PARE":
		return errors.New("it is encrypted")
	case err != nil || end != magic:
		return errors.New("it does not end as one does")
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	begin := size - int64(tailSize) - length
	if begin < int64(len(magic)) {
		return fmt.Errorf("its footer claims %d bytes and the file has %d", length, size)
	}
	footer := make([]byte, length)
	if _, err := r.ReadAt(footer, begin); err != nil {
		return err
	}
	var s schema
	if _, err := walk(footer, s.see); err != nil {
		return fmt.Errorf("its footer is damaged: %w", err)
	}
	if s.tooDeep {
		return fmt.Errorf("its columns are nested more than %d deep", maxDepth)
	}
	return nil
}

// schema follows how deep columns are nested. A footer lists them in order, each with the number of
// columns in it, which follow.
type schema struct {
	children int64   // of the column under way
	open     []int64 // columns that are still to come in each column around
	tooDeep  bool
}

// see takes the fields of the footer: 2 is the list of columns, 2.5 the number of columns in one.
func (s *schema) see(path []int, value int64) {
	switch {
	case len(path) == 2 && path[0] == 2 && path[1] == 5:
		s.children = value
	case len(path) == 1 && path[0] == 2:
		if n := len(s.open); n > 0 {
			s.open[n-1]--
		}
		if s.children > 0 {
			s.open = append(s.open, s.children)
		}
		for n := len(s.open); n > 0 && s.open[n-1] <= 0; n-- {
			s.open = s.open[:n-1]
		}
		s.tooDeep = s.tooDeep || len(s.open) > maxDepth
		s.children = 0
	}
}

// checkDelta checks values that are stored as differences to the one before. Numbers and lengths must not be
// more than the page has. A text of DELTA_BYTE_ARRAY begins with a part of the one before it, so
// that few bytes can stand for many.
func (p *page) checkDelta(b []byte) error {
	sum, err := p.deltaSum(b)
	if err != nil || format.Encoding(p.encoding) != format.DeltaByteArray {
		return err
	}
	if sum > freeBytes && sum > maxRatio*p.stored {
		return fmt.Errorf("a page of %d bytes claims to hold %d", p.stored, sum)
	}
	return nil
}

// deltaSum adds up numbers in DELTA_BINARY_PACKED form: a head of block size, small blocks in each, number of
// numbers and the first number; then blocks of the least difference, the bits of each small block, and
// what the differences have beyond the least.
func (p *page) deltaSum(b []byte) (int64, error) {
	var head [3]uint64
	for i := range head {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, errShort
		}
		head[i], b = v, b[n:]
	}
	size, parts, count := head[0], head[1], head[2]
	if count > uint64(p.values) || size == 0 || size > 1<<16 || parts == 0 || size%parts != 0 || size/parts%8 != 0 {
		return 0, fmt.Errorf("a page of %d values has %d in blocks of %d", p.values, count, size)
	}
	last, n := binary.Varint(b)
	if n <= 0 {
		return 0, errShort
	}
	b = b[n:]
	sum := last
	for left := int64(count) - 1; left > 0 && sum < 1<<40; {
		least, n := binary.Varint(b)
		if n <= 0 || len(b)-n < int(parts) {
			return 0, errShort
		}
		widths := b[n : n+int(parts)]
		b = b[n+int(parts):]
		for _, width := range widths {
			if left <= 0 {
				break
			}
			bytes := int(width) * int(size/parts) / 8
			if width > 64 || bytes > len(b) {
				return 0, errShort
			}
			for i := 0; i < int(size/parts) && left > 0; i++ {
				last += least + int64(bitsAt(b, i*int(width), int(width)))
				sum += max(0, last)
				left--
			}
			b = b[bytes:]
		}
	}
	return sum, nil
}

// bitsAt returns the number of so many bits at a bit of b, least significant first.
func bitsAt(b []byte, at, width int) (v uint64) {
	for i := range width {
		v |= uint64(b[(at+i)/8]>>((at+i)%8)&1) << i
	}
	return v
}
