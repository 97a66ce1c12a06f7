package guide

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
)

// A model whose documents are gone can be neither edited nor updated nor followed through time: the error names the file.
func TestDocumentsThatAreGone(t *testing.T) {
	c, z := small()
	dir := filepath.Join(t.TempDir(), "model")
	if err := told(t, c, []float64{1, 1, 1, 1}, z, nil).Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "corpus.topoi")); err != nil {
		t.Fatal(err)
	}
	m, err := topoi.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	_, edit := Edit(t.Context(), m, Edits{Merge: [][]int{{0, 1}}})
	_, update := Update(t.Context(), m, c, UpdateOptions{})
	_, drift := Drift(m, "year", 0.5, nil, 3)
	for what, err := range map[string]error{"an edit": edit, "an update": update, "a drift": drift} {
		if err == nil || !strings.Contains(err.Error(), "the model's documents are missing: put the training corpus at "+dir) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
