package export

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// partyModel has documents with hostile names in three groups, and a topic with a name.
func partyModel(t *testing.T) *topoi.Model {
	t.Helper()
	var b corpus.Builder
	for d := range 30 {
		id := fmt.Sprintf("=HYPERLINK(\"x\")&<b>%d;,\x01", d)
		b.Add(corpus.Document{ID: id, Label: []string{"DIE LINKE", "CDU/CSU", "DIE LINKE"}[d%3], Time: "2024-03-01", Tokens: strings.Fields([]string{"tax tax law", "war peace", "rain sun rain"}[d%3])})
	}
	m, err := train.Run(t.Context(), b.Corpus(), topoi.Options{Topics: 3, Iterations: 20, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetLabels(topic.Labels{Names: map[int]string{1: "Krieg; Frieden, \"und\" mehr"}}); err != nil {
		t.Fatal(err)
	}
	return m
}

// sheetRows reads a sheet: numbers are float64, text is string, nothing is nil.
func sheetRows(t *testing.T, book []byte, name string) [][]any {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Rows []struct {
			Cells []struct {
				Type  string   `xml:"t,attr"`
				Value *float64 `xml:"v"`
				Text  string   `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := xml.Unmarshal(content, &s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var rows [][]any
	for _, r := range s.Rows {
		var row []any
		for _, c := range r.Cells {
			switch {
			case c.Type == "inlineStr":
				row = append(row, c.Text)
			case c.Value != nil:
				row = append(row, *c.Value)
			default:
				row = append(row, nil)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// A workbook has the numbers of the tables, as numbers.
func TestWorkbook(t *testing.T) {
	m := partyModel(t)
	book := exported(t, m, "xlsx", Options{})[""]
	docs := sheetRows(t, book, "xl/worksheets/sheet1.xml")
	table, err := csv.NewReader(bytes.NewReader(exported(t, m, "csv-doc-topics-wide", Options{})[""])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 31 || docs[0][9] != "topic_1 Krieg; Frieden, \"und\" mehr" || table[0][6] != docs[0][9] {
		t.Fatalf("%d rows under %v and %v", len(docs), docs[0], table[0])
	}
	for i, row := range docs[1:] {
		if row[1] != strings.ReplaceAll(m0(t, m).ID(i), "\x01", "\uFFFD") || row[2] != m0(t, m).Label(i) {
			t.Errorf("document %d is %v", i, row)
		}
		for k := range 3 {
			want, _ := strconv.ParseFloat(table[i+1][5+k], 64)
			if got, ok := row[8+k].(float64); !ok || math.Abs(got-want) > 1e-6 {
				t.Errorf("document %d, topic %d: %v, want %v", i, k, row[8+k], want)
			}
		}
	}
	topics := sheetRows(t, book, "xl/worksheets/sheet2.xml")
	for k, row := range topics[1:] {
		if want := rank.New(m).Topic(k).Exclusivity; row[8] != want {
			t.Errorf("exclusivity of topic %d is %v, that of the page %v", k, row[8], want)
		}
	}
	if words := sheetRows(t, book, "xl/worksheets/sheet3.xml"); len(words) < 7 {
		t.Errorf("%d rows of words", len(words))
	}
	groups := sheetRows(t, book, "xl/worksheets/sheet4.xml")
	if len(groups) != 3 || groups[1][0] != "DIE LINKE" || groups[1][1] != 20.0 || groups[2][2] != 20.0 {
		t.Errorf("groups are %v", groups)
	}
	var b corpus.Builder
	b.Add(corpus.Document{Tokens: strings.Fields("sun rain")})
	bare, err := train.Run(t.Context(), b.Corpus(), topoi.Options{Topics: 1, Iterations: 2})
	if err != nil {
		t.Fatal(err)
	}
	plain := exported(t, bare, "xlsx", Options{})[""]
	if bytes.Contains(plain, []byte("sheet4")) {
		t.Error("a model without labels has a sheet of groups")
	}
}

func m0(t *testing.T, m *topoi.Model) *corpus.Corpus {
	t.Helper()
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// With decimal commas cells are separated by semicolons, and the numbers are the same.
func TestDecimalComma(t *testing.T) {
	m := partyModel(t)
	for _, format := range []string{"csv-topics", "csv-topic-words", "csv-doc-topics", "csv-doc-topics-wide"} {
		points, err := csv.NewReader(bytes.NewReader(exported(t, m, format, Options{})[""])).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		commas := csv.NewReader(bytes.NewReader(exported(t, m, format, Options{Decimal: "comma"})[""]))
		commas.Comma = ';'
		got, err := commas.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		decimals := 0
		for i, row := range points {
			for k, cell := range row {
				if x, err := strconv.ParseFloat(cell, 64); err == nil && x != math.Trunc(x) {
					cell = strings.Replace(cell, ".", ",", 1)
					decimals++
				}
				if got[i][k] != cell {
					t.Errorf("%s: row %d has %q for %q", format, i, got[i][k], cell)
				}
			}
		}
		if decimals == 0 {
			t.Errorf("%s has no decimals", format)
		}
	}
}
