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
	fmt.Fprintf(&b, "format %s\ncontent %s\n", r.Format().Name, []string{"text", "tokens", "ids"}[r.Content()])
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
		{name: "csv-numbered", inputs: []string{"noheader.csv"}, opts: Options{TextField: "4", IDField: "1", TimeField: "2"}},
		{name: "tsv", inputs: []string{"header.tsv"}},
		{name: "tsv-tokens", inputs: []string{"tokens.tsv"}},
		{name: "text-dir", inputs: []string{"texts"}},
		{name: "text-glob", inputs: []string{"texts/*/*.txt"}},
		{name: "text-pattern", inputs: []string{"texts"}, opts: Options{Pattern: "*.md"}},
		{name: "lines", inputs: []string{"lines.txt"}},
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
