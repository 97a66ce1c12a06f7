package counts

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/flate"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// npz reads a sparse matrix that scipy.sparse.save_npz wrote: an archive of arrays, compressed or not, whose format
// is csr, csc or coo. Rows of a csr matrix and columns of a csc matrix, its lines, are streamed when they are the
// documents; else the entries are sorted.
type npz struct {
	path string
	raw  io.ReaderAt
	size int64 // of raw
	zip  *zip.Reader
	open []io.Closer // the file, then arrays

	form string // csr, csc or coo
	cells
	arrays []*npyArray // those with the entries
	line   npzLines    // of csr and csc
}

// OpenNPZ opens a sparse matrix that scipy saved.
func OpenNPZ(path string, in *input.Scanner, o *Options) (Reader, error) {
	if path == "-" {
		return nil, (&input.Error{
			File: input.DisplayName(path),
			Msg:  "an archive of arrays cannot be read from a stream, because its list of files is at the end",
		}).WithHint("save it to a file first")
	}
	raw, size, err := in.Whole(path)
	if err != nil {
		return nil, err
	}
	return NewNPZ(path, raw, size, o)
}

// NewNPZ reads an archive of the given size. It closes raw if that can be closed.
func NewNPZ(path string, raw io.ReaderAt, size int64, o *Options) (Reader, error) {
	n := &npz{path: path, cells: cells{o: o}, raw: raw, size: size}
	if c, ok := raw.(io.Closer); ok {
		n.open = append(n.open, c)
	}
	if err := n.begin(); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

func (n *npz) errorf(format string, args ...any) *input.Error {
	return &input.Error{File: n.path, Msg: fmt.Sprintf(format, args...)}
}

// damaged returns the error of an archive that scipy did not write so.
func (n *npz) damaged(format string, args ...any) *input.Error {
	return n.errorf(format, args...).WithHint("write the matrix again with scipy.sparse.save_npz")
}

func (n *npz) begin() (err error) {
	if n.zip, err = zip.NewReader(countingAt{n.raw, n.o.Read}, n.size); err != nil {
		return n.errorf("this is not a valid archive of arrays (%v)",
			err).WithHint("copy it, or write it with scipy.sparse.save_npz, again")
	}
	n.zip.RegisterDecompressor(zip.Deflate, readAheadFlate)
	if err := n.readShape(); err != nil {
		return err
	}
	vocabName, err := n.readNames(n.path, n.o)
	if err != nil {
		return err
	}
	if err := n.orient(n.path, vocabName, n.o); err != nil {
		return err
	}
	return n.openEntries()
}

// readShape reads the two small arrays that say how to read the others.
func (n *npz) readShape() error {
	a, err := n.array("format")
	if err != nil {
		return err
	}
	if n.form, err = a.text(); err != nil {
		return err
	}
	if !slices.Contains([]string{"csr", "csc", "coo"}, n.form) {
		return n.errorf("the matrix has the format %q, expected csr, csc or coo",
			n.form).WithHint("save it as matrix.tocsr()")
	}
	if a, err = n.array("shape"); err != nil {
		return err
	}
	dims, err := a.wholes()
	if err != nil {
		return err
	}
	if len(dims) != 2 || min(dims[0], dims[1]) < 0 || max(dims[0], dims[1]) > math.MaxUint32 {
		return n.errorf("the shape of the matrix is %v, expected two numbers from 0 to %d", dims,
			uint32(math.MaxUint32)).WithHint("save a matrix of documents and words")
	}
	n.rows, n.cols = uint64(dims[0]), uint64(dims[1])
	return nil
}

// openEntries opens the arrays with the entries and compares their lengths.
func (n *npz) openEntries() error {
	names := []string{"indices", "data", "indptr"}
	if n.form == "coo" {
		names = []string{"row", "data", "col"}
	}
	for i, name := range names {
		a, err := n.array(name)
		if err != nil {
			return err
		}
		if len(a.dims) != 1 || i != 1 && !a.isWhole() || !a.isNumber() {
			return a.errorf("expected one row of numbers")
		}
		n.arrays = append(n.arrays, a)
	}
	first, data, last := n.arrays[0], n.arrays[1], n.arrays[2]
	if first.left != data.left || n.form == "coo" && last.left != data.left {
		return n.damaged("%s.npy has %d values and data.npy %d", names[0], first.left, data.left)
	}
	if n.form == "coo" {
		return nil
	}
	n.line = npzLines{
		from: n, pointers: last, indices: first, data: data, number: n.rows, width: n.cols, what: "row",
		across: "column",
	}
	if n.form == "csc" {
		n.line.number, n.line.width, n.line.what, n.line.across = n.cols, n.rows, "column", "row"
	}
	if last.left != n.line.number+1 {
		return n.damaged("indptr.npy has %s, expected %d, one more than the matrix has %ss",
			input.Plural(last.left, "value"), n.line.number+1, n.line.what)
	}
	return n.line.begin()
}

// array opens one of the arrays.
func (n *npz) array(name string) (*npyArray, error) {
	i := slices.IndexFunc(n.zip.File, func(f *zip.File) bool { return f.Name == name+".npy" })
	if i < 0 {
		var found []string
		for _, f := range n.zip.File[:min(10, len(n.zip.File))] {
			found = append(found, strings.TrimSuffix(f.Name, ".npy"))
		}
		return nil, n.errorf("the archive holds no array %q, but %s, so it is not a sparse matrix of SciPy", name,
			input.QuoteList(found)).WithHint("write a sparse matrix with scipy.sparse.save_npz, or a dense one with numpy.save")
	}
	r, err := n.zip.File[i].Open()
	if err != nil {
		return nil, n.damaged("cannot read %s.npy (%v)", name, err)
	}
	n.open = append(n.open, r)
	return openArray(n.path+": "+name+".npy", r)
}

func (n *npz) Close() error {
	err := n.sorted.close()
	for _, c := range slices.Backward(n.open) {
		err = errors.Join(err, c.Close())
	}
	n.closeNames()
	return err
}

func (n *npz) Next(doc *Document) error {
	stream := func(doc *Document) (err error) {
		doc.Words, doc.Counts, err = n.line.next()
		return err
	}
	if together := n.form == "csr" && !n.docsCols || n.form == "csc" && n.docsCols; !together {
		stream = nil
	}
	return n.next(doc, stream, n.read, n.drain)
}

// drain sees that what scipy would ignore is sound too: the checksum of an array stands behind it.
func (n *npz) drain() error {
	for _, a := range n.arrays {
		if err := a.drain(); err != nil {
			return err
		}
	}
	return nil
}

// read hands all entries to add.
func (n *npz) read(add func(entry) error) error {
	if n.form == "coo" {
		return n.readCOO(add)
	}
	for i := uint64(0); i < n.line.number; i++ {
		across, counts, err := n.line.next()
		if err != nil {
			return err
		}
		for j, c := range counts {
			// The documents lie across the lines, or they would be streamed.
			if err := add(entry{across[j], uint32(i), c}); err != nil {
				return err
			}
		}
	}
	return n.drain()
}

// countingAt counts what is read of a file.
type countingAt struct {
	r io.ReaderAt
	n *atomic.Int64 // nil: nobody asks
}

func (c countingAt) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(p, off)
	if c.n != nil {
		c.n.Add(int64(n))
	}
	return n, err
}

// readAheadFlate inflates in a goroutine of its own.
func readAheadFlate(r io.Reader) io.ReadCloser {
	z := flate.NewReader(r)
	return input.NewReadAhead(z, z.Close)
}
