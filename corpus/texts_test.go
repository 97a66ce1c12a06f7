package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/text"
)

// TestEachText: words come in reading order, phrases joined, others as NoWord.
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
				if w == NoWord {
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
