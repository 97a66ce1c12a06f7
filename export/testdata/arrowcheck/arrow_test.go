// Package arrowcheck reads topoi's Parquet files with Apache Arrow's own reader,
// which shares no code with the one that wrote them. It is a module of its own
// so that Arrow is a dependency of nothing else.
package arrowcheck

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/export"
)

func open(t *testing.T) *topoi.Model {
	t.Helper()
	m, err := topoi.Open(filepath.Join("..", "..", "..", "internal", "modelfile", "testdata", "model-v1"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// read exports a table and reads it with Arrow.
func read(t *testing.T, m *topoi.Model, format string) arrow.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table.parquet")
	if err := export.Write(t.Context(), m, format, path, export.Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	r, err := file.NewParquetReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if id := r.MetaData().KeyValueMetadata().FindValue("model_id"); id == nil || *id != m.Fingerprint() {
		t.Errorf("%s: model_id is %v", format, id)
	}
	a, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := a.ReadTable(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.Release)
	return table
}

// TestSchemas compares the columns that Arrow sees with docs/formats.md.
func TestSchemas(t *testing.T) {
	m := open(t)
	for format, want := range map[string]string{
		"parquet-topics": "topic: int32, topic_label: utf8?, alpha: float64, tokens: int64, docs_dominant: int64, prevalence: float64, " +
			"npmi: float64?, umass: float64?, exclusivity: float64?, entropy: float64, top_terms: list<struct<term: utf8, p: float32>>",
		"parquet-topic-words":     "topic: int32, topic_label: utf8?, rank: int32, term_id: int32, term: utf8, count: int64, phi: float32, lift: float32, relevance_06: float32",
		"parquet-doc-topics":      "doc: int64, id: utf8, label: utf8?, time: utf8?, rank: int32, topic: int32, theta: float32, tokens: float32, doc_tokens: int64, topic_label: utf8?",
		"parquet-doc-topics-wide": "doc: int64, id: utf8, label: utf8?, time: utf8?, doc_tokens: int64, topic_0: float32, topic_1: float32, topic_2: float32",
		"parquet-doc-topics-list": "doc: int64, id: utf8, label: utf8?, time: utf8?, doc_tokens: int64, topics: list<int32>, thetas: list<float32>",
		"parquet-vocab":           "term_id: int32, term: utf8, cf: int64, df: int64",
		"parquet-assignments":     "doc: int64, pos: int32, term_id: int32, topic: int32",
	} {
		var columns []string
		for _, f := range read(t, m, format).Schema().Fields() {
			columns = append(columns, describe(f))
		}
		if got := strings.Join(columns, ", "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", format, got, want)
		}
	}
}

func describe(f arrow.Field) string {
	mark := ""
	if f.Nullable {
		mark = "?"
	}
	return f.Name + ": " + kind(f.Type) + mark
}

func kind(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.ListType:
		return "list<" + kind(t.Elem()) + ">"
	case *arrow.StructType:
		var fields []string
		for _, f := range t.Fields() {
			fields = append(fields, describe(f))
		}
		return "struct<" + strings.Join(fields, ", ") + ">"
	}
	return t.Name()
}

// TestValues compares every value that Arrow reads with the CSV form of the
// same table.
func TestValues(t *testing.T) {
	m := open(t)
	for format, columns := range map[string][]string{
		"topic-words":     {"topic", "topic_label", "rank", "term_id", "term", "count", "phi", "lift", "relevance_06"},
		"doc-topics":      {"doc", "id", "label", "time", "rank", "topic", "theta", "tokens", "doc_tokens", "topic_label"},
		"doc-topics-wide": {"doc", "id", "label", "time", "doc_tokens", "topic_0", "topic_1", "topic_2"},
		"topics":          {"topic", "topic_label", "alpha", "tokens", "docs_dominant", "prevalence", "npmi", "umass", "exclusivity", "entropy"},
	} {
		path := filepath.Join(t.TempDir(), "table.csv")
		if err := export.Write(t.Context(), m, "csv-"+format, path, export.Options{}); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		records, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		table := read(t, m, "parquet-"+format)
		if int(table.NumRows()) != len(records)-1 {
			t.Errorf("%s: %d rows, want %d", format, table.NumRows(), len(records)-1)
			continue
		}
		for i, name := range columns {
			if records[0][i] != name {
				t.Fatalf("%s: column %d of the CSV is %s, want %s", format, i, records[0][i], name)
			}
			column := table.Column(table.Schema().FieldIndices(name)[0])
			row := 1
			for _, chunk := range column.Data().Chunks() {
				for j := range chunk.Len() {
					got := chunk.ValueStr(j)
					if chunk.IsNull(j) {
						got = "" // as CSV has it
					}
					if want := records[row][i]; got != want && fmt.Sprint(chunk.GetOneForMarshal(j)) != want {
						t.Errorf("%s, row %d, %s: %s, want %s", format, row, name, got, want)
					}
					row++
				}
			}
		}
	}
}
