package source

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// An option that the format cannot honour is refused with the formats that can, whether the format was given or guessed.
func TestOptionsOfOtherFormats(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	octis := file("corpus.tsv", "cat dog\ttrain\tpets\nfish bird\ttest\tother\n")
	table := file("a.csv", "id,text\n1,cat dog\n")
	lines := file("a.jsonl", `{"text":"cat dog"}`+"\n")
	for _, c := range []struct {
		path   string
		o      Options
		option string
		by     string
	}{
		{octis, Options{TextFields: []string{"nonsense"}}, "TextFields", "csv, tsv, xlsx, jsonl or parquet"},
		{octis, Options{LabelField: "3"}, "LabelField", "csv, tsv, xlsx, jsonl or parquet"},
		{table, Options{Sheet: "1"}, "Sheet", "is xlsx"},
		{table, Options{Partition: "train"}, "Partition", "is octis"},
		{table, Options{VocabPath: octis}, "VocabPath", "uci, lda-c"},
		{table, Options{Orientation: "docs-cols"}, "Orientation", "matrix-market"},
		{table, Options{IndexBase: "0"}, "IndexBase", "is svmlight"},
		{table, Options{NamePattern: "{date}.txt"}, "NamePattern", "is text"},
		{table, Options{Round: true}, "Round", "uci"},
		{lines, Options{Delimiter: ";"}, "Delimiter", "is csv"},
		{lines, Options{Header: "no"}, "Header", "csv, tsv or xlsx"},
		{lines, Options{Quote: "'"}, "Quote", "csv or tsv"},
		{lines, Options{NoQuotes: true}, "NoQuotes", "csv or tsv"},
		{table, Options{Format: "lines", IDField: "id"}, "IDField", "csv"},
		{table, Options{Format: "lines", TimeField: "id"}, "TimeField", "csv"},
		{table, Options{Format: "lines", TitleField: "id"}, "TitleField", "csv"},
		{table, Options{Format: "lines", TokensField: "id"}, "TokensField", "csv"},
	} {
		r, err := Open([]string{c.path}, c.o)
		if err == nil {
			r.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "has no use for Options."+c.option) || !strings.Contains(err.Error(), c.by) {
			t.Errorf("%s of %s: %v", c.option, filepath.Base(c.path), err)
		}
	}
	for _, h := range new(Options).honours() {
		if _, ok := reflect.TypeFor[Options]().FieldByName(h.name); !ok || h.given {
			t.Errorf("%s: an option %v, given %v", h.name, ok, h.given)
		}
		for _, name := range h.by {
			if formatByName(name) == nil {
				t.Errorf("%s: there is no format %s", h.name, name)
			}
		}
	}
}
