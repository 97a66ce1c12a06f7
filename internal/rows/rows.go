// Package rows writes tables whose rows are structs. The parquet tags of the fields name the columns in every format.
package rows

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/internal/linked"
)

// Parquet writes rows, which are structs of one type, as Parquet. It is what package parquetrows registers.
var Parquet linked.Part[func(w io.Writer, kind reflect.Type, rows iter.Seq[any]) error]

// Formats lists the formats in which analyses are written: those of Write, and svg, which each draws itself.
func Formats() []string { return []string{"csv", "json", "parquet", "svg"} }

// Write writes a table as csv, json (an array of objects) or parquet.
func Write[T any](w io.Writer, format string, rows iter.Seq[T]) error {
	switch format {
	case "csv":
		return writeCSV(w, rows)
	case "json":
		return Encode(w, slices.AppendSeq([]T{}, rows))
	case "parquet":
		return writeParquet(w, rows)
	}
	return fmt.Errorf("unknown format %q of a table: it is csv, json or parquet", format)
}

// Encode writes JSON as all tables have it.
func Encode(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// Finite returns the value of a cell, nil for a number that is none.
func Finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Name returns the name of a topic, nil if it has none. The function may be nil.
func Name(name func(topic int) string, topic int) *string {
	if name == nil || name(topic) == "" {
		return nil
	}
	s := name(topic)
	return &s
}

func writeParquet[T any](w io.Writer, rows iter.Seq[T]) error {
	write, ok := Parquet.Get()
	if !ok {
		return errors.New("this program was built without the writer of Parquet: add " + linked.Import)
	}
	return write(w, reflect.TypeFor[T](), func(yield func(any) bool) {
		for row := range rows {
			if !yield(row) {
				return
			}
		}
	})
}

func writeCSV[T any](w io.Writer, rows iter.Seq[T]) error {
	c := csv.NewWriter(w)
	kind := reflect.TypeFor[T]()
	record := make([]string, kind.NumField())
	for i := range record {
		record[i], _, _ = strings.Cut(kind.Field(i).Tag.Get("parquet"), ",")
	}
	_ = c.Write(record) // Error tells of any of the writes
	for row := range rows {
		v := reflect.ValueOf(row)
		for i := range record {
			record[i] = cell(v.Field(i))
		}
		_ = c.Write(record)
	}
	c.Flush()
	return c.Error()
}

// cell writes a field: numbers in full, nothing for a nil pointer.
func cell(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if v.CanFloat() {
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	return fmt.Sprint(v.Interface())
}
