package figures

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	_ "github.com/topoi-lda/topoi/corpus/source/all"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/svg"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// small is a corpus on which every figure takes a moment.
func small(t *testing.T) *corpus.Corpus {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.topoi")
	if _, err := corpus.Generate(t.Context(), path, corpus.GenerateOptions{Docs: 100, Words: 200, MeanLength: 20, Topics: 5}); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

var (
	from       = flag.String("from", "", "`input` instead of a generated corpus; may be a directory of UCI files")
	numTopics  = flag.Int("k", 0, "`number` of topics (default: the figure's own)")
	iterations = flag.Int("sweeps", 0, "`number` of sweeps (default: the figure's own)")
	to         = flag.String("to", "out", "`directory` for pictures and tables")
)

// The figures that are named, at full size.
func TestDraw(t *testing.T) {
	if flag.NArg() == 0 {
		t.Skip("name figures to have them drawn")
	}
	t.Chdir("../..")
	opts := Options{Topics: *numTopics, Iterations: *iterations, Threads: runtime.GOMAXPROCS(0)}
	opts.Progress = func(run string) { fmt.Println("running", run) }
	if *from != "" {
		opts.Corpus, opts.Name = open(t, *from)
	}
	for _, name := range flag.Args() {
		result, err := Draw(t.Context(), name, opts)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Join(*to, name)
		err = errors.Join(
			os.MkdirAll(*to, 0o755),
			wholefile.Write(base+".svg", result.WriteSVG),
			wholefile.Write(base+".csv", result.WriteCSV),
		)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("saved", base+".svg and .csv")
	}
}

// open opens any input, or the UCI files of a directory, and says what titles call it.
func open(t *testing.T, path string) (*corpus.Corpus, string) {
	t.Helper()
	inputs, opts := []string{path}, corpus.ImportOptions{}
	docs, _ := filepath.Glob(filepath.Join(path, "docword.*")) // the pattern is a valid one
	vocab, _ := filepath.Glob(filepath.Join(path, "vocab.*"))
	if len(docs) == 1 && len(vocab) == 1 {
		inputs, opts.Source.Format, opts.Source.VocabPath = docs, "uci", vocab[0]
	}
	c, _, err := corpus.Load(t.Context(), inputs, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	name, _, _ := strings.Cut(filepath.Base(filepath.Clean(path)), ".")
	return c, name
}

// Every figure must run, and every series must have finite points.
func TestEveryFigure(t *testing.T) {
	c := small(t)
	for _, f := range Figures() {
		t.Run(f.Name, func(t *testing.T) {
			opts := Options{Corpus: c, Name: "small", Topics: 4, Iterations: 2, Threads: 2}
			if f.Name == "butterfly" {
				opts.Topics = 8 // 4 and 8
			}
			if f.data.Docs == enronLike.Docs {
				opts.Topics = 64 // 32 and 64
			}
			result, err := Draw(t.Context(), f.Name, opts)
			if cuda.Unavailable(err) {
				t.Skip("needs a GPU: ", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			checkCharts(t, result.Charts)
			checkOutputs(t, result)
		})
	}
}

func checkCharts(t *testing.T, charts []svg.Chart) {
	t.Helper()
	for _, chart := range charts {
		if len(chart.Series) == 0 {
			t.Errorf("%s is empty", chart.Title)
		}
		for _, s := range chart.Series {
			if len(s.X) < 2 || len(s.X) != len(s.Y) {
				t.Errorf("%s, %s: %d points", chart.Title, s.Name, len(s.X))
			}
			for i := range s.X {
				if math.IsNaN(s.Y[i]) || math.IsInf(s.Y[i], 0) {
					t.Errorf("%s, %s: %v", chart.Title, s.Name, s.Y[i])
				}
			}
		}
	}
}

// The figures of the GPU without one: what they show is nonsense, but it must be there.
func TestFiguresOfGPUEmulated(t *testing.T) {
	d := emulated.Open(t, "../../internal/cuda/kernels")
	l, err := newLab(t.Context(), Options{Corpus: small(t).Docs(0, 10), Name: "small", Topics: 64, Iterations: 2, Threads: 2}, enronLike)
	if err != nil {
		t.Fatal(err)
	}
	for _, draw := range []func(context.Context, *device.Device) ([]svg.Chart, error){l.speedups, l.panelCharts, l.butterflies} {
		charts, err := draw(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if len(charts) != 2 {
			t.Errorf("%d charts", len(charts))
		}
		checkCharts(t, charts)
	}
}

func checkOutputs(t *testing.T, r *Result) {
	t.Helper()
	var picture, points bytes.Buffer
	if err := r.WriteSVG(&picture); err != nil || !strings.HasSuffix(picture.String(), "</svg>\n") {
		t.Errorf("picture: %v", err)
	}
	if err := r.WriteCSV(&points); err != nil {
		t.Error(err)
	}
	lines, err := csv.NewReader(&points).ReadAll()
	if err != nil || !slices.Equal(lines[0], []string{"panel", "series", "x", "y"}) {
		t.Errorf("table: %v, %v", lines, err)
	}
}

func TestUnknownFigure(t *testing.T) {
	_, err := Draw(context.Background(), "yan2", Options{})
	if err == nil || !strings.Contains(err.Error(), `did you mean "yan-2"?`) {
		t.Error(err)
	}
}

func TestGeneratedCorpusIsCleanedUp(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	if _, err := Draw(t.Context(), "yan-partition", Options{}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// The parts of the likelihood must sum to the whole, and each must be the
// likelihood of its own: a state with all tokens in one topic has
// log p(z) = Σ_d log Γ(Σα)/Γ(Σα + N_d) · Γ(α + N_d)/Γ(α).
func TestLikelihoodParts(t *testing.T) {
	p := sampler.Problem{Offsets: []uint64{0, 2, 3}, Words: []uint32{0, 1, 1}, V: 2, K: 2}
	s, err := registry.New("gibbs", &p)
	if err != nil {
		t.Fatal(err)
	}
	priors := &sampler.Priors{Alpha: []float64{0.5, 0.5}, Beta: 0.1}
	if err := s.Start([]uint32{0, 0, 0}, priors); err != nil {
		t.Fatal(err)
	}
	joint, doc, word := look{sampler: s, priors: priors}.likelihoods(2)
	// Document of 2: (0.5 · 1.5)/(1 · 2); document of 1: 0.5/1.
	if want := math.Log(0.375) + math.Log(0.5); math.Abs(doc-want) > 1e-12 {
		t.Errorf("document part %v, want %v", doc, want)
	}
	// Topic 0 has word 0 once and word 1 twice: 0.1 · 0.1 · 1.1 / (0.2 · 1.2 · 2.2).
	if want := math.Log(0.1 * 0.1 * 1.1 / (0.2 * 1.2 * 2.2)); math.Abs(word-want) > 1e-12 {
		t.Errorf("word part %v, want %v", word, want)
	}
	if math.Abs(joint-doc-word) > 1e-12 {
		t.Error("the parts do not sum to the whole")
	}
}

func TestHeldTokens(t *testing.T) {
	c := small(t)
	h := holdTokens(c, 1)
	if len(h.words)+len(h.train.Words) != c.NumTokens() {
		t.Fatal("tokens lost")
	}
	// A tenth of 2,000 tokens: 200 ± 4 · √(2000 · 0.09) = 54.
	if share := float64(len(h.words)) / float64(c.NumTokens()); math.Abs(share-0.1) > 0.03 {
		t.Errorf("%.3f of the tokens are held out", share)
	}
	// One topic knows nothing of documents: perplexity follows by hand.
	p := h.train
	p.K = 1
	s, err := registry.New("gibbs", &p)
	if err != nil {
		t.Fatal(err)
	}
	priors := &sampler.Priors{Alpha: []float64{1}, Beta: 0.5}
	if err := s.Start(nil, priors); err != nil {
		t.Fatal(err)
	}
	n := make([]float64, p.V)
	for _, w := range p.Words {
		n[w]++
	}
	sum := 0.0
	for _, w := range h.words {
		sum += math.Log((n[w] + 0.5) / (float64(len(p.Words)) + 0.5*float64(p.V)))
	}
	if got, want := h.perplexity(look{sampler: s, priors: priors}), math.Exp(-sum/float64(len(h.words))); math.Abs(got-want) > 1e-9*want {
		t.Errorf("perplexity %v, want %v", got, want)
	}
}
