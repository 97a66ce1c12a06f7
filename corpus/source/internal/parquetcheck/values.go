package parquetcheck

import (
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/topoi-lda/topoi/column"
)

// Order returns by which kind the statistics of a type order its values.
func Order(t parquet.Type) column.Kind {
	kind := map[parquet.Kind]column.Kind{
		parquet.ByteArray: column.Text, parquet.Int32: column.Number, parquet.Int64: column.Number,
		parquet.Float: column.Number, parquet.Double: column.Number,
	}[t.Kind()]
	l := t.LogicalType()
	if old := t.ConvertedType(); l == nil && old != nil && *old != deprecated.UTF8 {
		return ""
	}
	if l != nil {
		switch l := l.Value.(type) {
		case *format.DateType, *format.TimestampType:
			return column.Date
		case *format.IntType:
			if !l.IsSigned {
				return ""
			}
		case *format.StringType, *format.EnumType:
		default:
			return ""
		}
	}
	return kind
}

// Shower returns how values of a type are written as text: dates and times in
// the form of RFC 3339, numbers in decimal, strings as they are.
func Shower(t parquet.Type) func(to []byte, v parquet.Value) []byte {
	if l := t.LogicalType(); l != nil {
		switch l := l.Value.(type) {
		case *format.DateType:
			return func(to []byte, v parquet.Value) []byte {
				return time.Unix(int64(v.Int32())*24*60*60, 0).UTC().AppendFormat(to, time.DateOnly)
			}
		case *format.TimestampType:
			return func(to []byte, v parquet.Value) []byte {
				return instant(l.Unit, v.Int64()).AppendFormat(to, time.RFC3339Nano)
			}
		}
	}
	switch t.Kind() {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return func(to []byte, v parquet.Value) []byte { return append(to, v.ByteArray()...) }
	case parquet.Int32:
		return func(to []byte, v parquet.Value) []byte { return strconv.AppendInt(to, int64(v.Int32()), 10) }
	case parquet.Int64:
		return func(to []byte, v parquet.Value) []byte { return strconv.AppendInt(to, v.Int64(), 10) }
	}
	return func(to []byte, v parquet.Value) []byte { return append(to, v.String()...) }
}

func instant(unit format.TimeUnit, v int64) time.Time {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return time.UnixMilli(v).UTC()
	case *format.MicroSeconds:
		return time.UnixMicro(v).UTC()
	}
	return time.Unix(0, v).UTC()
}
