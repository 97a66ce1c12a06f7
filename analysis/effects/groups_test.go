package effects

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/portable"
)

// rising returns documents of two parties: shares of topic 0 are 0.1 + 0.02·year for a, and 0.5 - 0.02·year for b,
// where a has the years 0 to 9 and b 5 to 14.
func rising(t *testing.T, formula string) *Result {
	t.Helper()
	var first []int
	var party, year values
	for y := range 10 {
		first = append(first, 10+2*y, 50-2*(y+5))
		party, year = append(party, "a", "b"), append(year, fmt.Sprint(y), fmt.Sprint(y+5))
	}
	columns := []column.Column{
		{Name: "party", Kind: column.Category, Values: party}, {Name: "year", Kind: column.Number, Values: year},
	}
	return compute(t, shared(100, first...), Options{Formula: formula, Columns: columns, Topics: []int{0}})
}

// Two columns give a curve for each party, between the first and the last year that it has, whichever is named first.
func TestCurvesOfGroups(t *testing.T) {
	r := rising(t, "~ party * year")
	for _, by := range []string{"year,party", "party,year", "party, year"} {
		points, err := r.Predict(by, 10)
		if err != nil || len(points) != 20 {
			t.Fatal(len(points), err)
		}
		for i, p := range points {
			group, at, want := "a", float64(i), 0.1+0.02*float64(i)
			if i >= 10 {
				group, at, want = "b", float64(i-5), 0.5-0.02*float64(i-5)
			}
			near(t, by, p.Shares[0].Estimate, want)
			near(t, by, p.At, at)
			if p.Group != group || p.Column != "year" {
				t.Errorf("%s: point %d is %+v", by, i, p)
			}
		}
	}
	for by, want := range map[string]string{
		"year,year":       "neither year nor year has levels",
		"party,party":     "named twice",
		"year,party,year": "by one column or by two",
		"year,paty":       `no column "paty": did you mean "party"`,
	} {
		if _, err := r.Predict(by, 3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", by, err, want)
		}
	}
}

// A drawing by a column that interacts with one of levels has a curve, a band and a name for each level; one of a
// formula without the interaction has a single curve unless both columns are named.
func TestDrawnCurvesOfGroups(t *testing.T) {
	for _, c := range []struct {
		formula, by string
		curves      int
	}{
		{"~ party * year", "", 2},
		{"~ party * year", "year", 2},
		{"~ party * s(year, 4)", "year", 2},
		{"~ party + year", "year", 1},
		{"~ party + year", "year,party", 2},
		{"~ year", "", 1},
	} {
		r := rising(t, c.formula)
		var b strings.Builder
		err := r.Draw(&b, c.by, nil)
		if c.by == "" {
			b.Reset()
			err = r.Write(&b, "svg", nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		curves, bands := strings.Count(b.String(), "<polyline"), strings.Count(b.String(), "<polygon")
		named := strings.Contains(b.String(), ">a<") && strings.Contains(b.String(), ">b<")
		if curves != c.curves || bands != c.curves || named != (c.curves > 1) {
			t.Errorf("%s by %q: %d curves with %d bands, named %v", c.formula, c.by, curves, bands, named)
		}
	}
}

// Shares are expected at given values, and the other columns keep theirs.
func TestSharesAtValues(t *testing.T) {
	r := rising(t, "~ party * year")
	e, err := r.PredictAt(map[string]string{"party": "b", "year": "10"})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the share of b in year 10", e[0].Estimate, 0.3)
	if e, err = r.PredictAt(map[string]string{"party": "a"}); err != nil {
		t.Fatal(err)
	}
	near(t, "the share of a in the mean year, 7", e[0].Estimate, 0.1+0.02*7)
	for name, want := range map[string]string{"party": `column party: there is no value "c"`, "year": `"c" is not a number`, "x": `no column "x"`} {
		if _, err := r.PredictAt(map[string]string{name: "c"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	// Nobody of party a in the regression says what its years do where year alone stands in a term of b.
	sparse := compute(t, shared(10, 1, 2, 3, 4, 5, 6), Options{Topics: []int{0}, Formula: "~ party * kind", Columns: []column.Column{
		{Name: "party", Kind: column.Category, Values: values{"a", "a", "b", "b", "a", "b"}},
		{Name: "kind", Kind: column.Category, Values: values{"x", "x", "x", "y", "x", "y"}},
	}})
	if e, err = sparse.PredictAt(map[string]string{"party": "a", "kind": "y"}); err != nil || !math.IsNaN(e[0].Estimate) {
		t.Errorf("a share of which no document knows is %v, %v", e, err)
	}
}

// I(x^2) is a parabola with x: shares are 0.1 + 0.05·x - 0.002·x².
func TestPowers(t *testing.T) {
	var first []int
	var x values
	for i := range 12 {
		first, x = append(first, 100+50*i-2*i*i), append(x, fmt.Sprint(i))
	}
	columns := []column.Column{{Name: "x", Kind: column.Number, Values: x}}
	for _, formula := range []string{"~ x + I(x^2)", "~ I(x ^ 2) + x"} {
		r := compute(t, shared(1000, first...), Options{Formula: formula, Columns: columns, Topics: []int{0}})
		for i, name := range r.Names {
			near(t, name, r.Effects[0][i].Estimate, map[string]float64{intercept: 0.1, "x": 0.05, "I(x^2)": -0.002}[name])
		}
		points, err := r.Predict("x", 3)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "the share in the middle", points[1].Shares[0].Estimate, 0.1+0.05*5.5-0.002*5.5*5.5)
	}
	r := compute(t, shared(1000, first...), Options{Formula: "~ I(x^3)", Columns: columns})
	if _, err := r.Predict("x", 3); err == nil || !strings.Contains(err.Error(), "write ~ x + I(x^3)") {
		t.Error(err)
	}
	for formula, want := range map[string]string{"~ I(x)": "a power between 2 and 9", "~ I(x^1)": "a power between 2 and 9", "~ I(x^2": "is not closed"} {
		_, err := Compute(t.Context(), shared(1000, first...), Options{Formula: formula, Columns: columns})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", formula, err)
		}
	}
}

// A sum of topics has the effects of a topic that has the words of both, errors included.
func TestSumsOfTopics(t *testing.T) {
	m, columns := study(3, 120)
	o := Options{Formula: "~ party + s(x, 4)", Columns: columns, Cluster: "speaker", Draws: 3}
	o.Topics, o.Sums = []int{1}, [][]int{{0, 2}}
	both := compute(t, m, o)
	merged := compute(t, &merging{m}, Options{Formula: o.Formula, Columns: columns, Cluster: "speaker", Topics: []int{0}})
	o.Draws = 0
	plain := compute(t, m, o)
	for i, e := range plain.Effects[1] {
		want := merged.Effects[0][i]
		near(t, plain.Names[i], e.Estimate, want.Estimate)
		near(t, "the error of "+plain.Names[i], e.Error, want.Error)
		if d := both.Effects[1][i]; math.Abs(d.Estimate-e.Estimate) > 5*d.Error {
			t.Errorf("%s by draws: %v, want about %v", plain.Names[i], d, e)
		}
	}
	labels := map[string]int{}
	for row := range plain.Rows(nil) {
		if row.TopicLabel != nil {
			labels[*row.TopicLabel]++
		}
	}
	if labels["0 + 2"] != len(plain.Names) || len(labels) != 1 {
		t.Errorf("labels %v", labels)
	}
	for want, sums := range map[string][][]int{"topic 1 is named twice": {{0, 1}}, "has no topic": {{}}, "there is no topic 9": {{0, 9}}} {
		o.Sums = sums
		if _, err := Compute(t.Context(), m, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// merging gives tokens of topic 2 topic 0.
type merging struct{ *given }

func (m *merging) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	for _, k := range m.given.AppendTopics(nil, lo, hi) {
		if k == 2 {
			k = 0
		}
		dst = append(dst, k)
	}
	return dst
}

// Corrected probabilities are those of R's p.adjust, and the intercept is no test.
func TestAdjusted(t *testing.T) {
	p := []float64{0.01, 0.04, 0.03, 0.2, 0.9, 0.0005}
	holm := []float64{0.05, 0.12, 0.12, 0.4, 0.9, 0.003}
	hochberg := []float64{0.03, 0.06, 0.06, 0.24, 0.9, 0.003}
	r := &Result{Names: []string{intercept, "x", "y", "z"}, Effects: [][]Effect{{{Estimate: 9, Error: 1}}, {{Estimate: 9, Error: 1}}}}
	for i, tails := range p {
		r.Effects[i/3] = append(r.Effects[i/3], Effect{Estimate: portable.StudentQuantile(tails, 12), Error: 1, Freedom: 12})
	}
	a := r.adjust()
	for i := range p {
		near(t, "p by Holm", a.holm[i/3][1+i%3], holm[i])
		near(t, "p by Benjamini and Hochberg", a.hochberg[i/3][1+i%3], hochberg[i])
	}
	if r.Tests() != 6 || !math.IsNaN(r.Holm()[0][0]) {
		t.Errorf("%d tests", r.Tests())
	}
}

// Every term says what it is compared with and how many documents have its level.
func TestBasesAndNumbers(t *testing.T) {
	m, columns := spoken()
	for formula, want := range map[string]string{
		"~ party + x": "[ a a ] [10 4 3 10]",
		"~ party * x": "[ a a  a a] [10 4 3 10 10 10]",
		"~ 0 + party": "[  ] [3 4 3]",
	} {
		r := compute(t, m, Options{Formula: formula, Columns: columns})
		if got := fmt.Sprint(r.Bases, r.With); got != want {
			t.Errorf("%s: %s, want %s", formula, got, want)
		}
	}
	r := compute(t, m, Options{Formula: "~ party", Columns: columns, Base: map[string]string{"party": "b"}})
	if got := fmt.Sprint(r.Bases, r.With); got != "[ b b] [10 3 3]" {
		t.Errorf("base b: %s", got)
	}
	if got := r.Methods(2); !strings.Contains(got, "documents). Categories are compared with party = b. Intervals") {
		t.Error(got)
	}
}
