package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// columnModel is trained on a table with columns of all kinds, one of which is named like
// a column of ours, with gaps and a typing error.
func columnModel(t *testing.T) *topoi.Model {
	t.Helper()
	var table strings.Builder
	table.WriteString("id,party,rating,date,topic,text\n")
	for i := range 600 {
		rating := fmt.Sprintf(`"%d,5"`, i%10)
		if i == 7 {
			rating = "many"
		}
		fmt.Fprintf(&table, "d%d,%s,%s,2021-02-%02d,t%d,star planet orbit comet %s\n", i, []string{"SPD", "CDU", ""}[i%3], rating, 1+i%28, i%2, []string{"bread oven", "tide sea"}[i%2])
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(table.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	c, _, err := corpus.Load(t.Context(), []string{path}, corpus.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := train.Run(t.Context(), c, topoi.Options{Topics: 2, Iterations: 3, Holdout: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Tables of documents carry columns: numbers as numbers, gaps as gaps, names that are
// taken under another name, held-out documents too.
func TestWithColumns(t *testing.T) {
	m := columnModel(t)
	o := Options{With: []string{"party", "Rating", "topic", "party"}, Documents: "all", Top: 1, Threads: 3}
	names := []string{"party", "rating", "column_topic"}
	want := func(row int) []string { // documents in the order of the table
		rating := fmt.Sprintf("%d.5", row%10)
		if row == 7 {
			rating = "many"
		}
		return []string{[]string{"SPD", "CDU", ""}[row%3], rating, fmt.Sprintf("t%d", row%2)}
	}
	for format, file := range map[string]string{"csv-doc-topics": "", "csv-doc-topics-wide": "", "npy-doc-topics": "docs.csv"} {
		rows, err := csv.NewReader(bytes.NewReader(exported(t, m, format, o)[file])).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := slices.Index(rows[0], "party")
		if len(rows) != 601 || at < 0 || !slices.Equal(rows[0][at:at+3], names) {
			t.Fatalf("%s: %d rows, columns %q", format, len(rows), rows[0])
		}
		for i, row := range rows[1:] {
			if !slices.Equal(row[at:at+3], want(i)) || row[1] != fmt.Sprintf("d%d", i) {
				t.Errorf("%s: row %d is %q", format, i, row)
			}
		}
	}
	for format, file := range map[string]string{"parquet": "doc_topics.parquet", "parquet-doc-topics": "", "parquet-doc-topics-wide": "", "parquet-doc-topics-list": ""} {
		b := exported(t, m, format, o)[file]
		type row struct {
			ID     string   `parquet:"id"`
			Party  *string  `parquet:"party,optional"`
			Rating *float64 `parquet:"rating,optional"`
			Other  *string  `parquet:"column_topic,optional"`
		}
		rows, err := parquet.Read[row](bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if len(rows) != 600 {
			t.Fatalf("%s: %d rows", format, len(rows))
		}
		for i, r := range rows {
			w := want(i)
			fine := (r.Party == nil) == (w[0] == "") && (r.Party == nil || *r.Party == w[0]) && *r.Other == w[2]
			if fine = fine && (r.Rating == nil) == (i == 7) && (r.Rating == nil || *r.Rating == float64(i%10)+0.5); !fine {
				t.Errorf("%s: row %d is %v %v %v", format, i, r.Party, r.Rating, r.Other)
			}
		}
	}
	sheet := sheetRows(t, exported(t, m, "xlsx", o)[""], "xl/worksheets/sheet1.xml")
	at := slices.Index(sheet[0], any("party"))
	for row, want := range [][]any{{"party", "rating", "column_topic"}, {"SPD", 0.5, "t0"}, {"CDU", 1.5, "t1"}, {nil, 2.5, "t0"}} {
		if at < 0 || !slices.Equal(sheet[row][at:at+3], want) {
			t.Errorf("row %d of the sheet is %v", row, sheet[row])
		}
	}
}

// Columns that are not there, and formats that cannot hold them, get a sentence.
func TestWithColumnsFaults(t *testing.T) {
	m := columnModel(t)
	for format, want := range map[string]string{
		"csv-doc-topics":    `there is no column "raitng": did you mean "rating"?`,
		"mallet-doc-topics": "mallet-doc-topics has no table of documents, so columns cannot be added: use a format such as csv-doc-topics",
	} {
		err := Write(t.Context(), m, format, filepath.Join(t.TempDir(), "out"), Options{With: []string{"raitng"}})
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// An export of chosen documents has these alone.
func TestExportWhere(t *testing.T) {
	m, err := columnModel(t).Where(t.Context(), "party = SPD and rating > 8")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(exported(t, m, "csv-doc-topics", Options{With: []string{"party", "rating"}, Documents: "all", Top: 1})[""])).ReadAll()
	if err != nil || len(rows) != 41 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		if row[10] != "SPD" || row[11] < "8" {
			t.Errorf("%q", row)
		}
	}
}
