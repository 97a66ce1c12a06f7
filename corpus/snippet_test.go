package corpus

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/internal/kept"
	"github.com/topoi-lda/topoi/corpus/source"
)

func TestSnippet(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 5, ""},
		{" \n\t ", 5, ""},
		{"abcde", 5, "abcde"},
		{"abcdef", 5, "abcd…"},
		{"abcde \n", 5, "abcde"},
		{"abcde f", 5, "abcd…"},
		{"  a \r\n\t b\u00a0\u2003c ", 5, "a b c"},
		{"abc def", 5, "abc…"},
		{"abc  def", 4, "abc…"},
		{"äöüß€", 5, "äöüß€"},
		{"日本語の文章です", 5, "日本語の…"},
		{"ab", 1, "…"},
		{"a\xffb", 5, "a\xffb"}, // readers refuse or repair such bytes, so they are not met
	} {
		if got := string(kept.AppendSnippet(nil, []byte(test.text), test.limit)); got != test.want {
			t.Errorf("%d characters of %q: %q, want %q", test.limit, test.text, got, test.want)
		}
	}
}

// shownDocs is an input with titles, longer than a spool keeps in memory.
func shownDocs() string {
	var b strings.Builder
	b.WriteString("id,Headline,text\n")
	for range 3000 {
		b.WriteString("a,\"On \"\"whales\"\"\",\"" + strings.Repeat("The white  whale. ", 60) + "\"\n")
	}
	b.WriteString("b,,short\n")
	return b.String()
}

func TestImportTitlesAndSnippets(t *testing.T) {
	dir := write(t, map[string]string{"news.csv": shownDocs()})
	in := []string{filepath.Join(dir, "news.csv")}
	ctx := context.Background()
	load := func(inputs []string, opts ImportOptions) *Corpus {
		t.Helper()
		opts.MaxDF = 1 // the documents are all alike
		c, _, err := Load(ctx, inputs, opts)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	c := load(in, ImportOptions{Snippet: 500})
	begin := strings.Repeat("The white whale. ", 40)[:499] + "…"
	if c.Title(2999) != `On "whales"` || c.Title(3000) != "" || c.Snippet(2999) != begin || c.Snippet(3000) != "short" {
		t.Errorf("titles %q, %q, snippets %q, %q", c.Title(2999), c.Title(3000), c.Snippet(2999), c.Snippet(3000))
	}
	short, none := load(in, ImportOptions{Snippet: 3}), load(in, ImportOptions{})
	if short.Snippet(0) != "Th…" || none.HasSnippets() || !none.HasTitles() {
		t.Errorf("snippet %q; without any there are %v", short.Snippet(0), none.HasSnippets())
	}
	if c.Fingerprint() != none.Fingerprint() || c.Fingerprint() != short.Fingerprint() {
		t.Error("the length of snippets makes another corpus")
	}
	text := load(in, ImportOptions{Source: source.Options{TitleField: "id", TextFields: []string{"Headline"}}, Snippet: 10})
	if text.Title(0) != "a" || text.Snippet(0) != `On "whale…` {
		t.Errorf("title %q, snippet %q", text.Title(0), text.Snippet(0))
	}

	// Titles and snippets pass through another import, with and without documents left out.
	path := filepath.Join(dir, "c.topoi")
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	pruned := load([]string{path}, ImportOptions{MinCF: 2, DropEmpty: true})
	if pruned.NumDocs() != 3000 || pruned.Title(0) != c.Title(0) || pruned.Snippet(2999) != begin {
		t.Errorf("%d documents, title %q, snippet %q", pruned.NumDocs(), pruned.Title(0), pruned.Snippet(2999))
	}
}

// TestTokensHaveNoSnippets: what was cut by others cannot be shown as text.
func TestTokensHaveNoSnippets(t *testing.T) {
	c, _ := load(t, tokenSource("a b"), ImportOptions{Snippet: 10})
	defer c.Close()
	if c.HasSnippets() {
		t.Errorf("snippet %q", c.Snippet(0))
	}
}
