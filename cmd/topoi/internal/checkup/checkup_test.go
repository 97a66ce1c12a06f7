package checkup

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/text"
)

// check writes texts as lines and reports on them.
func check(t *testing.T, texts []string) *Report {
	path := filepath.Join(t.TempDir(), "texts.txt")
	if err := os.WriteFile(path, []byte(strings.Join(texts, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := corpus.ImportOptions{MinDF: 1, MaxDF: 1, Snippet: 200, Text: text.Options{Languages: []string{"none"}}}
	o.Source.Format = "lines"
	c, imported, err := corpus.Load(t.Context(), []string{path}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return Of(c, imported)
}

// texts returns n texts of 40 words.
func texts(n int) (list []string) {
	r := rand.New(rand.NewPCG(1, 1))
	for range n {
		words := make([]string, 40)
		for i := range words {
			words[i] = fmt.Sprintf("word%d", r.IntN(2000))
		}
		list = append(list, strings.Join(words, " "))
	}
	return list
}

// Everything is found, with its number of documents and an example, and nothing in texts that have none of it.
func TestOf(t *testing.T) {
	if r := check(t, texts(300)); len(r.Findings) > 0 || r.Documents != 300 || r.Tokens != 12000 {
		t.Errorf("%+v", r)
	}
	list := texts(300)
	list[10], list[11] = list[5], list[5]
	list[20] = "another " + list[6]
	list[30], list[31], list[32], list[33] = "NaN", "[deleted]", "[deleted]", ""
	list[40] = strings.Join(texts(501)[301:], " ")
	want := []Finding{
		{"exact copies", 2, 2. / 300, "5", ""},
		{"near copies", 1, 1. / 300, "", ""},
		{"placeholders instead of texts", 3, 3. / 300, `2 of "[deleted]"`, ""},
		{"giants", 1, 1. / 300, `they have 40 % of all words; "40" has 8,000`, ""},
		{"documents without words", 1, 1. / 300, "", ""},
	}
	r := check(t, list)
	for i, f := range r.Findings {
		if f.Advice == "" {
			t.Errorf("%s: no advice", f.Name)
		}
		f.Advice = ""
		if i >= len(want) || f != want[i] {
			t.Errorf("%+v", f)
		}
	}
	if len(r.Findings) != len(want) || fmt.Sprint(r.Copies) != "[{3 [5 10 11]} {2 [6 20]}]" {
		t.Errorf("%d findings, copies %v", len(r.Findings), r.Copies)
	}
}
