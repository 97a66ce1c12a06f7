package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/text"
)

// TestEachText: words come in reading order, phrases joined, others as none.
func TestEachText(t *testing.T) {
	dir := t.TempDir()
	var lines []string
	for range 3000 { // more than one block
		lines = append(lines, "the wine of new york, Unknown wine!", "", "york new")
	}
	path := filepath.Join(dir, "texts.txt")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 3} {
		opts := ImportOptions{
			Threads:    threads,
			Vocabulary: MakeStrings([]string{"york", "wine", "new", "new_york"}),
			Text:       text.Options{Languages: []string{"en"}, Phrases: []string{"new york"}},
		}
		got := make([]map[string]int, threads)
		for i := range got {
			got[i] = make(map[string]int)
		}
		err := EachText(t.Context(), []string{path}, opts, func(worker int, words []uint32) {
			var b strings.Builder
			for _, w := range words {
				if w == none {
					b.WriteString("? ")
				} else {
					b.WriteString(opts.Vocabulary.At(int(w)) + " ")
				}
			}
			got[worker][b.String()]++
		})
		if err != nil {
			t.Fatal(err)
		}
		all := make(map[string]int)
		for _, m := range got {
			for s, n := range m {
				all[s] += n
			}
		}
		if all["wine new_york ? wine "] != 3000 || all["york new "] != 3000 || len(all) > 3 {
			t.Errorf("%d threads: %v", threads, all)
		}
	}
	if err := EachText(t.Context(), []string{path}, ImportOptions{}, nil); err == nil || !strings.Contains(err.Error(), "vocabulary") {
		t.Errorf("without a vocabulary: %v", err)
	}
	if entries, _ := os.ReadDir(dir); !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "texts.txt" }) || len(entries) != 1 {
		t.Errorf("files left: %v", entries)
	}
}

// TestEachTextOfOCTIS: a data set of OCTIS keeps the order of words, though its vocabulary gives them ids.
func TestEachTextOfOCTIS(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"corpus.tsv": "red wine red\ttrain\tdrinks\n", "vocabulary.txt": "wine\nred\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var got []uint32
	opts := ImportOptions{Threads: 1, Vocabulary: MakeStrings([]string{"wine", "red"})}
	err := EachText(t.Context(), []string{filepath.Join(dir, "corpus.tsv")}, opts, func(_ int, words []uint32) { got = slices.Clone(words) })
	if want := []uint32{1, 0, 1}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}
