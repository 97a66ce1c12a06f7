package source

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// workbookOf makes a workbook with one shared text and a sheet.
func workbookOf(t *testing.T, text, sheet string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range []struct{ name, body string }{
		{"xl/workbook.xml", `<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/><Relationship Id="r2" Type="x/sharedStrings" Target="t.xml"/></Relationships>`},
		{"xl/t.xml", "<sst><si><t>" + text + "</t></si></sst>"},
		{"xl/s.xml", "<worksheet><sheetData>" + sheet + "</sheetData></worksheet>"},
	} {
		w, err := z.Create(part.name)
		if err == nil {
			_, err = io.WriteString(w, part.body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// repeatedRows makes a Parquet file in which every row has the same long text, which is stored once.
func repeatedRows(t *testing.T, rows, length int) []byte {
	t.Helper()
	type row struct {
		Text string `parquet:"text,dict,zstd"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	text := strings.Repeat("word ", length/5)
	list := make([]row, rows)
	for i := range list {
		list[i].Text = text
	}
	if _, err := w.Write(list); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// drain reads all documents.
func drain(inputs []string) error {
	r, err := Open(inputs, Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	var doc Document
	for err == nil {
		err = r.Next(&doc)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// Every attack is refused with one sentence, or read, within time and memory that its size is worth.
func TestHostileInput(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short, which goes with the race detector: that changes how much memory is used")
	}
	z, _ := zstd.NewWriter(nil)
	wide := strings.Repeat("column with a name,", 100_000)
	var keys strings.Builder
	for i := range 150_000 {
		fmt.Fprintf(&keys, `"a key with the number %d":1,`, i)
	}
	for _, c := range []struct {
		name, file string
		data       []byte
		want       string // part of the sentence; empty: it is read
	}{
		{"Parquet: a list of 2^31 columns", "a.parquet", []byte("PAR1\x15\x04\x19\xfc\xff\xff\xff\xff\x07\x09\x00\x00\x00PAR1"), "not a valid Parquet file"},
		{"Parquet: nested structures", "a.parquet", append(append([]byte("PAR1"), bytes.Repeat([]byte{0x1c}, 1<<20)...), "\x00\x00\x10\x00PAR1"...), "nested more than"},
		{"Parquet: one text for every row", "a.parquet", repeatedRows(t, 5000, 1<<14), "unpacks to more than"},
		{"CSV: 100,000 columns", "a.csv", []byte(wide + "text\n" + strings.Repeat(strings.Repeat(",", 100_000)+"some words here\n", 30)), ""},
		{"CSV: a text in the place of a name", "a.csv", []byte(strings.Repeat("x ", 490_000) + ",1\n"), ""},
		{"JSON: 150,000 keys", "a.jsonl", []byte("{" + keys.String() + `"text":"a b"}`), ""},
		{"JSON: the same key", "a.jsonl", []byte(`{"text":"a b"` + strings.Repeat(`,"text":"a b"`, 300_000) + "}\n"), ""},
		{"JSON: a text of escapes", "a.jsonl", []byte(`{"text":"` + strings.Repeat(`\n`, 2_000_000) + "\"}\n"), ""},
		{"JSON: arrays in arrays", "a.jsonl", []byte(`{"text":"a b","x":` + strings.Repeat("[", 9900) + strings.Repeat("1,", 2_000_000) + "1" + strings.Repeat("]", 9900) + "}\n"), ""},
		{"workbook: one text for every row", "a.xlsx", workbookOf(t, strings.Repeat("word ", 100_000), strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 500)), "unpacks to more than"},
		{"workbook: elements without end", "a.xlsx", workbookOf(t, "", strings.Repeat("<a>                     </a>", 700_000)), "unpacks to more than"},
		{"gzip: the same line", "a.txt.gz", []byte(gzipped(strings.Repeat("the same words\n", 5<<20))), "unpacks to more than"},
		{"gzip: blank lines of a table", "a.csv.gz", []byte(gzipped("id,text\n1,a b c\n" + strings.Repeat("\n", 80<<20))), "unpacks to more than"},
		{"zstd: 100 MB of blanks", "a.txt.zst", z.EncodeAll(bytes.Repeat([]byte(" "), 100<<20), nil), "unpack"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			before, start := allocated(), time.Now()
			err := drain([]string{path})
			used, seconds := allocated()-before, time.Since(start).Seconds()
			t.Logf("%d bytes: %d MB of memory, %.1f s: %v", len(c.data), used>>20, seconds, err)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if seconds > 60 { // they take one or two if nothing else runs
				t.Errorf("%.0f s", seconds)
			}
			if most := uint64(400<<20 + 40*len(c.data)); used > most {
				t.Errorf("%d bytes of memory, at most %d are proportionate", used, most)
			}
		})
	}
}

// A directory of compressed files shares one bound.
func TestHostileDirectory(t *testing.T) {
	dir := t.TempDir()
	z, _ := zstd.NewWriter(nil)
	bomb := z.EncodeAll(bytes.Repeat([]byte("a word "), 3<<20), nil)
	for i := range 4 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".txt.zst")), bomb, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := drain([]string{dir}); err == nil || !strings.Contains(err.Error(), "unpacks to more than") {
		t.Fatal(err)
	}
}

// FuzzWorkbook makes workbooks whose numbers, references and elements are out of the ordinary.
func FuzzWorkbook(f *testing.F) {
	f.Add(uint16(3), uint16(2), uint16(5), "A1", "s", "0", "<row/>")
	f.Add(uint16(100), uint16(100), uint16(60000), "", "s", "0", "")
	f.Add(uint16(1), uint16(1), uint16(1), "XFD1048576", "inlineStr", "<is><t>a</t></is>", "<row r=\"99999999\">")
	f.Add(uint16(1), uint16(1), uint16(1), "A0", "d", "1e308", "</sheetData>")
	f.Fuzz(func(t *testing.T, rows, columns, length uint16, ref, kind, value, more string) {
		cell := fmt.Sprintf(`<c r=%q t=%q><v>%s</v></c>`, ref, kind, value)
		row := "<row>" + strings.Repeat(cell, int(columns%200)) + "</row>"
		book := workbookOf(t, strings.Repeat("x ", int(length)), strings.Repeat(row, int(rows%200))+more)
		path := filepath.Join(t.TempDir(), "a.xlsx")
		if err := os.WriteFile(path, book, 0o600); err != nil {
			t.Fatal(err)
		}
		before := allocated()
		drain([]string{path}) // any sentence will do
		if used := allocated() - before; used > 1<<30 {
			t.Fatalf("%d bytes of memory for %d of workbook", used, len(book))
		}
	})
}
