package counts

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// maxNPYHeader bounds the text that describes an array; numpy itself takes 10,000 bytes.
const maxNPYHeader = 64 << 10

// npyArray reads an array of numbers in numpy's format, versions 1 to 3: the magic, two bytes of version, the length
// of the header in two (version 1) or four bytes, the header, a Python literal as in
//
//	{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }
//
// and the values one after the other.
type npyArray struct {
	name    string // for messages
	r       io.Reader
	kind    byte // i, u, f or b for numbers; S or U for text
	size    int  // bytes of a value
	big     bool // the most significant byte comes first
	fortran bool // the first index runs fastest
	dims    []uint64
	left    uint64 // values not yet read

	buf        []byte
	begin, end int // buf[begin:end] is read but not yet handed out
}

// openArray reads the header.
func openArray(name string, r io.Reader) (*npyArray, error) {
	a := &npyArray{name: name, r: r}
	header, err := a.readHeader()
	if err != nil {
		return nil, err
	}
	if err := a.parse(header); err != nil {
		return nil, err
	}
	a.left = 1
	for _, d := range a.dims {
		if d > 0 && a.left > math.MaxInt64/64/d {
			return nil, a.errorf("its shape is larger than any file")
		}
		a.left *= d
	}
	a.buf = make([]byte, 64<<10/max(1, a.size)*max(1, a.size))
	return a, nil
}

func (a *npyArray) errorf(format string, args ...any) *input.Error {
	return &input.Error{File: a.name, Msg: fmt.Sprintf(format, args...), Hint: "write the array again with numpy"}
}

// readHeader returns the literal that describes the array.
func (a *npyArray) readHeader() ([]byte, error) {
	var fixed [12]byte
	if err := a.full(fixed[:10]); err != nil {
		return nil, err
	}
	if string(fixed[:6]) != input.NPYMagic {
		return nil, a.errorf("this is not a NumPy array")
	}
	size := uint32(binary.LittleEndian.Uint16(fixed[8:]))
	switch version := fixed[6]; version {
	case 1:
	case 2, 3:
		if err := a.full(fixed[10:]); err != nil {
			return nil, err
		}
		size = binary.LittleEndian.Uint32(fixed[8:])
	default:
		return nil, a.errorf("version %d of numpy's format is unknown, expected 1 to 3", version)
	}
	if size > maxNPYHeader {
		return nil, a.errorf("its header is longer than %d bytes", maxNPYHeader)
	}
	header := make([]byte, size)
	return header, a.full(header)
}

// full fills b or fails.
func (a *npyArray) full(b []byte) error {
	_, err := io.ReadFull(a.r, b)
	return a.readError(err)
}

// readError makes a sentence of what stopped the reading.
func (a *npyArray) readError(err error) error {
	switch err {
	case nil:
		return nil
	case io.EOF, io.ErrUnexpectedEOF:
		return (&input.Error{
			File: a.name,
			Msg:  "the array ends too early, the file is truncated",
		}).WithHint("copy or download it again")
	}
	return (&input.Error{
		File: a.name, Msg: fmt.Sprintf("cannot read the array: %v", err),
		Err: err,
	}).WithHint("copy or download it again")
}

// The three entries of the literal.
var (
	npyDescr   = regexp.MustCompile(`'descr':\s*'([<>|=]?)([a-zA-Z?])([0-9]{0,9})'`)
	npyFortran = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	npyShape   = regexp.MustCompile(`'shape':\s*\(([0-9L, ]*)\)`)
)

// parse understands the literal.
func (a *npyArray) parse(header []byte) error {
	descr, fortran, shape := npyDescr.FindSubmatch(header), npyFortran.FindSubmatch(header),
		npyShape.FindSubmatch(header)
	if descr == nil || fortran == nil || shape == nil {
		return a.errorf("found the header %s, expected one kind of number, fortran_order and shape",
			input.Quote(bytes.TrimSpace(header)))
	}
	a.fortran = string(fortran[1]) == "True"
	a.big = string(descr[1]) == ">"
	a.kind = descr[2][0]
	a.size, _ = strconv.Atoi(string(descr[3]))
	if a.kind == '?' {
		a.kind, a.size = 'b', 1
	}
	if !a.known() {
		return a.errorf("its values are of the type %s, expected whole numbers, real numbers (f4, f8) or truth values",
			bytes.Join(descr[1:4], nil))
	}
	if a.kind == 'U' {
		a.size *= 4 // characters of four bytes
	}
	for _, f := range strings.FieldsFunc(string(shape[1]), func(r rune) bool {
		return r == ',' || r == ' ' ||
			r == 'L'
	}) {
		d, err := strconv.ParseUint(f, 10, 63)
		if err != nil {
			return a.errorf("its shape is (%s)", shape[1])
		}
		a.dims = append(a.dims, d)
	}
	return nil
}

// known tells whether values of this kind and size are read.
func (a *npyArray) known() bool {
	if a.kind == 'S' || a.kind == 'U' {
		return a.size <= 64
	}
	sizes := map[byte][]int{'b': {1}, 'i': {1, 2, 4, 8}, 'u': {1, 2, 4, 8}, 'f': {4, 8}}
	return slices.Contains(sizes[a.kind], a.size)
}

// block returns the next values with the least significant byte first, at least one and at most as many as asked for,
// valid until the following call. Asking for more than are left is a truncated matrix.
func (a *npyArray) block(most uint64) ([]byte, error) {
	if a.left == 0 {
		return nil, a.readError(io.EOF)
	}
	if a.end-a.begin < a.size {
		want := min(uint64(len(a.buf)), a.left*uint64(a.size))
		n, err := io.ReadFull(a.r, a.buf[:want])
		if err != nil {
			return nil, a.readError(err)
		}
		if a.begin, a.end = 0, n; a.big && a.isNumber() {
			for value := range slices.Chunk(a.buf[:n], a.size) {
				slices.Reverse(value)
			}
		}
	}
	n := min(most, uint64((a.end-a.begin)/a.size))
	b := a.buf[a.begin : a.begin+int(n)*a.size]
	a.begin += len(b)
	a.left -= n
	return b, nil
}

// each calls f with each of the next n values.
func (a *npyArray) each(n uint64, f func(value []byte) error) error {
	for n > 0 {
		b, err := a.block(n)
		if err != nil {
			return err
		}
		n -= uint64(len(b) / a.size)
		for ; len(b) > 0; b = b[a.size:] {
			if err := f(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// drain reads what is left, to see that all of it is sound.
func (a *npyArray) drain() error {
	_, err := io.Copy(io.Discard, a.r)
	return a.readError(err)
}

// isNumber tells whether the values can be counts.
func (a *npyArray) isNumber() bool { return a.isWhole() || a.kind == 'f' }

// isWhole tells whether the values are whole numbers.
func (a *npyArray) isWhole() bool { return a.kind == 'i' || a.kind == 'u' || a.kind == 'b' }
