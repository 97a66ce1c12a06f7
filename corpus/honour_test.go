package corpus

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/corpus/source"
	_ "github.com/topoi-lda/topoi/corpus/source/all"
	"github.com/topoi-lda/topoi/corpus/text"
)

// samples has an input of each format.
func samples(t *testing.T) map[string]string {
	paths := map[string]string{
		"text": "texts", "lines": "lines.txt", "csv": "quotes.csv", "tsv": "header.tsv", "jsonl": "text.jsonl",
		"xlsx": "books.xlsx", "mallet": "mallet-tabs.txt", "mallet-state": "state.txt", "uci": "docword.pets.txt",
		"lda-c": "pets.ldac", "svmlight": "pets.svm", "matrix-market": "docs.mtx", "npz": "npz/csr.npz",
		"npy": "npz/rows.npy", "10x": "tenx", "octis": "partitions.tsv", "gibbslda": "gibbs.txt", "yahoo": "yahoo.txt",
		"vw": "pets.vw",
	}
	for format, name := range paths {
		paths[format] = filepath.Join("source", "testdata", name)
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	rows := []struct {
		Text string `parquet:"text"`
	}{{"cats and dogs"}, {"dogs and fish"}}
	if err := parquet.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	paths["parquet"] = path
	return paths
}

// asked has every option that says how texts become words, as somebody may give it.
var asked = map[string]ImportOptions{
	"Languages":    {Text: text.Options{Languages: []string{"de"}}},
	"StopWords":    {Text: text.Options{StopWords: []string{"dog"}}},
	"Stem":         {Text: text.Options{Stem: true}},
	"MinLength":    {Text: text.Options{MinLength: 3}},
	"MaxLength":    {Text: text.Options{MaxLength: 10}},
	"StripAccents": {Text: text.Options{StripAccents: true}},
	"CJK":          {Text: text.Options{CJK: "bigrams"}},
	"TokenRegexp":  {Text: text.Options{TokenRegexp: `\w+`}},
	"Case":         {Text: text.Options{TokenRegexp: `\w+`, Case: "lower"}},
	"Grams":        {Text: text.Options{Grams: []int{1, 2}}},
	"Pieces":       {Source: source.Options{Pieces: 50}},
	"Snippet":      {Snippet: wholeText},
	"Phrases":      {Phrases: &PhraseOptions{}},
}

// An option of texts is refused where documents hold none, and by no format that may hold some.
func TestOptionsOfTexts(t *testing.T) {
	paths, holding := samples(t), map[source.Content][]string{}
	for _, f := range source.Formats() {
		r, err := source.Open([]string{paths[f.Name]}, source.Options{Format: f.Name})
		if err != nil {
			t.Fatalf("the sample of %s: %v", f.Name, err)
		}
		content := r.Content()
		r.Close()
		holding[content] = append(holding[content], f.Name)
		for name, o := range asked {
			o.Source.Format = f.Name
			c, _, err := Load(t.Context(), []string{paths[f.Name]}, o)
			if err == nil {
				c.Close()
			}
			first := name // the option that is named
			if name == "Case" {
				first = "TokenRegexp"
			}
			can := content == source.ContentText || content == source.ContentTokens && name == "Phrases"
			refused := err != nil && strings.Contains(err.Error(), "it is read as "+f.Name+" and holds ") &&
				strings.Contains(err.Error(), "no use for Options."+first+":")
			if refused == can {
				t.Errorf("%s of %s, which holds %v: %v", name, f.Name, content, err)
			}
		}
	}
	if got := holding[source.ContentText]; !alike(got, textFormats) {
		t.Errorf("%q hold texts, and messages name %q", got, textFormats)
	}
	if got := holding[source.ContentTokens]; !alike(got, tokenFormats) {
		t.Errorf("%q hold tokens, and messages name %q", got, tokenFormats)
	}
}

// alike reports whether two lists have the same elements.
func alike(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// No option of texts is forgotten, and none is given by default or by asking for what happens anyway.
func TestEveryOptionOfTexts(t *testing.T) {
	named := map[string]bool{}
	for _, h := range (&ImportOptions{
		Snippet: usualSnippet,
		Text: text.Options{
			Languages: []string{"none"}, MinLength: 2, MaxLength: 64,
			CJK: "dictionary", Case: "fold", KeepNumbers: true, KeepMarkup: true, Grams: []int{1},
		},
	}).honours() {
		if named[h.name] = true; h.given {
			t.Errorf("%s is given", h.name)
		}
		if _, tried := asked[h.name]; !tried {
			t.Errorf("%s is not tried", h.name)
		}
	}
	anyway := []string{"Edition", "KeepNumbers", "KeepMarkup"}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[text.Options]()) {
		if named[f.Name] == slices.Contains(anyway, f.Name) {
			t.Errorf("%s: do tokens and counts honour it?", f.Name)
		}
	}
	anyway = []string{
		"Source", "Text", "MinDF", "MaxDF", "MinCF", "MaxWords", "DropEmpty", "Duplicates", "AllowEmpty", "Vocabulary", "Threads",
		"TempDir", "Progress", "Order",
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[ImportOptions]()) {
		if named[f.Name] == slices.Contains(anyway, f.Name) {
			t.Errorf("%s: do tokens and counts honour it?", f.Name)
		}
	}
}

// A corpus file has no texts, and documents for a model may have any form.
func TestOptionsOfCorpusFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.topoi")
	if _, err := Import(t.Context(), []string{"source/testdata/pets.vw"}, path, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	stem := ImportOptions{Text: text.Options{Stem: true}}
	_, _, err := Load(t.Context(), []string{path}, stem)
	_, fault := Import(t.Context(), []string{path}, path+"2", stem)
	for _, err := range []error{err, fault} {
		want := "read as a corpus file and holds counts of words, which have no use for Options.Stem"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path + "2"); err == nil {
		t.Error("something was written")
	}
	c, _, err := Load(t.Context(), []string{path}, ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	stem.Vocabulary = c.Words()
	again, _, err := Load(t.Context(), []string{"source/testdata/pets.vw"}, stem)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}
