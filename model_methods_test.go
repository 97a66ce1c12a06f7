package topoi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The description of a model says what it was trained on and how, and leaves to the authors what it does not know.
func TestMethods(t *testing.T) {
	m := handModel(3)
	m.manifest.Program, m.manifest.Draws = "v1.2.3", 16
	m.manifest.Pipeline = []byte(`{"version":4,"languages":["de","fr"],"stop_words":["x","y"],"stem":true,"pieces":300,"phrases":["a b"]}`)
	const unknown = "[Say how the number of topics was chosen.]"
	says(t, m.Methods(), "5 pieces of documents, of about 300 words each,", "23 tokens", m.manifest.Corpus, "Stop words were dropped (de, fr)",
		"list of our own was dropped too (2 words)", "stems", "pairs of words (1)", unknown, "topoi v1.2.3", "sampler gibbs, seed 18446744073709551615, 30 sweeps",
		"α and β were estimated", "average of the last 16 states", m.Fingerprint())

	m.manifest.Pipeline = []byte(`{"version":4,"languages":["auto","en"]}`)
	m.manifest.Options.OptimizeInterval, m.manifest.Options.Holdout = -1, 0.1
	says(t, m.Methods(), "5 documents", "each document's language", "α and β were fixed", "A share of 0.1")
	m.manifest.Pipeline = nil
	says(t, m.Methods(), "counts of words")

	part, err := m.Where(t.Context(), "label = 'label 0'")
	if err != nil {
		t.Fatal(err)
	}
	says(t, part.Methods(), `satisfy "label = 'label 0'"`)

	dir := filepath.Join(t.TempDir(), "news.sweep")
	path := filepath.Join(dir, "models", "k3-seed1")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(path, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	said := `{"topics":4,"reasons":["held-out documents are predicted best with 4 topics","all other numbers are worse"]}`
	if err := os.WriteFile(filepath.Join(dir, "recommendation.json"), []byte(said), 0o666); err != nil {
		t.Fatal(err)
	}
	swept, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer swept.Close()
	got := swept.Methods()
	says(t, got, "suggested 4 topics: held-out documents are predicted best with 4 topics; all other numbers are worse.", "[Say why 3 were taken.]")
	if strings.Contains(got, unknown) {
		t.Errorf("the sweep is not known: %s", got)
	}
}

func says(t *testing.T, text string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
}
