package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Concat keeps words, tags and columns of both corpora, and can be saved.
func TestConcat(t *testing.T) {
	dir := t.TempDir()
	load := func(name, table string, o ImportOptions) *Corpus {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(table), 0o666); err != nil {
			t.Fatal(err)
		}
		o.MinDF, o.MaxDF, o.Text.Languages = 1, 1, []string{"none"}
		c, _, err := Load(t.Context(), []string{path}, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	old := load("old.csv", "party,speaker,date,text\nA,Ann,2001-01-01,alpha beta beta\nB,Bob,2002-01-01,beta gamma\nA,Ann,2003-01-01,alpha gamma\nB,Bob,2004-01-01,beta\n", ImportOptions{})
	var news strings.Builder
	news.WriteString("text,place\n")
	for i := range 30 {
		fmt.Fprintf(&news, "beta common%s,%s\n", map[bool]string{true: " delta", false: ""}[i < 3], []string{"here", "there"}[i%2])
	}
	more := load("new.csv", news.String(), ImportOptions{})
	for _, kept := range []*Corpus{old, old.Select(nil), old.Select([]uint32{2})} {
		c := kept.Concat(more, 2)
		if got := c.Words().List(); !slices.Equal(got, append(old.Words().List(), "delta")) {
			t.Errorf("words %v: common is in every new document, delta in three", got)
		}
		path := filepath.Join(dir, "joined.topoi")
		if err := c.Save(path); err != nil {
			t.Fatal(err)
		}
		again, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if again.NumDocs() != kept.NumDocs()+30 || again.Fingerprint() != c.Fingerprint() {
			t.Errorf("%d documents", again.NumDocs())
		}
		names := map[string]bool{}
		for _, column := range again.Columns() {
			names[column.Name] = true
		}
		if !names["place"] || kept.NumDocs() > 0 && !names["speaker"] {
			t.Errorf("columns %v", names)
		}
		again.Close()
		os.Remove(path)
	}
}
