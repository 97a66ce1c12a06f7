package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/internal/limits"
)

// loadLines loads a file of one document per line.
func loadLines(t *testing.T, opts ImportOptions, lines ...string) (*Corpus, *Report) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "docs.txt")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	opts.Source.Format = "lines"
	c, report, err := Load(t.Context(), []string{path}, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, report
}

const german = "Der Fluss war in der Nacht gestiegen, und am Morgen stand das Wasser unter der Brücke."

func TestLanguageIsFoundAndKept(t *testing.T) {
	c, report := loadLines(t, ImportOptions{}, german, german)
	if got, want := show(c), "0: brücke fluss gestiegen morgen nacht stand wasser\n"; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	opts, _, err := c.TextOptions()
	if err != nil || !reflect.DeepEqual(opts.Languages, []string{"auto", "de", "zh", "ja", "ko"}) {
		t.Errorf("kept options %+v, %v", opts, err)
	}
	if r := report.Text; !r.Detected || r.Detection.Found.Code != "de" || r.SampleDocs != 2 {
		t.Errorf("report %+v", r)
	}
	_, report = loadLines(t, ImportOptions{Vocabulary: MakeStrings([]string{"fluss"})}, german)
	if report.Text.Detected {
		t.Error("a language was looked for although the vocabulary is given")
	}
}

// Small corpora keep every word; larger ones lose the rare and the common, but
// never most of their tokens.
func TestDefaultBounds(t *testing.T) {
	lines := func(n int, line func(i int) string) []string {
		var list []string
		for i := range n {
			list = append(list, line(i))
		}
		return list
	}
	distinct := func(i int) string { return fmt.Sprintf("alpha%d beta%d", i, i) }
	for _, c := range []struct {
		name  string
		docs  []string
		opts  ImportOptions
		words int64
	}{
		{"three documents", []string{"ship whale", "ship sea", "ship"}, ImportOptions{}, 3},
		{"all words rare", lines(200, distinct), ImportOptions{}, 400},
		{"a fifth rare", lines(200, func(i int) string { return fmt.Sprintf("ship%d ship%d ship%d sea%d one%d", i%10, i%10, i%5, i%7, i) }), ImportOptions{}, 17},
		{"kept on request", lines(200, func(i int) string { return fmt.Sprintf("harbour ship%d one%d", i%10, i) }), ImportOptions{MinDF: 1, MaxDF: 1}, 211},
		{"common", lines(200, func(i int) string { return fmt.Sprintf("harbour ship%d", i%10) }), ImportOptions{}, 10},
		{"few at most", lines(200, func(i int) string { return fmt.Sprintf("harbour ship%d one%d", i%10, i) }), ImportOptions{MaxDF: 1.0 / 200}, 200},
	} {
		if _, report := loadLines(t, c.opts, c.docs...); report.Words != c.words {
			t.Errorf("%s: %d words, want %d; %+v", c.name, report.Words, c.words, report.Text)
		}
	}
}

func TestDefaultsOfBounds(t *testing.T) {
	for docs, want := range map[int64][3]int64{3: {1, 3, 3}, 19: {1, 19, 19}, 99: {1, 49, 89}, 100: {2, 50, 90}, 5_000: {3, 2_500, 4_500}, 20_000: {5, 10_000, 18_000}} {
		if got := [3]int64{limits.MinDF(docs), limits.MaxDF(docs, 100*docs), limits.MaxDF(docs, 1000*docs)}; got != want {
			t.Errorf("%d documents: %v, want %v", docs, got, want)
		}
	}
}

// Tokens and counts are the user's own choice and stay whole.
func TestTokensAreNotPruned(t *testing.T) {
	var docs []string
	for i := range 200 {
		docs = append(docs, fmt.Sprintf("the harbour one%d", i))
	}
	c, report := load(t, tokenSource(docs...), ImportOptions{})
	defer c.Close()
	if report.Words != 202 || report.Text.Detected {
		t.Errorf("%d words of tokens, want 202; %+v", report.Words, report.Text)
	}
}
