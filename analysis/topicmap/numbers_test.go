package topicmap

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/tablemodel"
)

// phi returns φ_wk of a topic.
func phi(m *tablemodel.Model, k int) []float64 {
	list := make([]float64, m.NumWords())
	for w, row := range m.Counts {
		list[w] = (float64(row[k]) + m.Prior) / (float64(m.TopicTotals()[k]) + float64(m.NumWords())*m.Prior)
	}
	return list
}

// hellingerOf is √(1 − Σ_w √(φ_wi φ_wj)).
func hellingerOf(m *tablemodel.Model, i, j int) float64 {
	affinity := 0.0
	a, b := phi(m, i), phi(m, j)
	for w := range a {
		affinity += math.Sqrt(a[w] * b[w])
	}
	return math.Sqrt(max(0, 1-affinity))
}

// jensenShannonOf is ½ Σ_w φ_wi log(φ_wi/μ_w) + ½ Σ_w φ_wj log(φ_wj/μ_w), μ the mean of both.
func jensenShannonOf(m *tablemodel.Model, i, j int) float64 {
	sum := 0.0
	a, b := phi(m, i), phi(m, j)
	for w := range a {
		mean := (a[w] + b[w]) / 2
		sum += (a[w]*math.Log(a[w]/mean) + b[w]*math.Log(b[w]/mean)) / 2
	}
	return sum
}

// Counts about 2^12, from which roots are no longer looked up, and larger ones have the distances of the definition.
func TestLargeCounts(t *testing.T) {
	m := &tablemodel.Model{
		Prior:  0.3,
		Counts: [][]uint32{{4095, 4096, 4097, 0}, {1, 9, 100_000, 7}, {0, 3, 50, 4096}, {2, 0, 1, 1 << 30}},
	}
	h, err := hellinger(t.Context(), m, 0)
	if err != nil {
		t.Fatal(err)
	}
	js, err := Between(t.Context(), m, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		for j := range i {
			if want := hellingerOf(m, i, j); math.Abs(h.At(i, j)-want) > 1e-7 || h.At(i, j) != h.At(j, i) || want < 0.01 {
				t.Errorf("topics %d and %d: %v, want %v", i, j, h.At(i, j), want)
			}
			if want := jensenShannonOf(m, i, j); !near(js.At(i, j), want) {
				t.Errorf("topics %d and %d: divergence %v, want %v", i, j, js.At(i, j), want)
			}
		}
		if h.At(i, i) != 0 || js.At(i, i) != 0 {
			t.Errorf("topic %d is %v and %v from itself", i, h.At(i, i), js.At(i, i))
		}
	}
}

// Up to 1,000 topics are compared by divergence, more by Hellinger's distance.
func TestMeasureOfManyTopics(t *testing.T) {
	for k, want := range map[int]string{exactTopics: byJensenShannon, exactTopics + 1: byHellinger} {
		m := tablemodel.Random(4, 3, k, 0.5)
		d, err := Between(t.Context(), m, 0)
		if err != nil {
			t.Fatal(err)
		}
		if d.Measure() != want || d.NumTopics() != k {
			t.Errorf("%d topics of %d by %s, want %s", d.NumTopics(), k, d.Measure(), want)
		}
		for _, pair := range [][2]int{{0, 1}, {1, 0}, {255, 256}, {17, 700}, {900, 256}, {998, 999}, {0, 999}} {
			got := d.At(pair[0], pair[1])
			by := jensenShannonOf(m, pair[0], pair[1])
			if want == byHellinger {
				by = hellingerOf(m, pair[0], pair[1])
			}
			if math.Abs(got-by) > 1e-7 {
				t.Errorf("topics %v: %v, want %v", pair, got, by)
			}
		}
	}
}

// given are distances between topics whose canonical order is that of their numbers.
func given(k int, at func(i, j int) float64) *Distances {
	d := &Distances{measure: byJensenShannon}
	for j := range k {
		d.order, d.place = append(d.order, j), append(d.place, j)
		for i := range j {
			d.pairs = append(d.pairs, at(i, j))
		}
	}
	return d
}

// Of equal distances the first counts, in lists and in trees.
func TestEqualDistances(t *testing.T) {
	d := given(5, func(int, int) float64 { return 0.5 })
	if got := d.Nearest(2, 3); !slices.Equal(got, []Neighbour{{0, 0.5}, {1, 0.5}, {3, 0.5}}) {
		t.Errorf("nearest %v", got)
	}
	// A topic is tighter than what was merged before.
	want := &Tree{
		Merges: []Merge{{0, 1, 0.5, 2}, {2, 5, 0.5, 3}, {3, 6, 0.5, 4}, {4, 7, 0.5, 5}},
		Leaves: []int{4, 3, 2, 0, 1},
	}
	if got := d.Tree(); !reflect.DeepEqual(got, want) {
		t.Errorf("tree %+v, want %+v", got, want)
	}
	line := given(4, func(i, j int) float64 { return []float64{0, 1, 3, 7}[j] - []float64{0, 1, 3, 7}[i] })
	if got := line.Nearest(2, 9); !slices.Equal(got, []Neighbour{{1, 2}, {0, 3}, {3, 4}}) {
		t.Errorf("nearest %v", got)
	}
	want = &Tree{
		Merges: []Merge{{0, 1, 1, 2}, {2, 4, 2.5, 3}, {3, 5, (7 + 6 + 4) / 3.0, 4}},
		Leaves: []int{3, 2, 0, 1},
	}
	if got := line.Tree(); !reflect.DeepEqual(got, want) {
		t.Errorf("tree %+v, want %+v", got, want)
	}
	pairs := given(4, func(i, j int) float64 { return []float64{0, 2, 10, 11}[j] - []float64{0, 2, 10, 11}[i] })
	want = &Tree{Merges: []Merge{{2, 3, 1, 2}, {0, 1, 2, 2}, {4, 5, 9.5, 4}}, Leaves: []int{2, 3, 0, 1}}
	if got := pairs.Tree(); !reflect.DeepEqual(got, want) {
		t.Errorf("tree %+v, want %+v", got, want)
	}
	if got := given(0, nil).Tree(); len(got.Merges)+len(got.Leaves) != 0 {
		t.Errorf("no topics: %+v", got)
	}
	if got := given(1, nil).Tree(); len(got.Merges) != 0 || !slices.Equal(got.Leaves, []int{0}) {
		t.Errorf("one topic: %+v", got)
	}
}

// Points on a rectangle get back to its corners: axes by falling extent, the first point farthest out on the positive
// side.
func TestMapOfRectangle(t *testing.T) {
	x, y := []float64{0, 0, 6, 6}, []float64{0, 2, 0, 2}
	d := given(4, func(i, j int) float64 { return math.Hypot(x[i]-x[j], y[i]-y[j]) })
	layout, err := d.Map()
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range layout.Points {
		if !near(p.X, 3-x[k]) || !near(p.Y, 1-y[k]) {
			t.Errorf("corner %d at %v", k, p)
		}
	}
	if e := layout.Explained; !near(e[0], 0.9) || !near(e[1], 0.1) || layout.Landmarks != 4 ||
		layout.Measure != byJensenShannon {
		t.Errorf("%+v", layout)
	}
	if !flipped([]float64{1, -2}) || flipped([]float64{2, -2}) || !flipped([]float64{-2, 2}) || flipped([]float64{0, 0}) ||
		flipped(nil) {
		t.Error("the first of the farthest points must be on the positive side")
	}
}

// Landmarks lie where scaling puts them without the other topics, and a topic like a landmark lies there too.
func TestLandmarks(t *testing.T) {
	m := tablemodel.Random(5, 40, 20, 0.3)
	for _, row := range m.Counts {
		row[19] = row[3]
	}
	const n = 8
	layout, err := landmarkMap(t.Context(), m, 0, n)
	if err != nil {
		t.Fatal(err)
	}
	order := canonical(m)
	var marks []int
	for i := range n {
		marks = append(marks, order[i*20/n])
	}
	want, err := given(n, func(i, j int) float64 { return hellingerOf(m, marks[i], marks[j]) }).Map()
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range marks {
		if p, q := layout.Points[k], want.Points[i]; math.Abs(p.X-q.X) > 1e-7 || math.Abs(p.Y-q.Y) > 1e-7 {
			t.Errorf("landmark %d, topic %d: %v, want %v", i, k, p, q)
		}
	}
	if p, q := layout.Points[3], layout.Points[19]; math.Abs(p.X-q.X) > 1e-7 || math.Abs(p.Y-q.Y) > 1e-7 {
		t.Errorf("the same topics lie at %v and %v", p, q)
	}
	for axis := range 2 {
		if math.Abs(layout.Explained[axis]-want.Explained[axis]) > 1e-7 {
			t.Errorf("explained %v, want %v", layout.Explained, want.Explained)
		}
	}
	if layout.Landmarks != n || layout.Measure != byHellinger {
		t.Errorf("%d landmarks by %s", layout.Landmarks, layout.Measure)
	}
	two, err := landmarkMap(t.Context(), tablemodel.Random(1, 10, 2, 0.5), 0, n)
	if err != nil || two.Landmarks != 2 || two.Points[0].Y != 0 || two.Points[0].X != -two.Points[1].X ||
		two.Points[0].X == 0 {
		t.Errorf("two topics: %+v, %v", two, err)
	}
}

// A share that varies by rounding alone has no correlation, whatever the length and number of documents and α are.
func TestShareThatIsTheSame(t *testing.T) {
	for n := 1; n < 40; n++ {
		h := &heard{alpha: []float64{0.1, 0.3 / float64(n), 0.7}}
		for d := range n + 3 {
			doc := []uint32{0} // one of topic 0, the others of topic 0 or 1; none of topic 2
			for i := range n {
				doc = append(doc, uint32((i+d)%2))
			}
			slices.Sort(doc)
			h.docs = append(h.docs, doc)
		}
		c, err := Correlate(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		want := -1.0
		if n%2 == 0 {
			want = 0 // all documents are the same
		}
		if got := c.At(0, 1); math.Abs(got-want) > 1e-6 || c.At(0, 2) != 0 || c.At(2, 1) != 0 || c.At(2, 2) != 1 {
			t.Errorf("%d tokens: %v, %v and %v", n, got, c.At(0, 2), c.At(2, 1))
		}
	}
}

// The strongest correlations come first, equal ones by number.
func TestStrongest(t *testing.T) {
	c := &Correlations{topics: 4, pairs: []float64{1, 0.2, 1, 0.5, -0.1, 1, 0.2, 0.9, 0, 1}}
	if got := c.Strongest(0, 9); !slices.Equal(got, []Correlation{{2, 0.5}, {1, 0.2}, {3, 0.2}}) {
		t.Error(got)
	}
	if got := c.Strongest(3, 2); !slices.Equal(got, []Correlation{{1, 0.9}, {0, 0.2}}) {
		t.Error(got)
	}
}

// lost is a model without documents.
type lost struct{ heard }

var errLost = errors.New("lost")

func (*lost) Docs() (*corpus.Corpus, error) { return nil, errLost }

func TestErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := tablemodel.Random(1, 10, 5, 0.5)
	if _, err := Between(ctx, m, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("divergences: %v", err)
	}
	if _, err := hellinger(ctx, m, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("distances: %v", err)
	}
	if _, err := Map(ctx, m, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("map: %v", err)
	}
	if _, err := landmarkMap(ctx, m, 0, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("landmarks: %v", err)
	}
	if _, err := Correlate(ctx, &heard{[]float64{1}, [][]uint32{{0}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("correlations: %v", err)
	}
	if _, err := Correlate(t.Context(), &lost{heard{alpha: []float64{1}}}); !errors.Is(err, errLost) {
		t.Errorf("no documents: %v", err)
	}
	_, err := Correlate(t.Context(), &heard{alpha: make([]float64, PairedTopics+1)})
	if want := "the model has 8193 topics: pairs of topics are compared for at most 8192"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	bad := given(2, func(int, int) float64 { return math.NaN() })
	if _, err := bad.Map(); err == nil {
		t.Error("distances that are no numbers have a map")
	}
}
