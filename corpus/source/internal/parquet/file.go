// Package parquet reads the columns of Parquet files. It registers itself with package columnar.
package parquet

import (
	"fmt"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/topoi-lda/topoi/corpus/source/internal/columnar"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/parquetcheck"
	"github.com/topoi-lda/topoi/internal/human"
)

func init() { columnar.Parquet.Register(open) }

// file is a Parquet file that is open.
type file struct {
	name   string
	raw    input.Stored
	size   int64
	file   *parquet.File
	groups []parquet.RowGroup
	out    input.Expansion // what came out of the file: few bytes can repeat a value without end
}

func open(name string, raw input.Stored, size int64) (columnar.File, error) {
	f := &file{name: name, raw: raw, size: size}
	f.out.Store(int(size))
	if err := parquetcheck.Footer(raw, size); err != nil {
		return nil, err
	}
	var err error
	f.file, err = parquet.OpenFile(raw, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	f.groups = f.file.RowGroups()
	return f, nil
}

func (f *file) Groups() int          { return len(f.groups) }
func (f *file) Rows(group int) int64 { return f.groups[group].NumRows() }

func (f *file) Names() []string {
	var names []string
	for _, c := range f.file.Root().Columns() {
		names = append(names, c.Name())
	}
	return names
}

// Column finds a leaf of the schema by its dotted name; groups with a single
// member, such as the layers of a list, are stepped through.
func (f *file) Column(name string) (columnar.Column, error) {
	c := f.file.Root().Column(name)
	if c == nil {
		c = f.file.Root()
		for _, part := range strings.Split(name, ".") {
			if c = c.Column(part); c == nil {
				return nil, &input.Error{File: f.name, Msg: fmt.Sprintf("no column is called %q%s", name,
					human.Hint(name, f.Names()))}
			}
		}
	}
	for !c.Leaf() && len(c.Columns()) == 1 {
		c = c.Columns()[0]
	}
	if !c.Leaf() {
		return nil, (&input.Error{File: f.name, Msg: fmt.Sprintf("the column %q is a group of several columns",
			name)}).WithHint("name one of them with a dot: %s.%s", name, c.Columns()[0].Name())
	}
	if c.MaxRepetitionLevel() > 1 {
		return nil, (&input.Error{File: f.name, Msg: fmt.Sprintf("the column %q is a list of lists",
			name)}).WithHint("flatten it")
	}
	return newLeaf(f, c), nil
}
