package main

import (
	"archive/zip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// article is a row of articles.csv.
type article struct {
	ID       string `json:"id" parquet:"id"`
	Headline string `json:"headline" parquet:"headline"`
	Section  string `json:"section" parquet:"section"`
	Date     string `json:"date" parquet:"date"`
	Text     string `json:"text" parquet:"text"`
}

// writeKinds writes the rows of a table in the other kinds of files in which texts come: articles.xlsx, articles.jsonl,
// articles.parquet, a folder whose names tell date and section, and a folder with a table.
func writeKinds(t *testing.T, dir, table string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []article
	var lines, metadata strings.Builder
	metadata.WriteString("file,section,date\n")
	files := map[string]string{"articles.xlsx": workbookOf(t, rows)}
	for _, r := range rows[1:] {
		a := article{r[0], r[1], r[2], r[3], r[4]}
		list = append(list, a)
		line, _ := json.Marshal(a)
		fmt.Fprintf(&lines, "%s\n", line)
		fmt.Fprintf(&metadata, "%s.txt,%s,%s\n", a.ID, a.Section, a.Date)
		files[filepath.Join("articles", fmt.Sprintf("%s_%s_%s.txt", a.Date, a.Section, a.ID))] = a.Text
		files[filepath.Join("texts", a.ID+".txt")] = a.Text
	}
	files["articles.jsonl"], files["texts.csv"] = lines.String(), metadata.String()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := parquet.WriteFile(filepath.Join(dir, "articles.parquet"), list); err != nil {
		t.Fatal(err)
	}
}

// workbookOf returns an Excel workbook with one sheet.
func workbookOf(t *testing.T, rows [][]string) string {
	t.Helper()
	var sheet, book strings.Builder
	sheet.WriteString(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
	for i, row := range rows {
		fmt.Fprintf(&sheet, `<row r="%d">`, i+1)
		for c, cell := range row {
			fmt.Fprintf(&sheet, `<c r="%c%d" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+c, i+1, cell)
		}
		sheet.WriteString(`</row>`)
	}
	sheet.WriteString(`</sheetData></worksheet>`)
	z := zip.NewWriter(&book)
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Articles" sheetId="1" r:id="r1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", sheet.String()},
	} {
		w, err := z.Create(part[0])
		if err == nil {
			_, err = w.Write([]byte(part[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return book.String()
}

// From each kind of files to a page with groups and time in two commands.
func TestKindsOfFiles(t *testing.T) {
	dir := t.TempDir()
	table, _, _ := docsArticles(60)
	if err := os.WriteFile(filepath.Join(dir, "articles.csv"), []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	writeKinds(t, dir, table)
	for i, input := range []string{
		"articles.csv", "articles.xlsx", "articles.jsonl", "articles.parquet", "articles --name-pattern '{date}_{label}_{id}.txt'",
		"texts --metadata texts.csv",
	} {
		page := fmt.Sprintf("%d.html", i)
		out, err := shell(dir, fmt.Sprintf("topoi train %s -k 2 --iterations 20 -o %d.model\ntopoi explore %d.model -o %s\n", input, i, i, page))
		if err != nil {
			t.Errorf("%s: %v\n%s", input, err, out)
			continue
		}
		if info, err := os.Stat(filepath.Join(dir, page)); err != nil || info.Size() < 10_000 {
			t.Errorf("%s: no page (%v)", input, err)
		}
		out, err = shell(dir, fmt.Sprintf("topoi prevalence %d.model --by label,time --bins year --format csv", i))
		for _, want := range []string{"sport", "politics", "2020", "2023"} {
			if err != nil || !strings.Contains(string(out), want) {
				t.Errorf("%s: no %s in the shares (%v):\n%.400s", input, want, err, out)
			}
		}
	}
}
