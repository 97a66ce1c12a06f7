package counts

import (
	"fmt"
	"io"
	"math"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// npy reads a dense matrix of counts that numpy.save wrote. Its lines, rows or
// in Fortran order columns, are streamed when they are the documents; else the
// entries are sorted.
type npy struct {
	in   *input.Scanner
	o    *Options
	data *npyArray
	shape
	sorted sorted
	bag    Bag
	doc    uint64 // documents handed out
}

// OpenNPY opens a dense matrix that numpy saved.
func OpenNPY(path string, in *input.Scanner, o *Options) (Reader, error) {
	n := &npy{in: in, o: o}
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
		return (&input.Error{File: n.in.Name, Msg: fmt.Sprintf("the array has the shape %d, expected two numbers up to %d", dims, uint32(math.MaxUint32))}).WithHint("save a matrix of documents and words")
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
	if n.doc == n.numDocs() {
		return n.finish()
	}
	var err error
	switch {
	case n.data.fortran == n.docsCols:
		n.bag.Reset()
		err = n.line(n.doc, func(word uint64, c uint32) error {
			n.bag.Add(uint32(word), c)
			return n.check(len(n.bag.Words))
		})
		doc.Words, doc.Counts = n.bag.Words, n.bag.Counts
	default:
		if err = n.sorted.fill(n.o.TempDir, n.read); err == nil {
			err = n.sorted.document(n.doc, doc)
		}
	}
	if err != nil {
		return err
	}
	n.doc++
	return n.name(doc)
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
		return n.data.errorf("the file goes on behind its %d values", n.rows*n.cols)
	case err != io.EOF:
		return n.data.readError(err)
	}
	return n.end()
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
	width, size := n.data.dims[1], n.data.size
	if n.data.fortran {
		width = n.data.dims[0]
	}
	for at := uint64(0); at < width; {
		b, err := n.data.block(width - at)
		if err != nil {
			return err
		}
		for ; len(b) > 0; b = b[size:] {
			c, fault := n.data.count(b, n.o.Round)
			if fault != nil {
				return n.place(fault, number, at)
			}
			if err := f(at, c); err != nil {
				return err
			}
			at++
		}
	}
	return nil
}

// place says where a value is that is no count.
func (n *npy) place(fault *input.Error, line, at uint64) error {
	if n.data.fortran {
		line, at = at, line
	}
	fault.File = n.in.Name
	fault.Msg = fmt.Sprintf("row %d, column %d (from 0): %s", line, at, fault.Msg)
	return fault
}
