package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/internal/kept"
	"github.com/topoi-lda/topoi/corpus/source"
)

// Whole texts are kept to the byte, line ends included, take less room than they have, survive another import of
// the corpus file, and change neither fingerprint nor snippet.
func TestWholeTexts(t *testing.T) {
	dir := t.TempDir()
	input, texts, size := filepath.Join(dir, "in.jsonl"), []string{}, 0
	var lines strings.Builder
	for d := range 20 {
		text := strings.Repeat(fmt.Sprintf("The %d. speech about trains and stations.\n\nAnother paragraph, für alle. ", d), d)
		texts, size = append(texts, text), size+len(text)
		fmt.Fprintf(&lines, "{\"text\": %q}\n", text)
	}
	if err := os.WriteFile(input, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	load := func(in, out string, snippet int) *Corpus {
		t.Helper()
		o := ImportOptions{Snippet: snippet, MinDF: 1, MaxDF: 1, Source: source.Options{}}
		if _, err := Import(t.Context(), []string{in}, out, o); err != nil {
			t.Fatal(err)
		}
		c, err := Open(out)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	whole, short := load(input, filepath.Join(dir, "whole.topoi"), wholeText), load(input, filepath.Join(dir, "short.topoi"), usualSnippet)
	again := load(filepath.Join(dir, "whole.topoi"), filepath.Join(dir, "again.topoi"), 0)
	if !whole.HasTexts() || short.HasTexts() || whole.Fingerprint() != short.Fingerprint() {
		t.Fatalf("texts %v and %v, fingerprints %s and %s", whole.HasTexts(), short.HasTexts(), whole.Fingerprint(), short.Fingerprint())
	}
	for d, text := range texts {
		if whole.Text(d) != text || again.Text(d) != text || whole.Docs(d, d+1).Text(0) != text || whole.Snippet(d) != short.Snippet(d) || short.Text(d) != "" {
			t.Errorf("document %d: %.60q, imported again %.60q, want %.60q", d, whole.Text(d), again.Text(d), text)
		}
	}
	if stored := len(kept.AppendText(nil, []byte(texts[19]))); stored > len(texts[19])/4 {
		t.Errorf("a text of %d bytes takes %d", len(texts[19]), stored)
	}
	var b Builder
	b.Add(Document{Tokens: []string{"a"}, Text: texts[7]})
	if got := b.Corpus().Text(0); got != texts[7] {
		t.Errorf("built: %.60q", got)
	}
	if err := (&ImportOptions{Snippet: -2}).Validate(); err == nil {
		t.Error("a negative number of characters passes")
	}
}
