package workbook

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// next reads the next row that is not blank.
func (r *Rows) next() ([][]byte, error) {
	c := &r.cells
	for {
		t, err := r.w.body.next()
		if err == io.EOF {
			return nil, fmt.Errorf("%s ends in the middle", r.w.body.name)
		}
		if err != nil {
			return nil, err
		}
		switch e := t.(type) {
		case xml.StartElement:
			if e.Name.Local == "row" {
				err = r.beginRow(attribute(e, "r"))
			} else {
				err = c.begin(e)
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "worksheet", "sheetData":
				return nil, io.EOF
			case "c":
				err = r.endCell()
			case "row":
				if fields := c.row(); len(fields) > 0 {
					return fields, nil
				}
			}
			c.inside = false
		case xml.CharData:
			if c.inside {
				c.value = append(c.value, e...)
			}
			if len(c.value) > MaxText {
				err = fmt.Errorf("a cell of row %d is longer than %d bytes", r.row, MaxText)
			}
		}
		if err == nil {
			err = c.text.take(t)
		}
		if err != nil {
			return nil, err
		}
	}
}

// beginRow forgets the cells of the row before.
func (r *Rows) beginRow(number string) error {
	r.row++
	if number != "" {
		n, err := strconv.Atoi(number)
		if err != nil {
			return fmt.Errorf("row number %q", number)
		}
		r.row = n
	}
	if r.row < 1 || r.row > maxRows {
		return fmt.Errorf("row %d is beyond the %d that a sheet has", r.row, maxRows)
	}
	c := &r.cells
	clear(c.spans[:c.width])
	c.bytes, c.width, c.column = c.bytes[:0], 0, -1
	return nil
}

// begin enters an element of a row.
func (c *cells) begin(e xml.StartElement) error {
	switch e.Name.Local {
	case "c":
		c.column++
		if ref := attribute(e, "r"); ref != "" {
			c.column = columnIndex(ref)
		}
		if c.column < 0 || c.column >= maxColumns {
			return errors.New("a cell lies beyond the columns that a sheet has")
		}
		c.kind, c.style = attribute(e, "t"), -1
		if n, err := strconv.Atoi(attribute(e, "s")); err == nil {
			c.style = n
		}
		c.value, c.text.bytes = c.value[:0], c.text.bytes[:0]
	case "v":
		c.inside = true
	}
	return nil
}

// endCell stores the value of the cell.
func (r *Rows) endCell() error {
	c := &r.cells
	value, err := r.value()
	if err != nil || len(value) == 0 || c.column < 0 {
		return err
	}
	if e := r.w.text.Give(len(value)); e != nil {
		return errors.New(e.Msg)
	}
	begin := len(c.bytes)
	if c.bytes = append(c.bytes, value...); len(c.bytes) > maxRow {
		return fmt.Errorf("row %d is longer than %d bytes", r.row, maxRow)
	}
	c.spans[c.column] = struct{ begin, end int }{begin, len(c.bytes)}
	c.width = max(c.width, c.column+1)
	return nil
}

// value returns the characters of the current cell, none for an error such as
// #N/A.
func (r *Rows) value() ([]byte, error) {
	c := &r.cells
	switch c.kind {
	case "s":
		i, err := strconv.Atoi(string(c.value))
		if err != nil || i < 0 || i >= len(r.w.shared.ends) {
			return nil, fmt.Errorf("a cell of row %d refers to text %q, which is not there", r.row, c.value)
		}
		return r.w.shared.at(i)
	case "inlineStr":
		return unescapeCell(c.text.bytes), nil
	case "str":
		return unescapeCell(c.value), nil
	case "b":
		if string(c.value) == "1" {
			return []byte("TRUE"), nil
		}
		return []byte("FALSE"), nil
	case "e":
		return nil, nil
	case "d":
		return c.value, nil
	}
	date := c.style >= 0 && c.style < len(r.w.dates) && r.w.dates[c.style]
	return number(c.value, date, r.w.from1904), nil
}

// number writes a number as people would, a date in the form of ISO 8601.
func number(value []byte, date, from1904 bool) []byte {
	x, err := strconv.ParseFloat(string(value), 64)
	switch {
	case err != nil || math.IsNaN(x) || math.Abs(x) >= 1e21:
		return value
	case date:
		if d := isoDate(x, from1904); d != nil {
			return d
		}
	}
	return strconv.AppendFloat(nil, x, 'f', -1, 64)
}

// row returns the fields of the row.
func (c *cells) row() [][]byte {
	c.fields = c.fields[:0]
	for _, s := range c.spans[:c.width] {
		c.fields = append(c.fields, c.bytes[s.begin:s.end:s.end])
	}
	return c.fields
}

// columnIndex returns the column, from 0, of a reference such as AB12, or -1.
func columnIndex(ref string) int {
	n := 0
	for _, r := range ref {
		switch {
		case r >= 'A' && r <= 'Z':
			n = 26*n + int(r-'A') + 1
		case r >= 'a' && r <= 'z':
			n = 26*n + int(r-'a') + 1
		default:
			return n - 1
		}
		if n > maxColumns {
			break
		}
	}
	return n - 1
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
