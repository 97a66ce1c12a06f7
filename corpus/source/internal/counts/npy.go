package counts

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// npy reads a dense matrix of counts that numpy.save wrote. Its lines, rows or in Fortran order columns, are streamed
// when they are the documents; else the entries are sorted.
type npy struct {
	in   *input.Scanner
	data *npyArray
	cells
	bag Bag
}

// OpenNPY opens a dense matrix that numpy saved.
func OpenNPY(path string, in *input.Scanner, o *Options) (Reader, error) {
	n := &npy{in: in, cells: cells{o: o}}
	if err := n.begin(path); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

func (n *npy) begin(path string) (err error) {
	if n.data, err = openArray(n.in.Name, n.in.Unread()); err != nil {
		return err
	}
	if dims := n.data.dims; len(dims) != 2 || max(dims[0], dims[1]) > math.MaxUint32 {
		return (&input.Error{
			File: n.in.Name,
			Msg: fmt.Sprintf("the array has the shape %d, expected two numbers up to %d", dims,
				uint32(math.MaxUint32)),
		}).WithHint("save a matrix of documents and words")
	}
	if !n.data.isNumber() {
		return n.data.errorf("expected an array of counts")
	}
	n.rows, n.cols = n.data.dims[0], n.data.dims[1]
	vocabName, err := n.readNames(path, n.o)
	if err != nil {
		return err
	}
	return n.orient(n.in.Name, vocabName, n.o)
}

func (n *npy) Close() error {
	n.closeNames()
	return n.sorted.close()
}

func (n *npy) Next(doc *Document) error {
	stream := n.stream
	if n.data.fortran != n.docsCols {
		stream = nil
	}
	return n.next(doc, stream, n.read, n.finish)
}

// stream reads a document that is a line of the file.
func (n *npy) stream(doc *Document) error {
	n.bag.Reset()
	err := n.line(n.doc, func(word uint64, c uint32) error {
		n.bag.Add(uint32(word), c)
		return n.check(len(n.bag.Words))
	})
	doc.Words, doc.Counts = n.bag.Words, n.bag.Counts
	return err
}

// check refuses a document that compressed data blows up.
func (n *npy) check(entries int) error {
	if n.in.Stored == nil || entries%(1<<20) != 0 {
		return nil
	}
	if err := input.CheckLine(uint64(entries), n.in.Stored()); err != nil {
		err.File = n.in.Name
		return err
	}
	return nil
}

// finish sees that nothing comes behind the matrix.
func (n *npy) finish() error {
	switch more, err := io.ReadFull(n.data.r, make([]byte, 1)); {
	case more > 0:
		return n.data.errorf("the file continues after its %d values", n.rows*n.cols)
	case err != io.EOF:
		return n.data.readError(err)
	}
	return nil
}

// read hands all entries to add; words are the lines.
func (n *npy) read(add func(entry) error) error {
	for word := range n.width() {
		err := n.line(word, func(doc uint64, c uint32) error {
			if c == 0 {
				return nil
			}
			return add(entry{uint32(doc), uint32(word), c})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// line calls f with every value of the next line of the file.
func (n *npy) line(number uint64, f func(at uint64, c uint32) error) error {
	width, at := n.data.dims[1], uint64(0)
	if n.data.fortran {
		width = n.data.dims[0]
	}
	return n.data.each(width, func(b []byte) error {
		c, fault := n.data.count(b, n.o.Round)
		if fault != nil {
			return n.place(fault, number, at)
		}
		at++
		return f(at-1, c)
	})
}

// place returns where a value is that is no count.
func (n *npy) place(fault *input.Error, line, at uint64) error {
	if n.data.fortran {
		line, at = at, line
	}
	fault.File = n.in.Name
	fault.Msg = fmt.Sprintf("row %d, column %d (from 0): %s", line, at, fault.Msg)
	return fault
}

// whole returns the first value of b, which must be a whole number. What is
// larger than an int64 becomes the largest one.
func (a *npyArray) whole(b []byte) int64 {
	var v uint64
	switch a.size {
	case 1:
		v = uint64(b[0])
	case 2:
		v = uint64(binary.LittleEndian.Uint16(b))
	case 4:
		v = uint64(binary.LittleEndian.Uint32(b))
	default:
		v = binary.LittleEndian.Uint64(b)
	}
	if a.kind == 'i' {
		unused := 64 - 8*a.size
		return int64(v<<unused) >> unused
	}
	return int64(min(v, math.MaxInt64))
}

// real returns the first value of b, which must be a real number.
func (a *npyArray) real(b []byte) float64 {
	if a.size == 4 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// count returns the first value of b as a number of occurrences.
func (a *npyArray) count(b []byte, round bool) (uint32, *input.Error) {
	if a.isWhole() {
		v := a.whole(b)
		if uint64(v) <= math.MaxUint32 {
			return uint32(v), nil
		}
		return wholeCount(float64(v), strconv.AppendInt(nil, v, 10), round)
	}
	v := a.real(b)
	if c := uint32(int64(v)); float64(c) == v { // a fast way for whole numbers
		return c, nil
	}
	return wholeCount(v, strconv.AppendFloat(nil, v, 'g', -1, 8*a.size), round)
}

// wholes reads a small array of whole numbers.
func (a *npyArray) wholes() ([]int64, error) {
	if !a.isWhole() || a.left > 1024 {
		return nil, a.errorf("expected a few whole numbers")
	}
	var list []int64
	err := a.each(a.left, func(b []byte) error {
		list = append(list, a.whole(b))
		return nil
	})
	return list, err
}

// text reads the only value, a short text.
func (a *npyArray) text() (string, error) {
	if a.isNumber() || a.left != 1 || a.size == 0 {
		return "", a.errorf("expected a text")
	}
	b, err := a.block(1)
	if err != nil {
		return "", err
	}
	return strings.ReplaceAll(string(b), "\x00", ""), nil // ASCII characters; others are not expected
}
