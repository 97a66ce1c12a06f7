package source

import (
	"io"
	"strings"
	"testing"
)

// Names of files tell dates and labels.
func TestNamePattern(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"d/2017-09-24-SPD-Name.txt": "a text", "d/2018-01-01-CDU-Other.txt": "a text", "d/x.txt": "no date"})
	r, err := Open([]string{"d"}, Options{NamePattern: "{date}-{party}-{speaker}.txt"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []string
	var doc Document
	for err = r.Next(&doc); err == nil; err = r.Next(&doc) {
		s := string(doc.ID) + " " + string(doc.Time) + " " + string(doc.Label)
		for _, f := range doc.Columns {
			s += " " + f.Name + "=" + string(f.Value)
		}
		got = append(got, s)
	}
	want := "2017-09-24-SPD-Name.txt 2017-09-24 SPD speaker=Name|2018-01-01-CDU-Other.txt 2018-01-01 CDU speaker=Other|x.txt  "
	if all := strings.Join(got, "|"); all != want || err != io.EOF {
		t.Errorf("%s, %v", all, err)
	}
	if _, err := Open([]string{"d"}, Options{NamePattern: "date"}); err == nil || !strings.Contains(err.Error(), "has no {name} in it") {
		t.Error(err)
	}
	bad, err := Open([]string{"d"}, Options{NamePattern: "{year}_{n}.md"})
	for err == nil {
		err = bad.Next(&doc)
	}
	if !strings.Contains(err.Error(), "no file name matches the pattern") {
		t.Error(err)
	}
}
