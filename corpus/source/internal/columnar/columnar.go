// Package columnar is what package source asks of a file of columns, such as Parquet. Package parquet beside it reads
// such files; only programs that import corpus/source/all link it.
package columnar

import (
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/internal/columns"
	"github.com/topoi-lda/topoi/internal/linked"
)

// Parquet opens files of Parquet. It is what package parquet registers. Files may panic where they are damaged.
var Parquet linked.Part[Opener]

// Opener opens a file with so many bytes. In messages it has the name.
type Opener func(name string, raw input.Stored, size int64) (File, error)

// File is a file of columns. Its rows are in groups.
type File interface {
	Names() []string // of the outermost columns
	Groups() int
	Rows(group int) int64

	// Column returns the column that a dotted name means, to be read from its beginning.
	Column(name string) (Column, error)
}

// Column is a column that is read row by row.
type Column interface {
	Index() int   // in the file
	Kind() string // as messages call it
	IsText() bool
	IsList() bool

	// Bounds returns what the statistics of a group tell about its values.
	Bounds(group int) (r columns.Range, known bool)

	Begin(group int) error
	Next() error
	Close()

	// Values returns the characters of the current row, and where each item of a list ends in them. Without nulls.
	Values() (data []byte, ends []int)
	// Joined returns the value of the current row, items of lists joined by |.
	Joined() []byte
}
