package columnar_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/rows"
)

// A program that does not import corpus/source/all, as these tests do not, is told what to import when it meets
// Parquet or an object of a store.
func TestNotLinked(t *testing.T) {
	table := filepath.Join(t.TempDir(), "texts.parquet")
	if err := os.WriteFile(table, []byte("PAR1 and so on"), 0o666); err != nil {
		t.Fatal(err)
	}
	const (
		noParquet = "this program was built without the reader of Parquet"
		noStores  = "this program was built without the reader of object stores and web servers"
		line      = `; add import _ "github.com/topoi-lda/topoi/corpus/source/all"`
	)
	for path, want := range map[string]string{
		table:                         table + ": " + noParquet + line,
		"s3://bucket/texts.csv":       "s3://bucket/texts.csv: " + noStores + line,
		"gs://bucket/*.csv":           "gs://bucket/*.csv: " + noStores + line,
		"az://container/texts/":       "az://container/texts/: " + noStores + line,
		"https://host/t.csv?token=42": "https://host/t.csv: " + noStores + line,
	} {
		r, err := source.Open([]string{path}, source.Options{})
		if err == nil {
			r.Close()
			t.Errorf("%s was opened", path)
		} else if err.Error() != want {
			t.Errorf("%s:\n%s, want\n%s", path, err, want)
		}
	}
	type row struct {
		Topic int32 `parquet:"topic"`
	}
	err := rows.Write(io.Discard, "parquet", slices.Values([]row{{1}}))
	if err == nil || !strings.Contains(err.Error(), "corpus/source/all") {
		t.Errorf("a table as Parquet: %v", err)
	}
}
