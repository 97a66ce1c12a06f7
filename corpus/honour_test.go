package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source"
)

// Documents that are no texts cannot be cut into pieces, and importing them so is an error.
func TestPiecesOfCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.tsv")
	if err := os.WriteFile(path, []byte("cat dog\ttrain\tpets\nfish bird\ttest\tother\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Load(t.Context(), []string{path}, ImportOptions{Source: source.Options{Pieces: 50}})
	if err == nil || !strings.Contains(err.Error(), "Options.Pieces has nothing to cut") {
		t.Error(err)
	}
}
