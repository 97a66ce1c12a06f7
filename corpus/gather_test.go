package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Words that goroutines count by themselves and words beyond are both counted: those that occur three times or more are
// kept, with any number of goroutines.
func TestCountsOfGivenIDs(t *testing.T) {
	words := []int{1, 2, tallied, tallied + 1, tallied + 2, tallied + 9}
	var entries strings.Builder
	n := 0
	for d := range 40_000 {
		for i, w := range words {
			if i%2 == 0 || d == 39_999 { // every other word occurs once
				fmt.Fprintln(&entries, d+1, w, 1)
				n++
			}
		}
	}
	path := filepath.Join(t.TempDir(), "docword.txt")
	if err := os.WriteFile(path, fmt.Appendf(nil, "40000\n%d\n%d\n%s", 2*tallied, n, entries.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 5} {
		c, _, err := Load(t.Context(), []string{path}, ImportOptions{MinCF: 3, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if c.NumWords() != 3 || c.NumTokens() != 3*40_000 {
			t.Errorf("%d threads: got %d words and %d tokens; want 3 and 120000", threads, c.NumWords(), c.NumTokens())
		}
	}
}
