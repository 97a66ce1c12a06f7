package rows_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/internal/rows"
	_ "github.com/topoi-lda/topoi/internal/rows/parquetrows"
)

// line has a field of each kind that tables have.
type line struct {
	Topic int32    `parquet:"topic" json:"topic"`
	Name  *string  `parquet:"name,optional" json:"name"`
	Share float64  `parquet:"share" json:"share"`
	Error *float64 `parquet:"error,optional" json:"error"`
	First bool     `parquet:"first" json:"first"`
}

// lines returns a row in which everything is known and one in which little is.
func lines() []line {
	return []line{
		{Topic: 3, Name: new("sea & \"sun\", <air>"), Share: 0.1, Error: new(1e-9), First: true},
		{Topic: -1, Share: 1234567.75},
	}
}

// A table has the names of the columns, whatever the format, and every row. A missing value is an empty cell or null.
func TestWrite(t *testing.T) {
	want := map[string]string{
		"csv": "topic,name,share,error,first\n" +
			"3,\"sea & \"\"sun\"\", <air>\",0.1,1e-09,true\n" +
			"-1,,1.23456775e+06,,false\n",
		"json": `[
  {
    "topic": 3,
    "name": "sea & \"sun\", <air>",
    "share": 0.1,
    "error": 1e-9,
    "first": true
  },
  {
    "topic": -1,
    "name": null,
    "share": 1234567.75,
    "error": null,
    "first": false
  }
]
`,
	}
	for format, text := range want {
		var b bytes.Buffer
		if err := rows.Write(&b, format, slices.Values(lines())); err != nil || b.String() != text {
			t.Errorf("%s: %v, %q, want %q", format, err, b.String(), text)
		}
	}
	var b bytes.Buffer
	if err := rows.Write(&b, "parquet", slices.Values(lines())); err != nil {
		t.Fatal(err)
	}
	got, err := parquet.Read[line](bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || !reflect.DeepEqual(got, lines()) {
		t.Errorf("parquet: %v, %+v", err, got)
	}
	if err := rows.Write(io.Discard, "xml", slices.Values(lines())); err == nil || !strings.Contains(err.Error(), `"xml"`) {
		t.Errorf("xml: %v", err)
	}
}

// A table without rows is a header, an empty array, or a file with a schema.
func TestWriteNothing(t *testing.T) {
	for format, text := range map[string]string{"csv": "topic,name,share,error,first\n", "json": "[]\n"} {
		var b bytes.Buffer
		if err := rows.Write(&b, format, slices.Values([]line(nil))); err != nil || b.String() != text {
			t.Errorf("%s: %v, %q, want %q", format, err, b.String(), text)
		}
	}
	var b bytes.Buffer
	if err := rows.Write(&b, "parquet", slices.Values([]line(nil))); err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || file.NumRows() != 0 || len(file.Schema().Columns()) != 5 {
		t.Errorf("parquet: %v", err)
	}
}

// errFull is the error of a full disk.
var errFull = errors.New("full")

// full takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// A table that could not be written is reported in every format, however short it is.
func TestWriteFull(t *testing.T) {
	for _, format := range []string{"csv", "json", "parquet"} {
		for name, list := range map[string]iter.Seq[line]{
			"no rows":  slices.Values([]line(nil)),
			"two rows": slices.Values(lines()),
		} {
			if err := rows.Write(full{}, format, list); !errors.Is(err, errFull) {
				t.Errorf("%s, %s: %v", format, name, err)
			}
		}
	}
}

// Only a finite number has a cell.
func TestFinite(t *testing.T) {
	for _, x := range []float64{0, -1.5, math.MaxFloat64} {
		if got := rows.Finite(x); got == nil || *got != x {
			t.Errorf("%g: %v", x, got)
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := rows.Finite(x); got != nil {
			t.Errorf("%g: %g, want no cell", x, *got)
		}
	}
}

// A topic has the name that the function gives it, and none where that is empty or there is no function.
func TestName(t *testing.T) {
	name := func(topic int) string { return []string{"", "sea"}[topic] }
	if got := rows.Name(name, 1); got == nil || *got != "sea" {
		t.Errorf("a topic with a name has %v", got)
	}
	if got := rows.Name(name, 0); got != nil {
		t.Errorf("a topic with an empty name has %q", *got)
	}
	if got := rows.Name(nil, 1); got != nil {
		t.Errorf("without names a topic has %q", *got)
	}
}
