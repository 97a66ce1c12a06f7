// Package parquetrows writes the tables of package rows as Parquet. It registers itself there.
package parquetrows

import (
	"io"
	"iter"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/internal/rows"
)

func init() { rows.Parquet.Register(write) }

// write writes rows, which are structs of one type.
func write(w io.Writer, kind reflect.Type, list iter.Seq[any]) error {
	schema := parquet.SchemaOf(reflect.New(kind).Interface())
	p := parquet.NewWriter(w, schema, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("topoi", "1", ""))
	for row := range list {
		if err := p.Write(row); err != nil {
			return err
		}
	}
	return p.Close()
}
