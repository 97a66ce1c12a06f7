package corpus

import (
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawBuilder draws a corpus of a few documents; ids, labels and so on are
// each present or absent as a whole, or here and there.
func drawBuilder(t *rapid.T) *Builder {
	word := rapid.StringMatching(`[a-dé]{1,3}`)
	tag := rapid.SampledFrom([]string{"", "x", "1999", "naïve id"})
	var b Builder
	for range rapid.IntRange(0, 8).Draw(t, "docs") {
		b.Add(Document{
			ID: tag.Draw(t, "id"), Label: tag.Draw(t, "label"), Time: tag.Draw(t, "time"),
			Title: tag.Draw(t, "title"), Snippet: tag.Draw(t, "snippet"),
			Tokens: rapid.SliceOfN(word, 0, 12).Draw(t, "tokens"),
		})
	}
	return &b
}

// sameContent fails the test unless a and b hold the same.
func sameContent(t rapid.TB, a, b *Corpus) {
	t.Helper()
	if !slices.Equal(a.Offsets(), b.Offsets()) {
		t.Fatalf("offsets %v and %v", a.Offsets(), b.Offsets())
	}
	if !slices.Equal(a.Tokens(), b.Tokens()) {
		t.Fatalf("tokens %v and %v", a.Tokens(), b.Tokens())
	}
	if !slices.Equal(a.Words().List(), b.Words().List()) {
		t.Fatalf("words %q and %q", a.Words().List(), b.Words().List())
	}
	if a.HasIDs() != b.HasIDs() || a.HasLabels() != b.HasLabels() || a.HasTimes() != b.HasTimes() ||
		a.HasTitles() != b.HasTitles() || a.HasSnippets() != b.HasSnippets() {
		t.Fatal("not the same lists")
	}
	for d := range a.NumDocs() {
		if a.ID(d) != b.ID(d) || a.Label(d) != b.Label(d) || a.Time(d) != b.Time(d) {
			t.Fatalf("document %d: (%q, %q, %q) and (%q, %q, %q)", d,
				a.ID(d), a.Label(d), a.Time(d), b.ID(d), b.Label(d), b.Time(d))
		}
		if a.Title(d) != b.Title(d) || a.Snippet(d) != b.Snippet(d) {
			t.Fatalf("document %d: (%q, %q) and (%q, %q)", d, a.Title(d), a.Snippet(d), b.Title(d), b.Snippet(d))
		}
	}
	if string(a.Pipeline()) != string(b.Pipeline()) {
		t.Fatalf("pipelines %q and %q", a.Pipeline(), b.Pipeline())
	}
	if a.Fingerprint() != b.Fingerprint() {
		t.Fatal("fingerprints differ")
	}
}

func TestSaveAndOpen(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		c := drawBuilder(t).Corpus()
		c.pipeline = rapid.SliceOf(rapid.Byte()).Draw(t, "pipeline")
		path := filepath.Join(dir, "c.topoi")
		if err := c.Save(path); err != nil {
			t.Fatal(err)
		}
		opened, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		if err := opened.Verify(); err != nil {
			t.Fatal(err)
		}
		sameContent(t, c, opened)
	})
}

func TestDocsIsTheCorpusOfThoseDocuments(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		c := drawBuilder(t).Corpus()
		lo := rapid.IntRange(0, c.NumDocs()).Draw(t, "lo")
		hi := rapid.IntRange(lo, c.NumDocs()).Draw(t, "hi")
		view := c.Docs(lo, hi)
		if view.NumDocs() != hi-lo || view.Offsets()[0] != 0 || int(view.Offsets()[hi-lo]) != view.NumTokens() {
			t.Fatalf("offsets %v for %d tokens", view.Offsets(), view.NumTokens())
		}
		for d := range view.NumDocs() {
			if !slices.Equal(view.Doc(d), c.Doc(lo+d)) || view.ID(d) != c.ID(lo+d) ||
				view.Label(d) != c.Label(lo+d) || view.Time(d) != c.Time(lo+d) ||
				view.Title(d) != c.Title(lo+d) || view.Snippet(d) != c.Snippet(lo+d) {
				t.Fatalf("document %d of the view is not document %d of the corpus", d, lo+d)
			}
		}
		// A saved view counts its documents from 0, so compare content, not ID.
		path := filepath.Join(dir, "view.topoi")
		if err := view.Save(path); err != nil {
			t.Fatal(err)
		}
		opened, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		if view.Fingerprint() != opened.Fingerprint() || !slices.Equal(view.Tokens(), opened.Tokens()) {
			t.Fatal("the saved view differs from the view")
		}
	})
}

func TestWordsAreNumberedByFrequencyThenBytes(t *testing.T) {
	c := FromTokens([][]string{{"b", "c", "a", "c"}, {}, {"é", "a", "b", "c"}})
	if got, want := c.Words().List(), []string{"c", "a", "b", "é"}; !slices.Equal(got, want) {
		t.Errorf("words %q, want %q", got, want)
	}
	if got, want := c.Tokens(), []uint32{0, 0, 1, 2, 0, 1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("tokens %v, want %v", got, want)
	}
	if got, want := c.Offsets(), []uint64{0, 4, 4, 8}; !slices.Equal(got, want) {
		t.Errorf("offsets %v, want %v", got, want)
	}
	if c.ID(2) != "2" || c.Label(2) != "" || c.Time(2) != "" {
		t.Errorf("document 2 is (%q, %q, %q)", c.ID(2), c.Label(2), c.Time(2))
	}
}

// TestFingerprintSeesEveryPart changes one part at a time.
func TestFingerprintSeesEveryPart(t *testing.T) {
	doc := func(id, label, time string, tokens ...string) Document {
		return Document{ID: id, Label: label, Time: time, Tokens: tokens}
	}
	variants := [][]Document{
		{doc("1", "l", "t", "a", "b"), doc("2", "", "", "a")},
		{doc("1", "l", "t", "a", "c"), doc("2", "", "", "a")},
		{doc("1", "l", "t", "a", "b"), doc("2", "", "", "b")},
		{doc("1", "l", "t", "a"), doc("2", "", "", "a", "b")},
		{doc("1", "l", "t", "a", "b"), doc("3", "", "", "a")},
		{doc("1", "l", "t", "a", "b"), doc("2", "l", "", "a")},
		{doc("1", "l", "t", "a", "b"), doc("2", "", "t", "a")},
		{doc("1", "t", "l", "a", "b"), doc("2", "", "", "a")},
		{doc("", "l", "t", "a", "b"), doc("", "", "", "a")},
	}
	seen := make(map[string]int)
	for i, docs := range variants {
		var b Builder
		for _, d := range docs {
			b.Add(d)
		}
		f := b.Corpus().Fingerprint()
		if j, ok := seen[f]; ok {
			t.Errorf("variants %d and %d have the same fingerprint", i, j)
		}
		seen[f] = i
	}
}

func TestFromIDsSortsAndRefuses(t *testing.T) {
	c := FromIDs([]string{"x", "y", "z"}, [][]uint32{{2, 0, 2}, {}, {1}})
	if got, want := c.Tokens(), []uint32{0, 2, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("tokens %v, want %v", got, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("an id beyond the vocabulary was accepted")
		}
	}()
	FromIDs([]string{"x"}, [][]uint32{{1}})
}
