package source

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files from what the readers return")

// dump writes everything that a reader says about its inputs as text.
func dump(r *Reader) (string, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "format %s\ncontent %v\n", r.Format().Name, r.Content())
	var doc Document
	for {
		err := r.Next(&doc)
		if err == io.EOF {
			break
		}
		if err != nil {
			return b.String(), err
		}
		fmt.Fprintf(&b, "doc id=%q label=%q time=%q", doc.ID, doc.Label, doc.Time)
		if len(doc.Title) > 0 {
			fmt.Fprintf(&b, " title=%q", doc.Title)
		}
		switch r.Content() {
		case ContentText:
			fmt.Fprintf(&b, " text=%q", doc.Text)
		case ContentTokens:
			fmt.Fprintf(&b, " tokens=%q", doc.Tokens)
		case ContentIDs:
			for i, w := range doc.Words {
				fmt.Fprintf(&b, " %d:%d", w, doc.Counts[i])
			}
		}
		b.WriteByte('\n')
	}
	vocab, err := r.Vocabulary()
	if err != nil {
		return b.String(), err
	}
	fmt.Fprintf(&b, "words %d\nvocabulary %q\n", r.NumWords(), vocab)
	return b.String(), nil
}

// TestGolden reads the small inputs of testdata and compares everything that
// comes out with testdata/golden/NAME.txt. Run with -update to accept changes.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name   string
		inputs []string
		opts   Options
	}{
		{name: "uci", inputs: []string{"docword.pets.txt"}},
		{name: "uci-two-inputs", inputs: []string{"docword.pets.txt", "docword.pets.txt"}},
		{name: "mallet-tabs", inputs: []string{"mallet-tabs.txt"}},
		{name: "mallet-blanks", inputs: []string{"mallet-blanks.txt"}, opts: Options{Format: "mallet"}},
		{name: "csv", inputs: []string{"quotes.csv"}},
		{name: "csv-semicolon-bom", inputs: []string{"semicolon.csv"}},
		{name: "csv-numbered", inputs: []string{"noheader.csv"}, opts: Options{TextFields: []string{"4"}, IDField: "1", TimeField: "2"}},
		{name: "tsv", inputs: []string{"header.tsv"}},
		{name: "tsv-tokens", inputs: []string{"tokens.tsv"}},
		{name: "text-dir", inputs: []string{"texts"}},
		{name: "text-glob", inputs: []string{"texts/*/*.txt"}},
		{name: "text-pattern", inputs: []string{"texts"}, opts: Options{Pattern: "*.md"}},
		{name: "lines", inputs: []string{"lines.txt"}},
		{name: "lda-c", inputs: []string{"pets.ldac"}},
		{name: "svmlight", inputs: []string{"pets.svm"}, opts: Options{VocabPath: "testdata/vocab.pets.txt"}},
		{name: "svmlight-base-0", inputs: []string{"pets.svm"}, opts: Options{IndexBase: "0"}},
		{name: "svmlight-words", inputs: []string{"words.svm"}},
		{name: "jsonl", inputs: []string{"text.jsonl"}, opts: Options{TimeField: "meta.when"}},
		{name: "xlsx", inputs: []string{"books.xlsx"}, opts: Options{Sheet: "reviews"}},
		{name: "xlsx-first-sheet", inputs: []string{"books.xlsx"}},
		{name: "xlsx-inline", inputs: []string{"inline.xlsx"}, opts: Options{TimeField: "zeit", LabelField: "3"}},
		{name: "jsonl-title", inputs: []string{"titles.jsonl"}},
		{name: "csv-title", inputs: []string{"titles.csv"}},
		{name: "csv-title-numbered", inputs: []string{"noheader.csv"}, opts: Options{TextFields: []string{"4"}, TitleField: "3"}},
		{name: "jsonl-tokens", inputs: []string{"tokens.jsonl"}},
		{name: "jsonl-counts", inputs: []string{"counts.jsonl"}, opts: Options{TokensField: "a.b"}},
		{name: "matrix-market", inputs: []string{"docs.mtx"}},
		{name: "matrix-market-columns", inputs: []string{"docs.mtx"}, opts: Options{Orientation: "docs-cols"}},
		{name: "matrix-market-vocabulary", inputs: []string{"docs.mtx"}, opts: Options{VocabPath: "testdata/vocab.pets.txt"}},
		{name: "matrix-market-round", inputs: []string{"real.mtx"}, opts: Options{Round: true}},
		{name: "matrix-market-pattern", inputs: []string{"pattern.mtx"}, opts: Options{VocabPath: "testdata/vocab.pets.txt"}},
		{name: "npz-csr", inputs: []string{"npz/csr.npz"}},
		{name: "npz-csr-columns", inputs: []string{"npz/csr.npz"}, opts: Options{Orientation: "docs-cols"}},
		{name: "npz-csr-deflated", inputs: []string{"npz/deflated.npz"}},
		{name: "npz-csc", inputs: []string{"npz/csc.npz"}},
		{name: "npz-csc-columns", inputs: []string{"npz/int64-indices.npz"}, opts: Options{Orientation: "docs-cols"}},
		{name: "npz-coo", inputs: []string{"npz/coo.npz"}},
		{name: "npz-bool", inputs: []string{"npz/bool.npz"}},
		{name: "npz-doubled", inputs: []string{"npz/doubled.npz"}},
		{name: "npz-round", inputs: []string{"npz/tfidf.npz"}, opts: Options{Round: true}},
		{name: "npy", inputs: []string{"npz/rows.npy"}},
		{name: "npy-columns", inputs: []string{"npz/rows.npy"}, opts: Options{Orientation: "docs-cols"}},
		{name: "npy-fortran", inputs: []string{"npz/fortran.npy"}},
		{name: "npy-big-endian", inputs: []string{"npz/big-endian.npy"}},
		{name: "10x-directory", inputs: []string{"tenx"}},
		{name: "10x-matrix", inputs: []string{"tenx/matrix.mtx"}},
		{name: "octis", inputs: []string{"octis"}},
		{name: "octis-partition", inputs: []string{"octis/corpus.tsv"}, opts: Options{Partition: "test"}},
		{name: "octis-tokens", inputs: []string{"partitions.tsv"}},
		{name: "gibbslda", inputs: []string{"gibbs.txt"}},
		{name: "yahoo", inputs: []string{"yahoo.txt"}, opts: Options{Format: "yahoo"}},
		{name: "vw", inputs: []string{"pets.vw"}},
		{name: "vw-two-inputs", inputs: []string{"pets.vw", "more.vw"}},
		{name: "mallet-state", inputs: []string{"state.txt"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inputs := make([]string, len(c.inputs))
			for i, in := range c.inputs {
				inputs[i] = filepath.Join("testdata", in)
			}
			r, err := Open(inputs, c.opts)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			got, err := dump(r)
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", "golden", c.name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
