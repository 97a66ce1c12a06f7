package source

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
		{table, Options{Round: true}, "Round", "lda-c"},
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
}

// samples has an input of each format.
var samples = map[string]string{
	"text": "texts", "lines": "lines.txt", "csv": "quotes.csv", "tsv": "header.tsv", "jsonl": "text.jsonl",
	"xlsx": "books.xlsx", "parquet": "", "mallet": "mallet-tabs.txt", "mallet-state": "state.txt",
	"uci": "docword.pets.txt", "lda-c": "pets.ldac", "svmlight": "pets.svm", "matrix-market": "docs.mtx",
	"npz": "npz/csr.npz", "npy": "npz/rows.npy", "10x": "tenx", "octis": "octis", "gibbslda": "gibbs.txt",
	"yahoo": "yahoo.txt", "vw": "pets.vw",
}

// sample returns the path of an input of a format.
func sample(t *testing.T, format string) string {
	name, ok := samples[format]
	if !ok {
		t.Fatalf("there is no sample of the format %s", format)
	}
	if format != "parquet" {
		return filepath.Join("testdata", name)
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := os.WriteFile(path, parquetBytes(t, parquetRows300()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every option is refused by exactly those formats that cannot honour it.
func TestOptionsOfAllFormats(t *testing.T) {
	asked := map[string]Options{
		"TextFields": {TextFields: []string{"x"}}, "IDField": {IDField: "x"}, "LabelField": {LabelField: "x"},
		"TimeField": {TimeField: "x"}, "TitleField": {TitleField: "x"}, "TokensField": {TokensField: "x"},
		"VocabPath": {VocabPath: "x"}, "IndexBase": {IndexBase: "0"}, "Orientation": {Orientation: "docs-cols"},
		"Round": {Round: true}, "Delimiter": {Delimiter: ";"}, "Header": {Header: "no"}, "Sheet": {Sheet: "x"},
		"Quote": {Quote: "'"}, "NoQuotes": {NoQuotes: true}, "Pattern": {Pattern: "*"},
		"NamePattern": {NamePattern: "{date}.txt"}, "Partition": {Partition: "train"},
		"Columns": {Columns: []string{"x"}}, "Encoding": {Encoding: "latin1"}, "RepairUTF8": {RepairUTF8: true},
	}
	absent := []string{ // what they name
		"TextFields", "IDField", "LabelField", "TimeField", "TitleField", "TokensField", "VocabPath", "Sheet", "Columns",
	}
	loose := []string{"jsonl", "text"} // whose documents may lack what others have
	everywhere := []string{"Format", "Where", "Ordered", "Pieces", "UniqueIDs", "Part", "Parts", "TempDir", "Threads"}
	byName := map[string]honoured{}
	for _, h := range new(Options).honours() {
		if byName[h.name] = h; h.given {
			t.Errorf("%s is given by default", h.name)
		}
	}
	for _, f := range Formats() {
		path := sample(t, f.Name)
		for name, o := range asked {
			o.Format = f.Name
			r, err := Open([]string{path}, o)
			if err == nil {
				r.Close()
			}
			fault := "it is read as " + f.Name + ", which has no use for Options." + name
			refused := err != nil && strings.Contains(err.Error(), fault)
			if refused == slices.Contains(byName[name].by, f.Name) {
				t.Errorf("%s of %s: %v", name, f.Name, err)
			}
			if slices.Contains(absent, name) && err == nil && !slices.Contains(loose, f.Name) {
				t.Errorf("%s of %s: nobody looked for what is not there", name, f.Name)
			}
		}
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		_, tried := asked[field.Name]
		_, known := byName[field.Name]
		if field.IsExported() && (tried != known || known == slices.Contains(everywhere, field.Name)) {
			t.Errorf("%s: which formats honour it?", field.Name)
		}
	}
	for name, h := range byName {
		for _, by := range h.by {
			if formatByName(by) == nil {
				t.Errorf("%s: there is no format %s", name, by)
			}
		}
	}
}

// The formats that may round counts do.
func TestRound(t *testing.T) {
	for format, text := range map[string]string{
		"lda-c": "1 0:1.5\n", "svmlight": "1 1:1.5\n", "vw": "a | cat:1.5\n", "jsonl": `{"tokens":{"cat":1.5}}` + "\n",
		"matrix-market": "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1.5\n", "npz": "npz/tfidf.npz",
	} {
		path := filepath.Join("testdata", text)
		if format != "npz" {
			path = filepath.Join(t.TempDir(), "a")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, round := range []bool{false, true} {
			r, err := Open([]string{path}, Options{Format: format, Round: round})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := dump(r); (err == nil) != round {
				t.Errorf("%s, rounded %v: %v", format, round, err)
			}
			r.Close()
		}
	}
}
