package workbook

import (
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// Rows yields the rows of the sheet.
type Rows struct {
	w     *Book
	cells cells
	row   int // number of the current row, from 1

	head  [][][]byte // the first rows, read ahead to look at them
	nums  []int      // their numbers
	ended bool       // the sheet has no row behind head
}

// readHead reads rows ahead, as many as are looked at in other tables.
func (r *Rows) readHead() error {
	for size := 0; len(r.head) < input.HeadRows && size < input.HeadSize; {
		fields, err := r.next()
		if err == io.EOF {
			r.ended = true
			return nil
		}
		if err != nil {
			return err
		}
		for _, f := range fields {
			size += len(f)
		}
		r.head = append(r.head, input.CloneFields(fields))
		r.nums = append(r.nums, r.row)
	}
	return nil
}

// Head yields the rows read ahead. The first is as wide as the widest of
// them: names may lack for columns that have none.
func (r *Rows) Head() iter.Seq[[][]byte] {
	for _, fields := range r.head {
		for len(r.head[0]) < len(fields) {
			r.head[0] = append(r.head[0], []byte{})
		}
	}
	return slices.Values(slices.Clone(r.head))
}

func (r *Rows) Record() ([][]byte, error) {
	if len(r.head) > 0 {
		fields := r.head[0]
		r.row = r.nums[0]
		r.head, r.nums = r.head[1:], r.nums[1:]
		return fields, nil
	}
	if r.ended {
		return nil, io.EOF
	}
	return r.next()
}

func (r *Rows) Errorf(format string, args ...any) *input.Error {
	return &input.Error{File: r.w.name, Line: r.row, Msg: fmt.Sprintf(format, args...)}
}

func (r *Rows) Check(_ int, field []byte) ([]byte, error) {
	return input.CheckText(field, &input.Scanner{Name: r.w.name, Line: r.row, Repair: r.w.o.Repair}, 0)
}
