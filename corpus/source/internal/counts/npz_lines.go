package counts

import (
	"fmt"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// npzLines reads the compressed lines of a sparse matrix: the rows of csr, the columns of csc. Line i has the entries
// from pointers[i] to pointers[i+1] of indices and data.
type npzLines struct {
	from          *npz
	pointers      *npyArray
	indices, data *npyArray
	number        uint64 // of lines
	width         uint64 // all indices are below it
	what, across  string // "row" and "column", or the other way round

	line uint64 // the next one
	at   int64  // its pointer
	bag  Bag
}

// begin reads the first pointer.
func (l *npzLines) begin() error {
	b, err := l.pointers.block(1)
	if err != nil {
		return err
	}
	if l.at = l.pointers.whole(b); l.at != 0 {
		return l.from.damaged("indptr.npy begins with %d, expected 0", l.at)
	}
	return nil
}

// next returns the entries of the next line, valid until the following call.
func (l *npzLines) next() (across, counts []uint32, err error) {
	b, err := l.pointers.block(1)
	if err != nil {
		return nil, nil, err
	}
	end := l.pointers.whole(b)
	n := uint64(end) - uint64(l.at)
	if end < l.at || n > l.data.left {
		return nil, nil, l.from.damaged("%s %d (from 0) has the entries from %d to %d of %d", l.what, l.line, l.at, end,
			uint64(l.at)+l.data.left)
	}
	if err := input.CheckLine(n, l.from.size); err != nil {
		err.File = l.from.path
		err.Msg = fmt.Sprintf("%s %d (from 0): %s", l.what, l.line, err.Msg)
		return nil, nil, err
	}
	l.bag.Reset()
	if err := l.readIndices(n); err != nil {
		return nil, nil, err
	}
	if err := l.readCounts(n); err != nil {
		return nil, nil, err
	}
	l.at = end
	l.line++
	return l.bag.Words, l.bag.Counts, nil
}

func (l *npzLines) readIndices(n uint64) error {
	return l.indices.each(n, func(b []byte) error {
		v := uint64(l.indices.whole(b))
		if v >= l.width {
			return l.from.damaged("%s %d (from 0) has an entry in %s %d, but the matrix has %s", l.what, l.line,
				l.across, int64(v), input.Plural(l.width, l.across))
		}
		l.bag.Words = append(l.bag.Words, uint32(v))
		return nil
	})
}

// readCounts adds the counts and takes out entries without any.
func (l *npzLines) readCounts(n uint64) error {
	kept, seen := 0, 0
	err := l.data.each(n, func(b []byte) error {
		c, fault := l.data.count(b, l.from.o.Round)
		if fault != nil {
			fault.File = l.from.path
			fault.Msg = fmt.Sprintf("%s %d, %s %d (from 0): %s", l.what, l.line, l.across, l.bag.Words[seen], fault.Msg)
			return fault
		}
		if c > 0 {
			l.bag.Words[kept] = l.bag.Words[seen]
			l.bag.Counts = append(l.bag.Counts, c)
			kept++
		}
		seen++
		return nil
	})
	l.bag.Words = l.bag.Words[:kept]
	return err
}

// readCOO hands the entries of three lists to add.
func (n *npz) readCOO(add func(entry) error) error {
	rows, data, cols := n.arrays[0], n.arrays[1], n.arrays[2]
	for data.left > 0 {
		var of [3][]byte
		for i, a := range []*npyArray{rows, cols, data} {
			var err error
			if of[i], err = a.block(1); err != nil {
				return err
			}
		}
		r, c := uint64(rows.whole(of[0])), uint64(cols.whole(of[1]))
		if r >= n.rows || c >= n.cols {
			return n.damaged("found an entry in row %d, column %d (from 0), but the matrix has %s and %s", int64(r),
				int64(c), input.Plural(n.rows, "row"), input.Plural(n.cols, "column"))
		}
		v, fault := data.count(of[2], n.o.Round)
		if fault != nil {
			fault.File = n.path
			fault.Msg = fmt.Sprintf("row %d, column %d (from 0): %s", r, c, fault.Msg)
			return fault
		}
		e := entry{uint32(r), uint32(c), v}
		if n.docsCols {
			e.doc, e.word = e.word, e.doc
		}
		if v == 0 {
			continue
		}
		if err := add(e); err != nil {
			return err
		}
	}
	return n.drain()
}
