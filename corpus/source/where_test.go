package source

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// ids reads all documents and returns their ids.
func ids(t *testing.T, in string, o Options) (string, *Reader) {
	t.Helper()
	r, err := Open([]string{in}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	var got []string
	doc := new(Document)
	for err = r.Next(doc); err == nil; err = r.Next(doc) {
		got = append(got, string(doc.ID))
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	return strings.Join(got, " "), r
}

func TestWhere(t *testing.T) {
	books, err := filepath.Abs("testdata/books.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	writeFiles(t, partitions)
	writeFiles(t, map[string]string{
		"a.csv":   "id,text,lang,n\na,x y,de,1\nb,x z,fr,2\nc,x,de,\nd,y,de,12\n",
		"a.jsonl": `{"id":"a","text":"x","lang":null,"n":1,"m":{"k":[1,2]}}` + "\n" + `{"id":"b","text":"y","lang":"de"}` + "\n" + `{"id":"c","text":"z","lang":"de","n":7,"m":{"k":[2]}}` + "\n",
	})
	for _, c := range []struct {
		in, where, want string
		files           int
		rows            int64
		o               Options
	}{
		{in: "a.csv", where: "lang = de and n < 10", want: "a", rows: 3},
		{in: "a.csv", where: "n is missing or n > 2", want: "c d", rows: 2, o: Options{Columns: []string{}}},
		{in: "a.csv", where: "id != b", want: "a c d", rows: 1},
		{in: "a.jsonl", where: "lang = de", want: "b c", rows: 1, o: Options{Columns: []string{}}},
		{in: "a.jsonl", where: "m.k = 1 or n > 5", want: "a c", rows: 1},
		{in: books, where: "Category is missing or ID = 1", want: "1 2", rows: 1, o: Options{Sheet: "reviews"}},
		{in: "d", where: "date >= 2026-11-02 and lang != de", want: "e", files: 4},
		{in: "d", where: "date = 2026-11-01 or id = d", want: "a b d", rows: 2},
		{in: "d", where: "lang = de and id > a", want: "c d", files: 2, rows: 1, o: Options{LabelField: "lang"}},
		{in: "d", where: "lang = de", want: "d", files: 2, o: Options{Part: 3, Parts: 3}},
	} {
		c.o.Where = c.where
		got, r := ids(t, c.in, c.o)
		if taken := r.Taken(); got != c.want || taken.LeftInputs != c.files || taken.LeftRows != c.rows {
			t.Errorf("%s where %s: %s, left out %d files, %d rows, want %s, %d, %d", c.in, c.where, got, taken.LeftInputs, taken.LeftRows, c.want, c.files, c.rows)
		}
	}
	writeFiles(t, map[string]string{"a.txt": "one\ntwo\n"})
	for _, c := range []struct{ in, where, want string }{
		{"a.csv", "lnag = de", `a.csv:1: no column is called "lnag": did you mean "lang"?`},
		{"a.jsonl", "lnag = de", `a.jsonl:1: no field is called "lnag": did you mean "lang"?; a field of a condition must be in the first object; it may be null there`},
		{"a.csv", "lang de", `cannot read the condition "lang de": after lang, expected one of =, !=, <, <=, >, >=, in, is missing`},
		{"d", "date = 2020", `d/date=2026-11-01/lang=de/part-0.csv: the condition "date = 2020" holds for the folders of no file of 5; compare it with the names of the folders`},
		{"a.txt", "lang = de", `a.txt: the condition "lang = de" needs columns, which the format lines does not have; leave out Options.Where, or read csv, tsv, xlsx, jsonl or parquet`},
	} {
		if r, err := Open([]string{c.in}, Options{Where: c.where}); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
			_ = r
		}
	}
	if _, err := OpenStream("x", strings.NewReader(""), Options{Format: "lines", Where: "a = b"}); err == nil {
		t.Error("a condition on a stream was ignored")
	}
}

// What a condition leaves out is not read: files with folders that contradict it are no Parquet files at all here,
// and in others the pages of such row groups are overwritten.
func TestWhereReadsNoMore(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := parquetRows300()
	for i := range rows {
		rows[i].Number = float64(i) / 2
		rows[i].Meta.Other = fmt.Sprintf("o%03d", i)
	}
	data := parquetBytes(t, rows)
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for g, group := range file.Metadata().RowGroups {
		if g == 1 {
			continue
		}
		for _, c := range group.Columns {
			at := c.MetaData.DataPageOffset
			if c.MetaData.DictionaryPageOffset != 0 {
				at = c.MetaData.DictionaryPageOffset
			}
			copy(data[at:at+c.MetaData.TotalCompressedSize], bytes.Repeat([]byte{0xff}, 1<<20))
		}
	}
	writeFiles(t, map[string]string{"d/part=1/a.parquet": string(data), "d/part=2/a.parquet": "no Parquet"})
	for _, c := range []struct {
		where, first string
		docs         int
	}{
		{"id >= 150 and id < 160", "150", 10},
		{"number = 60 or number = 61.5", "120", 2},
		{"time >= 1970-01-01T00:01:50 and time < 1970-01-01T00:02:05", "110", 15},
		{"day = 1970-05", "120", 31},
		{"meta.other in (o120, o130)", "120", 2},
		{"meta.label is missing and id > 100 and id < 104", "101", 2},
		{"not (id < 150 or id >= 160)", "150", 10},
	} {
		o := Options{TextFields: []string{"text"}, IDField: "id", Where: "(" + c.where + ") and part != 2", Columns: []string{}}
		got, r := ids(t, "d", o)
		list := strings.Fields(got)
		if taken := r.Taken(); len(list) != c.docs || list[0] != c.first || taken.LeftGroups != 2 || taken.LeftInputs != 1 || taken.LeftRows != int64(300-c.docs) {
			t.Errorf("%s: %s; left out %d files, %d row groups, %d rows", c.where, got, taken.LeftInputs, taken.LeftGroups, taken.LeftRows)
		}
	}
}
