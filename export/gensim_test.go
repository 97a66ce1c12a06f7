package export

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi"
)

// gensimPython returns a Python that has gensim. Without one the test is skipped,
// or fails if TOPOI_REQUIRE_GENSIM=1.
func gensimPython(t *testing.T) string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import gensim, scipy.sparse").Run() == nil {
			return python
		}
	}
	if os.Getenv("TOPOI_REQUIRE_GENSIM") == "1" {
		t.Fatal("no Python with gensim: install the package python3-gensim")
	}
	t.Skip("skipped: no Python with gensim (TOPOI_REQUIRE_GENSIM=1 makes this a failure)")
	return ""
}

// gensimView is an export as gensim and SciPy read it.
type gensimView struct {
	Phi          [][]float64 // topics × words
	Alpha        []float64
	Theta        []float64 // sum of the shares that gensim infers for each document
	Words        []string
	DocFrequency []int      `json:"doc_frequency"`
	Docs         [][][2]int // pairs of a word and its number
	TopicWords   [][]uint32 `json:"topic_words"` // n_wk
	DocTopics    [][]uint32 `json:"doc_topics"`  // n_dk
}

// openByGensim writes m for gensim and SciPy and has them open it.
func openByGensim(t *testing.T, m *topoi.Model) (v gensimView) {
	python := gensimPython(t)
	dir := t.TempDir()
	args := []string{filepath.Join("testdata", "gensimcheck.py")}
	for _, part := range []struct{ format, name string }{
		{"gensim", "gensim"}, {"npz-topic-words", "words.npz"}, {"npz-doc-topics", "docs.npz"},
	} {
		path := filepath.Join(dir, part.name)
		if err := Write(t.Context(), m, part.format, path, Options{}); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	cmd := exec.CommandContext(t.Context(), python, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestGensimOpensItsFiles finds the model in what gensim and SciPy read.
func TestGensimOpensItsFiles(t *testing.T) {
	m := goldenModel(t)
	v := openByGensim(t, m)
	v.checkTopics(t, m)
	v.checkDocs(t, m)
}

func (v *gensimView) checkTopics(t *testing.T, m *topoi.Model) {
	if !slices.Equal(v.Words, m.Words().List()) {
		t.Errorf("words %q", v.Words)
	}
	beta, totals := m.Beta(), m.TopicTotals()
	for w := range m.NumWords() {
		want := make([]uint32, m.NumTopics())
		for _, c := range m.Row(w) {
			want[c.Topic] = c.Count
		}
		for k, n := range want {
			if v.TopicWords[k][w] != n {
				t.Errorf("word %d, topic %d: %d tokens, want %d", w, k, v.TopicWords[k][w], n)
			}
			phi := (float64(n) + beta) / (float64(totals[k]) + beta*float64(m.NumWords()))
			if math.Abs(v.Phi[k][w]-phi) > 1e-6 { // they are float32 in gensim
				t.Errorf("word %d, topic %d: φ %g, want %g", w, k, v.Phi[k][w], phi)
			}
		}
	}
	for k, a := range m.Alpha() {
		if math.Abs(v.Alpha[k]-a) > 1e-6*a {
			t.Errorf("topic %d: α %g, want %g", k, v.Alpha[k], a)
		}
	}
}

func (v *gensimView) checkDocs(t *testing.T, m *topoi.Model) {
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	frequency := make([]int, m.NumWords())
	for d := range docs.NumDocs() {
		words, topics := make([]int, m.NumWords()), make([]uint32, m.NumTopics())
		for i, w := range docs.Doc(d) {
			words[w]++
			topics[m.Topic(int(docs.Offsets()[d])+i)]++
		}
		got := make([]int, m.NumWords())
		for _, pair := range v.Docs[d] {
			got[pair[0]] += pair[1]
			frequency[pair[0]]++
		}
		if !slices.Equal(got, words) {
			t.Errorf("document %d has words %v, want %v", d, got, words)
		}
		if !slices.Equal(v.DocTopics[d], topics) {
			t.Errorf("document %d has topics %v, want %v", d, v.DocTopics[d], topics)
		}
		if math.Abs(v.Theta[d]-1) > 1e-4 {
			t.Errorf("document %d: gensim infers shares that add up to %g", d, v.Theta[d])
		}
	}
	if !slices.Equal(v.DocFrequency, frequency) {
		t.Errorf("document frequencies %v, want %v", v.DocFrequency, frequency)
	}
}
