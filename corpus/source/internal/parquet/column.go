package parquet

import (
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/corpus/source/internal/parquetcheck"
	"github.com/topoi-lda/topoi/internal/columns"
)

// leaf reads a leaf column of a file row by row.
type leaf struct {
	file     *file
	index    int // of the leaf in the file
	kind     parquet.Kind
	repeated bool
	rep, def int // largest levels
	show     func(to []byte, v parquet.Value) []byte
	ordered  column.Kind // how statistics order values; empty: in a way of their own

	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buf    [256]parquet.Value
	at, n  int // buf[at:n] is not yet consumed

	data []byte // characters of the current row, all values of a list together
	ends []int  // ends of the values in data; nulls are left out
}

func newLeaf(f *file, c *parquet.Column) *leaf {
	return &leaf{
		file:     f,
		index:    c.Index(),
		kind:     c.Type().Kind(),
		repeated: c.MaxRepetitionLevel() > 0,
		rep:      c.MaxRepetitionLevel(),
		def:      c.MaxDefinitionLevel(),
		show:     parquetcheck.Shower(c.Type()),
		ordered:  parquetcheck.Order(c.Type()),
	}
}

func (c *leaf) Index() int   { return c.index }
func (c *leaf) Kind() string { return c.kind.String() }
func (c *leaf) IsList() bool { return c.repeated }

func (c *leaf) IsText() bool {
	return c.kind == parquet.ByteArray || c.kind == parquet.FixedLenByteArray
}

func (c *leaf) Values() (data []byte, ends []int) { return c.data, c.ends }

func (c *leaf) Joined() []byte {
	if !c.repeated {
		return c.data
	}
	var text []byte
	begin := 0
	for i, end := range c.ends {
		if i > 0 {
			text = append(text, '|')
		}
		text = append(text, c.data[begin:end]...)
		begin = end
	}
	return text
}

// Bounds returns what the smallest and the largest value of a group tell. Those of unsigned numbers, decimals and the
// like have an order of their own and tell nothing.
func (c *leaf) Bounds(group int) (r columns.Range, known bool) {
	m := &c.file.file.Metadata().RowGroups[group].Columns[c.index].MetaData.Statistics
	least, most := m.MinValue, m.MaxValue
	if c.repeated || c.ordered == "" || len(least) == 0 && len(most) == 0 {
		return r, false
	}
	low, high := string(c.show(nil, c.kind.Value(least))), string(c.show(nil, c.kind.Value(most)))
	r = columns.Range{Low: low, High: high, Present: true, Kind: c.ordered}
	if low == high {
		r = columns.Value(low, false)
	}
	r.Missing = r.Missing || c.def > 0 || c.ordered == column.Text || c.kind == parquet.Float ||
		c.kind == parquet.Double
	return r, true
}

// Begin moves to the column's part in a group.
func (c *leaf) Begin(group int) error {
	if err := c.check(group); err != nil {
		return err
	}
	c.Close()
	c.pages = c.file.groups[group].ColumnChunks()[c.index].Pages()
	return nil
}

// check looks at the pages of the column in a group before the library does.
func (c *leaf) check(group int) error {
	m := &c.file.file.Metadata().RowGroups[group].Columns[c.index].MetaData
	at := m.DataPageOffset
	if m.DictionaryPageOffset != 0 {
		at = m.DictionaryPageOffset
	}
	return parquetcheck.Pages(c.file.raw, c.file.size, parquetcheck.Chunk{
		Offset: at, Size: m.TotalCompressedSize, Codec: m.Codec, MaxRep: c.rep, MaxDef: c.def,
	})
}

// Next reads one row into data and ends: the value that begins it, and in a
// list the following ones whose repetition level says that they belong to it.
func (c *leaf) Next() error {
	c.data, c.ends = c.data[:0], c.ends[:0]
	for first := true; ; first = false {
		if c.at == c.n {
			if err := c.fetch(); err == io.EOF && !first {
				return nil
			} else if err == io.EOF {
				return io.ErrUnexpectedEOF
			} else if err != nil {
				return err
			}
		}
		v := c.buf[c.at]
		if !first && v.RepetitionLevel() == 0 {
			return nil
		}
		c.at++
		if !v.IsNull() {
			before := len(c.data)
			c.data = c.show(c.data, v)
			c.ends = append(c.ends, len(c.data))
			if err := c.file.out.Give(len(c.data) - before); err != nil {
				return errors.New(err.Msg)
			}
		}
		if !c.repeated {
			return nil
		}
	}
}

// fetch fills buf with the next values of the column chunk.
func (c *leaf) fetch() error {
	c.at, c.n = 0, 0
	for {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err != nil {
				return err
			}
			c.page, c.values = page, page.Values()
		}
		n, err := c.values.ReadValues(c.buf[:])
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF {
			c.values = nil
		}
		if n > 0 {
			c.n = n
			return nil
		}
		if err == io.EOF {
			parquet.Release(c.page)
			c.page = nil
		}
	}
}

// Close ends the current group.
func (c *leaf) Close() {
	c.at, c.n, c.page, c.values = 0, 0, nil, nil
	if c.pages != nil {
		c.pages.Close()
		c.pages = nil
	}
}
