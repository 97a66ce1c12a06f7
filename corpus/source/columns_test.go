package source

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// showColumns writes what became of every column: name=use, * where it was
// guessed, ?use where a column left out could be used for it.
func showColumns(list []Column) string {
	var parts []string
	for _, c := range list {
		s := c.Name + "=" + c.Use
		if c.Guessed {
			s += "*"
		}
		if c.Rival != "" {
			s += "?" + c.Rival
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

func TestColumns(t *testing.T) {
	parquet := string(parquetBytes(t, parquetRows300()[:1]))
	for _, c := range []struct {
		name, file, content string
		opts                Options
		columns             string
		text                string // of the first document
	}{
		{"guessed", "a.csv", "Title,n,Body,text\nt,1,b,x\n", Options{}, "Title=title* n= Body=?text text=text*", "x"},
		{"named", "a.csv", "title,n,body,text\nt,1,b,x\n", Options{TextFields: []string{"body"}, IDField: "n", TitleField: "text"}, "title=?title n=id body=text text=title", "b"},
		{"joined", "a.csv", "title,n,body\nt,,b\n", Options{TextFields: []string{"3", "n", "title"}}, "title=text title=title* n=text body=text", "b\nt"},
		{"joined with empty ones", "a.csv", "a,b,c\n,,x\n", Options{TextFields: []string{"a", "b", "c"}}, "a=text b=text c=text", "x"},
		{"tokens", "a.tsv", "tokens\tdate\na b\t2001\n", Options{}, "tokens=tokens* date=time*", ""},
		{"no header", "a.csv", "1,x\n2,y\n", Options{}, "1=id* 2=text*", "x"},
		{"no header, numbers", "a.csv", "1,x,7\n2,y,8\n", Options{TextFields: []string{"2", "3"}}, "1= 2=text 3=text", "x\n7"},
		{"first line tells the delimiter", "a.csv", "sep=;\r\nid;text\r\n1;a, b\r\n", Options{}, "id=id* text=text*", "a, b"},
		{"json", "a.jsonl", `{"title":"t","meta":{"a":"x","b":"y"},"z":1}`, Options{TextFields: []string{"title", "meta.a"}}, "title=text title=title* z= meta.a=text", "t\nx"},
		{"json, some absent", "a.jsonl", `{"b":"x"}` + "\n" + `{"a":"y","b":null}`, Options{TextFields: []string{"a", "b"}}, "b=text a=text", "x"},
		{"json, content by its form", "a.jsonl", `{"text":{"en":1},"abstract":"x","category":["a"],"year":2003}`, Options{}, "text=?text abstract=text* category=?label year=time*", "x"},
		{"json, counts", "a.jsonl", `{"text":{"en":1}}`, Options{}, "text=counts*", ""},
		{"parquet", "a.parquet", parquet, Options{TextFields: []string{"text", "meta.other"}, TitleField: "text"}, "id=id* text=text text=title tokens=?tokens time=time* day=?time number= meta.other=text", "text of row 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile(c.file, []byte(c.content), 0o644); err != nil {
				t.Fatal(err)
			}
			r, err := Open([]string{c.file}, c.opts)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if got := showColumns(r.Taken().Columns); got != c.columns {
				t.Errorf("columns %s, want %s", got, c.columns)
			}
			var doc Document
			if err := r.Next(&doc); err != nil || string(doc.Text) != c.text {
				t.Errorf("text %q, %v, want %q", doc.Text, err, c.text)
			}
		})
	}
}

// TestColumnsOfSeveralInputs: what any of the inputs has is told, once.
func TestColumnsOfSeveralInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"a.csv": "id,text\n1,x\n", "b.csv": "id,body\n2,y\n"})
	r, err := Open([]string{"a.csv", "b.csv"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var doc Document
	for want := range 2 {
		if err := r.Next(&doc); err != nil || string(doc.ID) != fmt.Sprint(want+1) {
			t.Fatalf("id %q, %v", doc.ID, err)
		}
	}
	if got, want := showColumns(r.Taken().Columns), "id=id* text=text* body=text*"; got != want {
		t.Errorf("columns %s, want %s", got, want)
	}
}

func TestBrokenColumns(t *testing.T) {
	parquet := string(parquetBytes(t, parquetRows300()[:1]))
	runBroken(t, []broken{
		{
			name: "none of several fields", files: map[string]string{"a.jsonl": `{"c":1}`}, opts: Options{TextFields: []string{"a", "b"}},
			want: `a.jsonl:1: the object has no field "a"; every object must have it; null stands for an empty document`,
		},
		{
			name: "one of several fields never there", files: map[string]string{"a.jsonl": `{"a":"x"}`}, opts: Options{TextFields: []string{"a", "b"}},
			want: `a.jsonl: no object has the field "b"; correct the name of the field`,
		},
		{
			name: "array among several", files: map[string]string{"a.jsonl": `{"a":"x","b":["y"]}`}, opts: Options{TextFields: []string{"a", "b"}},
			want: `a.jsonl:1: the field "b" is "[\"y\"]", expected a string; all objects must hold text in the same form as the first`,
		},
		{
			name: "list among several", files: map[string]string{"a.parquet": parquet}, opts: Options{TextFields: []string{"text", "tokens"}},
			want: `a.parquet: the column "tokens" is a list, which cannot be joined with other text; choose another column`,
		},
	})
}
