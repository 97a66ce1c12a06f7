package source

import (
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"
	pqformat "github.com/parquet-go/parquet-go/format"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/parquetcheck"
)

// parquetColumn reads a leaf column of a Parquet file row by row.
type parquetColumn struct {
	index    int // of the leaf in the file
	kind     parquet.Kind
	repeated bool
	rep, def int // largest levels
	show     func(to []byte, v parquet.Value) []byte
	ordered  column.Kind      // how statistics order values; empty: in a way of their own
	out      *input.Expansion // what came out of the file: few bytes can repeat a value without end

	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buf    [256]parquet.Value
	at, n  int // buf[at:n] is not yet consumed

	data []byte // characters of the current row, all values of a list together
	ends []int  // ends of the values in data; nulls are left out
}

func newParquetColumn(c *parquet.Column) *parquetColumn {
	return &parquetColumn{
		index:    c.Index(),
		kind:     c.Type().Kind(),
		repeated: c.MaxRepetitionLevel() > 0,
		rep:      c.MaxRepetitionLevel(),
		def:      c.MaxDefinitionLevel(),
		show:     parquetcheck.Shower(c.Type()),
		ordered:  parquetcheck.Order(c.Type()),
	}
}

// joined returns the value of the current row, items of lists joined by |.
func (c *parquetColumn) joined() []byte {
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

// isText tells whether values are strings.
func (c *parquetColumn) isText() bool {
	return c.kind == parquet.ByteArray || c.kind == parquet.FixedLenByteArray
}

// check looks at the pages of the column in a row group before the library does.
func (c *parquetColumn) check(r io.ReaderAt, size int64, m *pqformat.ColumnMetaData) error {
	at := m.DataPageOffset
	if m.DictionaryPageOffset != 0 {
		at = m.DictionaryPageOffset
	}
	return parquetcheck.Pages(r, size, parquetcheck.Chunk{
		Offset: at, Size: m.TotalCompressedSize, Codec: m.Codec, MaxRep: c.rep, MaxDef: c.def,
	})
}

// begin moves to the column's part in the next row group.
func (c *parquetColumn) begin(chunk parquet.ColumnChunk) {
	c.close()
	c.pages = chunk.Pages()
}

// next reads one row into data and ends: the value that begins it, and in a
// list the following ones whose repetition level says that they belong to it.
func (c *parquetColumn) next() error {
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
			if err := c.out.Give(len(c.data) - before); err != nil {
				return errors.New(err.Msg)
			}
		}
		if !c.repeated {
			return nil
		}
	}
}

// fetch fills buf with the next values of the column chunk.
func (c *parquetColumn) fetch() error {
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

// close ends the current row group.
func (c *parquetColumn) close() {
	c.at, c.n, c.page, c.values = 0, 0, nil, nil
	if c.pages != nil {
		c.pages.Close()
		c.pages = nil
	}
}
