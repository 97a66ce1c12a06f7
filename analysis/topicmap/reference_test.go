package topicmap

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/tablemodel"
)

// reference holds the values that testdata/reference.py computed with NumPy and SciPy.
type reference struct {
	Beta          float64
	Counts        [][]uint32  // V × K
	JensenShannon [][]float64 `json:"jensen_shannon"`
	Hellinger     [][]float64
	Points        [][2]float64 // axes of any sign
	Explained     [2]float64
	Linkage       [][4]float64 // cluster, cluster, height, size
	Alpha         []float64
	Docs          [][]uint32 // topics of tokens
	Correlations  [][]float64
}

func readReference(t *testing.T) (reference, *tablemodel.Model) {
	t.Helper()
	b, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(b, &ref); err != nil {
		t.Fatal(err)
	}
	return ref, &tablemodel.Model{Counts: ref.Counts, Prior: ref.Beta}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

func sameTable(t *testing.T, what string, at func(i, j int) float64, want [][]float64) {
	t.Helper()
	for i := range want {
		for j := range want {
			if got := at(i, j); !near(got, want[i][j]) {
				t.Errorf("%s of %d and %d is %v, want %v", what, i, j, got, want[i][j])
			}
		}
	}
}

func TestDistancesAreThoseOfSciPy(t *testing.T) {
	ref, m := readReference(t)
	js, err := Between(t.Context(), m, 0)
	if err != nil {
		t.Fatal(err)
	}
	sameTable(t, "divergence", js.At, ref.JensenShannon)
	h, err := hellinger(t.Context(), m, 2)
	if err != nil {
		t.Fatal(err)
	}
	sameTable(t, "distance", h.At, ref.Hellinger)
	if js.Measure() != byJensenShannon || h.Measure() != byHellinger || js.NumTopics() != 7 {
		t.Errorf("%s and %s of %d topics", js.Measure(), h.Measure(), js.NumTopics())
	}
}

func TestMapIsThatOfNumPy(t *testing.T) {
	ref, m := readReference(t)
	layout, err := Map(t.Context(), m, 0)
	if err != nil {
		t.Fatal(err)
	}
	for axis := range 2 {
		sign := 1.0
		largest := 0.0
		for i, p := range layout.Points {
			got := [2]float64{p.X, p.Y}[axis]
			if i == 0 && got*ref.Points[i][axis] < 0 {
				sign = -1
			}
			if !near(got, sign*ref.Points[i][axis]) {
				t.Errorf("topic %d, axis %d: %v, want %v", i, axis, got, sign*ref.Points[i][axis])
			}
			if math.Abs(got) > math.Abs(largest) {
				largest = got
			}
		}
		if largest < 0 {
			t.Errorf("axis %d: the farthest point lies at %v", axis, largest)
		}
		if !near(layout.Explained[axis], ref.Explained[axis]) {
			t.Errorf("axis %d explains %v, want %v", axis, layout.Explained[axis], ref.Explained[axis])
		}
	}
}

func TestTreeIsThatOfSciPy(t *testing.T) {
	ref, m := readReference(t)
	d, err := Between(t.Context(), m, 0)
	if err != nil {
		t.Fatal(err)
	}
	tree := d.Tree()
	if len(tree.Merges) != len(ref.Linkage) {
		t.Fatalf("%d merges, want %d", len(tree.Merges), len(ref.Linkage))
	}
	for i, want := range ref.Linkage {
		got := tree.Merges[i]
		if min(got.A, got.B) != int(min(want[0], want[1])) || max(got.A, got.B) != int(max(want[0], want[1])) ||
			!near(got.Height, want[2]) || got.Size != int(want[3]) {
			t.Errorf("merge %d: %+v, want %v", i, got, want)
		}
	}
}

// heard is documents given by the topics of their tokens.
type heard struct {
	alpha []float64
	docs  [][]uint32
}

func (h *heard) NumTopics() int   { return len(h.alpha) }
func (h *heard) Alpha() []float64 { return h.alpha }

func (h *heard) Docs() (*corpus.Corpus, error) {
	words := make([][]uint32, len(h.docs))
	for d := range words {
		words[d] = make([]uint32, len(h.docs[d]))
	}
	return corpus.FromIDs([]string{"word"}, words), nil
}

func (h *heard) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	return append(dst, slices.Concat(h.docs...)[lo:hi]...)
}

func TestCorrelationsAreThoseOfNumPy(t *testing.T) {
	ref, _ := readReference(t)
	c, err := Correlate(t.Context(), &heard{ref.Alpha, ref.Docs})
	if err != nil {
		t.Fatal(err)
	}
	sameTable(t, "correlation", c.At, ref.Correlations)
	withTokens := 0
	for _, d := range ref.Docs {
		withTokens += min(len(d), 1)
	}
	if c.NumDocs() != withTokens || c.NumTopics() != 7 {
		t.Errorf("%d documents, want %d; %d topics", c.NumDocs(), withTokens, c.NumTopics())
	}
	strongest := c.Strongest(2, 3)
	if len(strongest) != 3 || strongest[0].Correlation < strongest[1].Correlation || strongest[0].Correlation != c.At(2, strongest[0].Topic) {
		t.Errorf("strongest %v", strongest)
	}
}
