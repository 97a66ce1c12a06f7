package source

import (
	"fmt"
	"strings"
	"testing"
)

// partitions are tables in folders whose names are columns, as Spark and Hive write them.
var partitions = map[string]string{
	"d/date=2026-11-01/lang=de/part-0.csv":  "id,text\na,eins zwei\n",
	"d/date=2026-11-01/lang=fr/part-0.csv":  "id,text\nb,un deux\n",
	"d/date=2026-11-02/lang=de/part-1.csv":  "id,text\nd,drei vier\n",
	"d/date=2026-11-02/lang=de/part-0.csv":  "id,text\nc,fünf\n",
	"d/date=2026-11-02/lang=a%2Fb/p.csv.gz": gzipped("id,text\ne,x\n"),
	"d/date=2026-11-02/_SUCCESS":            "",
	"d/_temporary/x.csv":                    "id,text\nz,no\n",
}

func TestFolders(t *testing.T) {
	all := "a 2026-11-01 lang=de|b 2026-11-01 lang=fr|e 2026-11-02 lang=a/b|c 2026-11-02 lang=de|d 2026-11-02 lang=de"
	for _, c := range []struct {
		name, want string
		in         []string
		o          Options
	}{
		{name: "all", want: all},
		{name: "named format", want: all, o: Options{Format: "csv"}},
		{name: "patterns", in: []string{"d/*/lang=fr/*.csv"}, want: "b 2026-11-01 lang=fr"},
		{name: "folders", in: []string{"d/date=*-0[2-9]/lang=d?"}, want: "c 2026-11-02 lang=de|d 2026-11-02 lang=de"},
		{name: "label", o: Options{LabelField: "lang"}, in: []string{"d/*/lang=fr"}, want: "b/fr 2026-11-01"},
		{name: "a folder's own name", in: []string{"d/date=2026-11-02/"}, want: "e  lang=a/b|c  lang=de|d  lang=de"},
		{name: "parts", o: Options{Part: 2, Parts: 3}, want: "e 2026-11-02 lang=a/b"},
		{name: "columns", o: Options{Columns: []string{"date"}, TimeField: "lang"}, in: []string{"d/*/lang=fr"}, want: "b fr date=2026-11-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeFiles(t, partitions)
			if c.in == nil {
				c.in = []string{"d"}
			}
			r, err := Open(c.in, c.o)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var got []string
			for doc := new(Document); r.Next(doc) == nil; {
				line := string(doc.ID)
				if len(doc.Label) > 0 {
					line += "/" + string(doc.Label)
				}
				line += " " + string(doc.Time)
				for _, f := range doc.Columns {
					line += fmt.Sprintf(" %s=%s", f.Name, f.Value)
				}
				got = append(got, line)
			}
			if text := strings.Join(got, "|"); text != c.want {
				t.Errorf("got  %s\nwant %s", text, c.want)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, partitions)
	for in, want := range map[string]string{
		"d":                                    "date=2026-11-01/lang=de/part-0.csv",
		"d/":                                   "date=2026-11-01/lang=de/part-0.csv",
		"d/*/*/p*.csv":                         "date=2026-11-01/lang=de/part-0.csv",
		"d/date=*1/lang=fr":                    "date=2026-11-01/lang=fr/part-0.csv",
		"d/date=2026-11-01/lang=fr/part-0.csv": "part-0.csv",
	} {
		if _, names, err := new(Options).Files([]string{in}); err != nil || names[0] != want {
			t.Errorf("%s: %v, %v", in, names, err)
		}
	}
}
