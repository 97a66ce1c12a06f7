package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// numbered makes a corpus file of documents of different lengths, some empty, every
// third without an id.
func numbered(t *testing.T, docs int) *Corpus {
	t.Helper()
	var b Builder
	for d := range docs {
		var words []string
		for i := range d % 7 {
			words = append(words, fmt.Sprint("w", (d*i)%23))
		}
		doc := Document{Tokens: words, Label: fmt.Sprint("label", d), Time: fmt.Sprint(1000 + d)}
		if d%3 > 0 {
			doc.ID = fmt.Sprint("id", d)
		}
		b.Add(doc)
	}
	path := filepath.Join(t.TempDir(), "c.topoi")
	if err := b.Corpus().Save(path); err != nil {
		t.Fatal(err)
	}
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// same checks a selection against the documents it was made from.
func same(t *testing.T, what string, v, c *Corpus, docs []uint32) {
	t.Helper()
	if v.NumDocs() != len(docs) || v.NumWords() != c.NumWords() || v.Whole() != c.Whole() {
		t.Fatalf("%s: %d documents, %d words", what, v.NumDocs(), v.NumWords())
	}
	var tokens []uint32
	for i, d := range docs {
		n := int(d)
		if !slices.Equal(v.Doc(i), c.Doc(n)) || v.ID(i) != c.ID(n) || v.Label(i) != c.Label(n) || v.Time(i) != c.Time(n) || v.Number(i) != c.Number(n) {
			t.Errorf("%s: document %d is %v %s %s %d, want %v %s %s %d", what, i, v.Doc(i), v.ID(i), v.Label(i), v.Number(i), c.Doc(n), c.ID(n), c.Label(n), c.Number(n))
		}
		tokens = append(tokens, c.Doc(n)...)
	}
	if v.NumTokens() != len(tokens) {
		t.Errorf("%s: %d tokens, want %d", what, v.NumTokens(), len(tokens))
	}
	for lo := 0; lo <= len(tokens); lo += 5 {
		for _, hi := range []int{lo, min(lo+7, len(tokens)), len(tokens)} {
			if !slices.Equal(v.TokensBetween(lo, hi), tokens[lo:hi]) {
				t.Errorf("%s: tokens %d to %d differ", what, lo, hi)
			}
		}
	}
}

func TestSelect(t *testing.T) {
	c := numbered(t, 60)
	middle := c.Docs(10, 50)
	for _, docs := range [][]uint32{nil, {0}, {3}, {39}, {7, 8, 9, 10, 14, 21, 22, 39}, {5, 2, 2, 30}} {
		for what, from := range map[string]*Corpus{"whole": c, "view": middle} {
			what = fmt.Sprint(what, docs)
			v := from.Select(docs)
			same(t, what, v, from, docs)
			if n := len(docs); n > 2 {
				same(t, what+" cut", v.Docs(1, n-1), from, docs[1:n-1])
				same(t, what+" twice", v.Select([]uint32{uint32(n - 1), 0}), from, []uint32{docs[n-1], docs[0]})
			}
			tokens := slices.Clone(v.Tokens())
			same(t, what+" in memory", v, from, docs)
			w := from.Select(docs)
			path := filepath.Join(t.TempDir(), "tokens")
			if err := w.Gather(path); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s: the file kept its name", what)
			}
			w.Release(0, w.NumTokens())
			same(t, what+" in a file", w, from, docs)
			if !slices.Equal(w.Tokens(), tokens) || w.Fingerprint() != v.Fingerprint() {
				t.Errorf("%s: other tokens in a file", what)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A selection that is saved is a corpus like any other.
func TestSelectionIsSaved(t *testing.T) {
	c := numbered(t, 40)
	v := c.Select([]uint32{1, 2, 5, 20, 39})
	path := filepath.Join(t.TempDir(), "some.topoi")
	if err := v.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if got.Fingerprint() != v.Fingerprint() || got.NumDocs() != 5 || got.ID(4) != "4" || got.ID(3) != "id20" || got.Label(3) != "label20" || !slices.Equal(got.Doc(3), c.Doc(20)) {
		t.Errorf("%d documents, %s, %s", got.NumDocs(), got.ID(4), got.Label(3))
	}
}

func TestGatherFails(t *testing.T) {
	v := numbered(t, 9).Select([]uint32{3, 5})
	if err := v.Gather(filepath.Join(t.TempDir(), "no", "tokens")); err == nil {
		t.Error("a file was made in a directory that is not there")
	}
	if len(v.Tokens()) != v.NumTokens() {
		t.Error("the selection cannot be read after a fault")
	}
}
