package source

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	_ "github.com/topoi-lda/topoi/corpus/source/internal/parquet"
)

type parquetRow struct {
	ID     int64     `parquet:"id"`
	Text   string    `parquet:"text"`
	Tokens []string  `parquet:"tokens,list"`
	Time   time.Time `parquet:"time,timestamp(millisecond)"`
	Day    int32     `parquet:"day,date"`
	Number float64   `parquet:"number"`
	Meta   struct {
		Label *string `parquet:"label,optional"`
		Other string  `parquet:"other"`
	} `parquet:"meta"`
}

// parquetBytes returns a Parquet file with small pages and row groups, so that
// both are crossed.
func parquetBytes(t testing.TB, rows []parquetRow) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[parquetRow](&b, parquet.PageBufferSize(256), parquet.MaxRowsPerRowGroup(100))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func parquetRows300() []parquetRow {
	rows := make([]parquetRow, 300)
	for i := range rows {
		r := &rows[i]
		r.ID, r.Text, r.Day = int64(i), fmt.Sprintf("text of row %d", i), int32(i)
		r.Time = time.UnixMilli(int64(i) * 1000).UTC()
		for j := range i % 7 {
			r.Tokens = append(r.Tokens, fmt.Sprintf("t%d-%d", i, j))
		}
		if i%2 == 0 {
			s := fmt.Sprintf("label %d", i)
			r.Meta.Label = &s
		}
	}
	return rows
}

func TestParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.parquet")
	rows := parquetRows300()
	if err := os.WriteFile(path, parquetBytes(t, rows), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tokens := range []bool{false, true} {
		opts := Options{LabelField: "meta.label"}
		if tokens {
			opts.TokensField, opts.TimeField, opts.TitleField = "tokens", "day", "text"
		}
		r, err := Open([]string{path}, opts)
		if err != nil {
			t.Fatal(err)
		}
		var doc Document
		for i, row := range rows {
			if err := r.Next(&doc); err != nil {
				t.Fatalf("row %d: %v", i, err)
			}
			wantTime, wantLabel := row.Time.Format(time.RFC3339), ""
			if row.Meta.Label != nil {
				wantLabel = *row.Meta.Label
			}
			got, want := string(doc.Text), row.Text
			if tokens {
				got, want = string(bytes.Join(doc.Tokens, []byte("|"))), strings.Join(row.Tokens, "|")
				if string(doc.Title) != row.Text {
					t.Fatalf("row %d: title %q, want %q", i, doc.Title, row.Text)
				}
				wantTime = time.Unix(int64(i)*86400, 0).UTC().Format(time.DateOnly)
			}
			if got != want || string(doc.ID) != fmt.Sprint(i) || string(doc.Time) != wantTime || string(doc.Label) != wantLabel {
				t.Fatalf("row %d: content %q, id %q, time %q, label %q", i, got, doc.ID, doc.Time, doc.Label)
			}
		}
		if n, err := readAll([]string{path}, opts); n != len(rows) || err != nil {
			t.Errorf("read %d rows, %v", n, err)
		}
		r.Close()
	}
}

// TestParquetDamage inverts every seventh byte of a file in turn. Most changes
// make the file unreadable; none may end the program, and every message is an
// Error that names the file.
func TestParquetDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "damaged.parquet")
	whole := parquetBytes(t, parquetRows300()[:5])
	refused := 0
	for at := 0; at < len(whole); at += 7 {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0xff
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := readAll([]string{path}, Options{Format: "parquet", TokensField: "tokens"})
		if err == nil {
			continue
		}
		refused++
		var e *input.Error
		if !errors.As(err, &e) || e.File != path {
			t.Errorf("byte %d: %v does not name the file", at, err)
		}
	}
	if refused == 0 {
		t.Error("no damage was noticed")
	}
}
