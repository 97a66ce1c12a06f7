package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSaveLinked(t *testing.T) {
	dir := t.TempDir()
	original := filepath.Join(dir, "original")
	want := FromTokens([][]string{{"a", "b"}, {"b"}, {}})
	if err := want.Save(original); err != nil {
		t.Fatal(err)
	}
	c, err := Open(original)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	same := func(path string) bool {
		a, err1 := os.Stat(original)
		b, err2 := os.Stat(path)
		return err1 == nil && err2 == nil && os.SameFile(a, b)
	}
	check := func(name string, source *Corpus, threshold int, wantLink bool) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := saveLinked(source, path, threshold); err != nil {
			t.Fatal(err)
		}
		got, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Close()
		if got.Fingerprint() != source.Fingerprint() || same(path) != wantLink {
			t.Errorf("%s: fingerprint %s, want %s; linked %v, want %v", name, got.Fingerprint(), source.Fingerprint(), same(path), wantLink)
		}
	}
	check("linked", c, 0, true)
	check("copied", c, linkBytes, false)
	check("view", c.Docs(0, 2), 0, false)
	check("memory", want, 0, false)
	if err := FromTokens([][]string{{"other"}}).Save(original); err != nil {
		t.Fatal(err)
	}
	check("replaced", c, 0, false)
	var b Builder
	b.Add(Document{Title: "a title", Tokens: []string{"a", "b"}})
	b.Add(Document{Tokens: []string{"b"}})
	b.Add(Document{})
	if err := b.Corpus().Save(original); err != nil {
		t.Fatal(err)
	}
	check("replaced by one with titles", c, 0, false)
	if err := os.Remove(original); err != nil {
		t.Fatal(err)
	}
	check("removed", c, 0, false)
}

func TestWhole(t *testing.T) {
	c := FromTokens([][]string{{"a"}, {"b"}, {"c"}})
	if c.Whole() != c || c.Docs(1, 3).Docs(0, 1).Whole() != c {
		t.Error("a view does not know its corpus")
	}
}
