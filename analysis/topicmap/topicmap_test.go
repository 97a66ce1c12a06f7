package topicmap

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/tablemodel"
	"github.com/topoi-lda/topoi/topic"
)

func mapOf(t *testing.T, m topic.Model) *Layout {
	t.Helper()
	layout, err := Map(t.Context(), m, 0)
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range layout.Points {
		if math.IsNaN(p.X+p.Y) || math.IsInf(p.X+p.Y, 0) {
			t.Fatalf("topic %d lies at %v", k, p)
		}
	}
	return layout
}

// equal is a model whose topics have no word in common and the same sizes, so that all
// are equally far from each other and the axes of the map are not determined by it.
func equal(k int) *tablemodel.Model {
	m := &tablemodel.Model{Prior: 0.1}
	for w := range 2 * k {
		row := make([]uint32, k)
		row[w/2] = uint32(3 + w%2)
		m.Counts = append(m.Counts, row)
	}
	return m
}

func TestFewTopics(t *testing.T) {
	if got := mapOf(t, tablemodel.Random(1, 10, 1, 0.5)).Points; !slices.Equal(got, []Point{{}}) {
		t.Errorf("one topic: %v", got)
	}
	two := tablemodel.Random(1, 10, 2, 0.5)
	d, err := Between(t.Context(), two, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := mapOf(t, two).Points
	if math.Abs(math.Abs(p[0].X-p[1].X)-d.At(0, 1)) > 1e-12 || math.Abs(p[0].Y)+math.Abs(p[1].Y) != 0 {
		t.Errorf("two topics at distance %v: %v", d.At(0, 1), p)
	}
	three := mapOf(t, equal(3)).Points
	side := func(a, b int) float64 { return math.Hypot(three[a].X-three[b].X, three[a].Y-three[b].Y) }
	if math.Abs(side(0, 1)-side(1, 2)) > 1e-12 || math.Abs(side(0, 1)-side(0, 2)) > 1e-12 || side(0, 1) < 0.1 {
		t.Errorf("three equal topics: %v", three)
	}
}

// All topics are the same: one point, no dimension.
func TestSameTopics(t *testing.T) {
	m := &tablemodel.Model{Prior: 0.1, Counts: [][]uint32{{2, 2, 2}, {1, 1, 1}}}
	for k, p := range mapOf(t, m).Points {
		if math.Hypot(p.X, p.Y) > 1e-6 {
			t.Errorf("topic %d lies at %v", k, p)
		}
	}
	d, _ := Between(t.Context(), m, 0)
	if tree := d.Tree(); len(tree.Merges) != 2 || tree.Merges[1].Height != 0 {
		t.Errorf("%+v", tree)
	}
}

func TestRenumbering(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for name, m := range map[string]*tablemodel.Model{"random": tablemodel.Random(2, 80, 12, 0.2), "equal": equal(12), "two": equal(2)} {
		k := m.NumTopics()
		perm := r.Perm(k)
		other := m.Renumbered(perm)
		a, b := mapOf(t, m), mapOf(t, other)
		marked, err := landmarkMap(t.Context(), m, 0, 5)
		if err != nil {
			t.Fatal(err)
		}
		markedOther, err := landmarkMap(t.Context(), other, 0, 5)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := Between(t.Context(), m, 0)
		e, _ := Between(t.Context(), other, 0)
		one, two := d.Tree(), e.Tree()
		for i := range k {
			if a.Points[i] != b.Points[perm[i]] || marked.Points[i] != markedOther.Points[perm[i]] {
				t.Errorf("%s: topic %d moved from %v to %v, %v to %v", name, i, a.Points[i], b.Points[perm[i]], marked.Points[i], markedOther.Points[perm[i]])
			}
			if perm[one.Leaves[i]] != two.Leaves[i] {
				t.Errorf("%s: leaf %d is %d, then %d", name, i, perm[one.Leaves[i]], two.Leaves[i])
			}
		}
	}
}

// Landmarks that are all topics give the map of all topics, and the distances of a point
// to them put it where scaling did.
func TestLandmarksAgreeWithScaling(t *testing.T) {
	m := tablemodel.Random(9, 60, 10, 0.3)
	d, err := hellinger(t.Context(), m, 0)
	if err != nil {
		t.Fatal(err)
	}
	want, err := d.Map()
	if err != nil {
		t.Fatal(err)
	}
	got, err := landmarkMap(t.Context(), m, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	for k := range want.Points {
		if math.Hypot(got.Points[k].X-want.Points[k].X, got.Points[k].Y-want.Points[k].Y) > 1e-9 {
			t.Errorf("topic %d at %v, want %v", k, got.Points[k], want.Points[k])
		}
	}
	if want.Landmarks != 10 || got.Measure != byHellinger {
		t.Errorf("%+v", got)
	}
}

func TestManyTopics(t *testing.T) {
	m := tablemodel.Random(3, 30, exactTopics+50, 0.02)
	if l := mapOf(t, m); l.Landmarks != landmarks || l.Measure != byHellinger || len(l.Points) != exactTopics+50 {
		t.Errorf("%d points from %d landmarks by %s", len(l.Points), l.Landmarks, l.Measure)
	}
	one, err := landmarkMap(t.Context(), m, 1, 40)
	if err != nil {
		t.Fatal(err)
	}
	three, err := landmarkMap(t.Context(), m, 3, 40)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(one.Points, three.Points) {
		t.Error("the number of threads matters")
	}
	var tooMany tooManyError
	if _, err := Between(t.Context(), tablemodel.Random(3, 1, PairedTopics+1, 0), 0); !errors.As(err, &tooMany) || tooMany.Topics != PairedTopics+1 {
		t.Errorf("error %v", err)
	}
}

// byDefinition merges the two clusters of the least mean distance, again and again.
func byDefinition(d *Distances) []float64 {
	var groups [][]int
	for k := range d.NumTopics() {
		groups = append(groups, []int{k})
	}
	var heights []float64
	for len(groups) > 1 {
		least, a, b := math.Inf(1), 0, 0
		for i := range groups {
			for j := range i {
				sum := 0.0
				for _, x := range groups[i] {
					for _, y := range groups[j] {
						sum += d.At(x, y)
					}
				}
				if mean := sum / float64(len(groups[i])*len(groups[j])); mean < least {
					least, a, b = mean, i, j
				}
			}
		}
		groups[b] = append(groups[b], groups[a]...)
		groups = slices.Delete(groups, a, a+1)
		heights = append(heights, least)
	}
	return heights
}

func TestTreeByDefinition(t *testing.T) {
	for seed := range uint64(10) {
		d, err := Between(t.Context(), tablemodel.Random(seed, 40, 1+2*int(seed), 0.2), 0)
		if err != nil {
			t.Fatal(err)
		}
		tree := d.Tree()
		for i, want := range byDefinition(d) {
			if math.Abs(tree.Merges[i].Height-want) > 1e-12 {
				t.Errorf("seed %d: merge %d at %v, want %v", seed, i, tree.Merges[i].Height, want)
			}
		}
		leaves := slices.Sorted(slices.Values(tree.Leaves))
		for k := range d.NumTopics() {
			if leaves[k] != k {
				t.Fatalf("seed %d: leaves %v", seed, tree.Leaves)
			}
		}
	}
}

func TestCorrelateSpecialCases(t *testing.T) {
	c, err := Correlate(t.Context(), &heard{[]float64{0.5}, [][]uint32{{0, 0}, {0}}})
	if err != nil || c.At(0, 0) != 1 {
		t.Errorf("one topic: %v, %v", c, err)
	}
	c, err = Correlate(t.Context(), &heard{[]float64{0.5, 0.5, 0.5}, [][]uint32{{0, 1}, {0, 1}}})
	if err != nil || c.At(0, 1) != 0 || c.At(1, 2) != 0 {
		t.Errorf("no variation: %v, %v", c, err)
	}
	c, err = Correlate(t.Context(), &heard{[]float64{1e-9, 1e-9}, [][]uint32{{0, 0}, {1, 1}, {}}})
	if err != nil || math.Abs(c.At(0, 1)+1) > 1e-9 || c.NumDocs() != 2 {
		t.Errorf("opposites: %v, %v", c, err)
	}
	if _, err = Correlate(t.Context(), &heard{nil, nil}); err != nil {
		t.Errorf("nothing at all: %v", err)
	}
}
