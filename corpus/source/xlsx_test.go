package source

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/workbook"
)

// workbookParts are the files of a small workbook; tests replace some of them.
func workbookParts() map[string]string {
	return map[string]string{
		"xl/workbook.xml": `<workbook><sheets><sheet name="First" sheetId="7" r:id="a"/><sheet name="Second" sheetId="8" r:id="b"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships>` +
			`<Relationship Id="a" Type="http://x/worksheet" Target="worksheets/one.xml"/>` +
			`<Relationship Id="b" Type="http://x/worksheet" Target="/xl/worksheets/two.xml"/>` +
			`<Relationship Id="c" Type="http://x/sharedStrings" Target="sharedStrings.xml"/>` +
			`<Relationship Id="d" Type="http://x/styles" Target="styles.xml"/></Relationships>`,
		"xl/sharedStrings.xml":     `<sst><si><t>id</t></si><si><t>text</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>spoken</t></rPh></si></sst>`,
		"xl/styles.xml":            `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>`,
		"xl/worksheets/one.xml":    sheetXML(`<row r="1"><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row r="3"><c r="B3" t="s"><v>2</v></c><c r="A3"><f>A1+1</f><v>7</v></c></row>`),
		"xl/worksheets/two.xml":    sheetXML(`<row><c t="inlineStr"><is><t>text</t></is></c></row><row><c t="inlineStr"><is><t>second</t></is></c></row>`),
		"xl/worksheets/unused.xml": "<",
	}
}

func sheetXML(rows string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><worksheet><sheetData>` + rows + `</sheetData><rowBreaks/></worksheet>`
}

func zipped(t testing.TB, parts map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		method := zip.Store
		if len(parts[name]) > 1<<20 {
			method = zip.Deflate
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(parts[name]))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// workbookWith is a workbook with one part replaced.
func workbookWith(t testing.TB, name, content string) string {
	parts := workbookParts()
	parts[name] = content
	return zipped(t, parts)
}

func TestXLSX(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"a.xlsx": zipped(t, workbookParts())})
	for sheet, want := range map[string]string{
		"":       "format xlsx\ncontent text\ndoc id=\"7\" label=\"\" time=\"\" text=\"rich text\"\n",
		"second": "format xlsx\ncontent text\ndoc id=\"\" label=\"\" time=\"\" text=\"second\"\n",
	} {
		r, err := Open([]string{"a.xlsx"}, Options{Sheet: sheet})
		if err != nil {
			t.Fatal(err)
		}
		got, err := dump(r)
		if !strings.HasPrefix(got, want) || err != nil {
			t.Errorf("sheet %q: %s, %v, want %s", sheet, got, err, want)
		}
		if taken := r.Taken(); sheet == "" && (taken.Sheet != "First" || len(taken.OtherSheets) != 1 || taken.OtherSheets[0] != "Second") {
			t.Errorf("sheets %+v", taken)
		}
		r.Close()
	}
}

func TestBrokenXLSX(t *testing.T) {
	file := func(name, part, content, want string) broken {
		return broken{name: name, files: map[string]string{"a.xlsx": workbookWith(t, part, content)}, want: "a.xlsx" + want}
	}
	const unsound, again = ": this is not a valid workbook (", "); save it again as .xlsx, or as .csv"
	const sheet = "xl/worksheets/one.xml"
	whole := zipped(t, workbookParts())
	runBroken(t, []broken{
		{name: "no such sheet", files: map[string]string{"a.xlsx": whole}, opts: Options{Sheet: "Secnd"}, want: `a.xlsx: no sheet is called "Secnd": did you mean "Second"?`},
		{name: "cut", files: map[string]string{"a.xlsx": cut(whole, 10)}, want: "a.xlsx: the file is compressed with zip, which topoi cannot read; unpack it with unzip, or pack it with gzip or zstd"},
		{name: "cut, named", files: map[string]string{"a.xlsx": "nothing of the kind"}, opts: Options{Format: "xlsx"}, want: "a.xlsx" + unsound + "zip: not a valid zip file" + again},
		file("no sheets", "xl/workbook.xml", `<workbook/>`, ": the workbook has no sheet with cells; save a sheet of it as .csv"),
		file("no rows", sheet, sheetXML(""), ": there is no row in it; expected at least one document"),
		file("header only", sheet, sheetXML(`<row><c t="s"><v>1</v></c></row>`), `: it has a header ("text") but no documents; if the first row is a document, say so with Options.Header = no`),
		file("missing text", sheet, sheetXML(`<row r="4"><c t="s"><v>3</v></c></row>`), unsound+`a cell of row 4 refers to text "3", which is not there`+again),
		file("too many rows", sheet, sheetXML(`<row r="1048577"/>`), unsound+"row 1048577 is beyond the 1048576 that a sheet has"+again),
		file("bad row", sheet, sheetXML(`<row r="x"/>`), unsound+`row number "x"`+again),
		file("too many columns", sheet, sheetXML(`<row><c r="ZZZZZZZZZZZZZZZZ1"><v>1</v></c></row>`), unsound+"a cell lies beyond the columns that a sheet has"+again),
		file("not XML", sheet, "<worksheet><row", unsound+"xl/worksheets/one.xml: XML syntax error on line 1: unexpected EOF"+again),
		file("ends early", sheet, "<worksheet><sheetData><row><c><v>1</v></c></row>", unsound+"xl/worksheets/one.xml ends in the middle"+again),
		file("missing part", "xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="a" Type="/worksheet" Target="no.xml"/></Relationships>`, unsound+"xl/no.xml is missing in it"+again),
		file("NUL", sheet, sheetXML(`<row r="1"><c t="str"><v>text</v></c></row><row r="5"><c t="str"><v>a_x0000_</v></c></row>`), ":5: byte 2 of the line is NUL, which text never contains; check that the file is text, name its encoding with Options.Encoding, or replace such bytes with Options.RepairUTF8"),
	})
}

// TestXLSXBombs: parts that unpack to far more than they weigh are refused
// before they take much memory.
func TestXLSXBombs(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("a", 3*workbook.MaxText)
	pieces := strings.Repeat("a", workbook.MaxText/4) + "<!-- -->"
	for name, book := range map[string]string{
		"text":      workbookWith(t, "xl/sharedStrings.xml", "<sst><si><t>"+long),
		"pieces":    workbookWith(t, "xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat(pieces, 6)),
		"cell":      workbookWith(t, "xl/worksheets/one.xml", "<worksheet><sheetData><row><c><v>"+strings.Repeat(pieces, 6)),
		"attribute": workbookWith(t, "xl/workbook.xml", `<workbook><sheet name="`+long),
		"tag":       workbookWith(t, "xl/styles.xml", "<"+long),
	} {
		if len(book) > workbook.MaxText/100 {
			t.Fatalf("the bomb %s has %d bytes", name, len(book))
		}
		writeFiles(t, map[string]string{"a.xlsx": book})
		before := allocated()
		_, err := readAll([]string{"a.xlsx"}, Options{})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("longer than %d bytes", workbook.MaxText)) {
			t.Errorf("%s: %v", name, err)
		}
		// A buffer that doubles up to the limit, and its copies.
		if used := allocated() - before; used > 16*workbook.MaxText {
			t.Errorf("%s: %d MB allocated", name, used>>20)
		}
	}
}

// TestXLSXDamage inverts every 101st byte of a file of another program in
// turn. No change may end the program; every message is an Error.
func TestXLSXDamage(t *testing.T) {
	whole, err := os.ReadFile("testdata/books.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "damaged.xlsx")
	refused := 0
	for at := 0; at < len(whole); at += 101 {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0xff
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := readAll([]string{path}, Options{Sheet: "Reviews", Format: "xlsx"})
		var e *input.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("byte %d: %v", at, err)
		}
		if err != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Error("no damage was noticed")
	}
}

// FuzzXLSX fuzzes the parts of a workbook.
func FuzzXLSX(f *testing.F) {
	parts := workbookParts()
	f.Add(parts["xl/workbook.xml"], parts["xl/sharedStrings.xml"], parts["xl/styles.xml"], parts["xl/worksheets/one.xml"])
	f.Add(parts["xl/workbook.xml"], parts["xl/sharedStrings.xml"], "", sheetXML(`<row r="2"><c r="B2" s="1"><v>1e5</v></c><c t="d"><v>2020</v></c><c t="str"><v>_x0041_</v></c></row>`))
	f.Fuzz(func(t *testing.T, workbook, shared, styles, sheet string) {
		parts := workbookParts()
		parts["xl/workbook.xml"], parts["xl/sharedStrings.xml"] = workbook, shared
		parts["xl/styles.xml"], parts["xl/worksheets/one.xml"] = styles, sheet
		book := zipped(t, parts)
		path := filepath.Join(t.TempDir(), "fuzz.xlsx")
		if err := os.WriteFile(path, []byte(book), 0o644); err != nil {
			t.Fatal(err)
		}
		size := len(workbook) + len(shared) + len(styles) + len(sheet)
		exhaust(t, size, func() (Source, error) { return openXLSX(path, nil, &Options{}) })
	})
}
