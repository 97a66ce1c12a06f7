package corpus

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
)

// An encoder gives documents that come one by one the words that Load gives them
// together: text, tokens with phrases, and counts.
func TestEncoderAgreesWithLoad(t *testing.T) {
	for name, content := range map[string]string{
		"text.txt":     "New York is a city, a new one\n\nThe dogs of new york\n",
		"text.jsonl":   "\ufeff" + `{"id": "a", "text": "New York dogs"}` + "\n" + `{"text": null, "label": "x"}` + "\n",
		"tokens.jsonl": `{"tokens": ["new", "york", "", "city", "york"], "time": 3}` + "\n" + `{"tokens": []}` + "\n",
		"counts.jsonl": `{"tokens": {"dogs": 2, "cat": 1}}` + "\n" + `{"tokens": {"cat": 3, "city": 1}}` + "\n",
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		opts := ImportOptions{
			Vocabulary: MakeStrings([]string{"dogs", "new_york", "york", "city", "dogs", "new_york_city"}),
			Text:       text.Options{Phrases: []string{"new york", "new_york city"}},
		}
		opts.Source.Format = strings.TrimPrefix(filepath.Ext(name), ".")
		if opts.Source.Format == "txt" {
			opts.Source.Format = "lines"
		}
		want, report, err := Load(t.Context(), []string{path}, opts)
		if err != nil {
			t.Fatal(err)
		}
		got, unknown := encodeAll(t, content, opts)
		if got.NumDocs() != want.NumDocs() || !slices.Equal(got.Tokens(), want.Tokens()) || !slices.Equal(got.Offsets(), want.Offsets()) || int64(unknown) != report.UnknownTokens {
			t.Errorf("%s: %v and %d unknown, want %v and %d", name, got.Tokens(), unknown, want.Tokens(), report.UnknownTokens)
		}
		for d := range want.NumDocs() {
			if got.ID(d) != want.ID(d) || got.Label(d) != want.Label(d) || got.Time(d) != want.Time(d) {
				t.Errorf("%s, document %d: %s, want %s", name, d, got.ID(d), want.ID(d))
			}
		}
		want.Close()
	}
}

func encodeAll(t *testing.T, content string, opts ImportOptions) (c *Corpus, unknown int) {
	t.Helper()
	e, err := NewEncoder(opts)
	if err != nil {
		t.Fatal(err)
	}
	src, err := source.OpenStream("test", strings.NewReader(content), opts.Source)
	if err != nil {
		t.Fatal(err)
	}
	var docs []Encoded
	for {
		var doc source.Document
		if err := src.Next(&doc); err == io.EOF {
			return e.Corpus(0, docs), unknown
		} else if err != nil {
			t.Fatal(err)
		}
		d, err := e.Encode(&doc, src)
		if err != nil {
			t.Fatal(err)
		}
		docs, unknown = append(docs, d), unknown+d.Unknown
	}
}

// Documents that come later go on with the numbers.
func TestEncoderNumbers(t *testing.T) {
	e, err := NewEncoder(ImportOptions{Vocabulary: MakeStrings([]string{"cat"})})
	if err != nil {
		t.Fatal(err)
	}
	c := e.Corpus(7, []Encoded{{Words: []uint32{0}}, {ID: "x"}})
	if c.Number(1) != 8 || c.ID(0) != "7" || c.ID(1) != "x" {
		t.Errorf("%d, %s, %s", c.Number(1), c.ID(0), c.ID(1))
	}
	if _, err := NewEncoder(ImportOptions{}); err == nil {
		t.Error("an encoder without a vocabulary was made")
	}
}

// Clones give the same words, at the same time.
func TestEncoderClones(t *testing.T) {
	e, err := NewEncoder(ImportOptions{Vocabulary: MakeStrings([]string{"dogs", "city"})})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		clone := e.Clone()
		group.Go(func() {
			for range 100 {
				words, unknown := clone.Text([]byte("City dogs, dogs and cats"))
				if !slices.Equal(words, []uint32{0, 0, 1}) || unknown != 1 {
					t.Errorf("got %v and %d unknown", words, unknown)
				}
			}
		})
	}
	group.Wait()
}
