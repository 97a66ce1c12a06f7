package prevalence

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/svg"
)

// drawnResult has groups × periods cells of two topics. The share of topic k in cell c is (10 c + k)/1000, its interval
// ±0.01; the group g has 10 - g documents.
func drawnResult(by string, groups, periods, differences int) *Result {
	r := &Result{Topics: []int{7, 3}, Grouping: &Grouping{By: by}}
	for g := range groups {
		for p := range periods {
			cell := Cell{Label: fmt.Sprint("g", g), Docs: 10 - g}
			if by != byLabel {
				cell.Period = &Period{Name: fmt.Sprint("p", p)}
			}
			shares := make([]Share, 2)
			for k := range shares {
				x := float64(10*len(r.Cells)+k) / 1000
				shares[k] = Share{Tokens: uint64(5 + 5*k), Share: x, Low: x - 0.01, High: x + 0.01}
			}
			r.Cells, r.Shares = append(r.Cells, cell), append(r.Shares, shares)
		}
	}
	for p := range differences {
		x := float64(p) / 10
		r.Differences = append(r.Differences, Difference{
			r.Cells[p].Period, []Change{{x, x - 0.5, x + 0.5}, {-x, math.NaN(), math.NaN()}},
		})
	}
	return r
}

// same reports whether lists are equal but for rounding; NaN is like NaN.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Abs(x-y) < 1e-12 || math.IsNaN(x) && math.IsNaN(y)
	})
}

// A panel has a line for each of the largest groups and a point for each period, with its interval along y.
func TestLinesOfTime(t *testing.T) {
	var c svg.Chart
	drawnResult(labelAndTime, 10, 3, 0).chartTime(&c, 1)
	if !slices.Equal(c.X.Names, []string{"p0", "p1", "p2"}) || c.Y.Label != "share of tokens" || !c.Y.Share ||
		len(c.Series) != 9 {
		t.Fatalf("%+v", c)
	}
	s := c.Series[2] // cells 6, 7 and 8
	if s.Name != "g2" || s.Dots || !same(s.X, []float64{0, 1, 2}) || !same(s.Y, []float64{0.061, 0.071, 0.081}) ||
		!same(s.Low, []float64{0.051, 0.061, 0.071}) || !same(s.High, []float64{0.071, 0.081, 0.091}) {
		t.Errorf("%+v", s)
	}
	c = svg.Chart{}
	drawnResult(byTime, 1, 2, 0).chartTime(&c, 0)
	if len(c.Series) != 1 || !same(c.Series[0].Y, []float64{0, 0.01}) {
		t.Errorf("%+v", c)
	}
}

// Groups are dots from top to bottom, those with most documents first, with their intervals along x.
func TestDotsOfGroups(t *testing.T) {
	r := drawnResult(byLabel, 45, 1, 0)
	r.Cells[4].Docs = 99
	var c svg.Chart
	r.chartLabels(&c, 0)
	s := c.Series[0]
	if len(c.Y.Names) != 40 || !slices.Equal(c.Y.Names[:3], []string{"g4", "g0", "g1"}) ||
		c.X.Label != "share of tokens" || !c.X.Share {
		t.Fatalf("%+v", c)
	}
	if !s.Dots || !same(s.X[:3], []float64{0.04, 0, 0.01}) || !same(s.Y[:3], []float64{0, 1, 2}) ||
		!same(s.Low[:3], []float64{0.03, -0.01, 0}) || !same(s.High[:3], []float64{0.05, 0.01, 0.02}) {
		t.Errorf("%+v", s)
	}
}

// Differences over time are one line, others are dots of topics, the largest topic first.
func TestDrawnDifferences(t *testing.T) {
	var c svg.Chart
	drawnResult(labelAndTime, 2, 3, 3).chartDifference(&c, 0)
	s := c.Series[0]
	if len(c.Series) != 1 || s.Name != "g0 less g1" || !slices.Equal(c.X.Names, []string{"p0", "p1", "p2"}) ||
		c.Y.Label != "difference of shares" || !c.Y.Share {
		t.Fatalf("%+v", c)
	}
	if !same(s.X, []float64{0, 1, 2}) || !same(s.Y, []float64{0, 0.1, 0.2}) || !same(s.Low, []float64{-0.5, -0.4, -0.3}) ||
		!same(s.High, []float64{0.5, 0.6, 0.7}) {
		t.Errorf("%+v", s)
	}
	r := drawnResult(byLabel, 2, 1, 1)
	r.Differences[0].Changes[1].Difference = -0.2
	c = r.chartDifferences(func(k int) string { return map[int]string{7: "seven"}[k] })
	s = c.Series[0]
	if c.Title != "g0 less g1" || !slices.Equal(c.Y.Names, []string{"topic 3", "topic 7: seven"}) ||
		c.X.Label != "difference of shares" || !c.X.Share {
		t.Fatalf("%+v", c)
	}
	if !s.Dots || !same(s.X, []float64{-0.2, 0}) || !same(s.Y, []float64{0, 1}) ||
		!same(s.Low, []float64{math.NaN(), -0.5}) || !same(s.High, []float64{math.NaN(), 0.5}) {
		t.Errorf("%+v", s)
	}
}

// A figure has a panel for each topic, but one for all where differences of groups are drawn.
func TestPanels(t *testing.T) {
	for _, c := range []struct {
		r    *Result
		want []string // what is drawn, in this order
		not  string
	}{
		{drawnResult(byLabel, 2, 1, 0), []string{">topic 3<", ">g0<", ">topic 7<", ">g1<"}, "difference"},
		{drawnResult(labelAndTime, 2, 2, 0), []string{">topic 3<", ">p0<", ">topic 7<", ">g0<", ">g1<"}, "difference"},
		{drawnResult(byLabel, 2, 1, 1), []string{"g0 less g1", ">topic 3<", ">topic 7<"}, "share of tokens"},
		{
			drawnResult(labelAndTime, 2, 2, 2),
			[]string{">topic 3<", "difference of shares", ">topic 7<", "g0 less g1"},
			"share of tokens",
		},
	} {
		var b strings.Builder
		if err := c.r.Write(&b, "svg", nil); err != nil {
			t.Fatal(err)
		}
		rest := b.String()
		for _, want := range c.want {
			_, after, ok := strings.Cut(rest, want)
			if !ok {
				t.Errorf("by %s: no %s in %s", c.r.By, want, rest)
			}
			rest = after
		}
		if strings.Contains(b.String(), c.not) {
			t.Errorf("by %s: %s is drawn", c.r.By, c.not)
		}
	}
}

// Options may be as large as the limits, and no larger.
func TestLimits(t *testing.T) {
	const noDifference = "a difference is between two groups: name two different labels, and group by label"
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Replicates: 1 << 18}, ""},
		{Options{Replicates: 1<<18 + 1}, "the number of replicates is 262145: it must be between 1 and 262144"},
		{Options{Interval: 0.999}, ""},
		{Options{Interval: math.NaN()}, "the interval is NaN: it must be below 1"},
		{Options{Interval: -1}, ""},
		{Options{Bins: "20000"}, ""},
		{Options{Bins: "20001"}, "the number of bins is 20001: it must be between 1 and 20000"},
		{Options{DateOrder: string(dates.DayFirst)}, ""},
		{Options{DateOrder: string(dates.MonthFirst)}, ""},
		{Options{Difference: true, Labels: []string{"a", "b"}}, ""},
		{Options{Difference: true, Labels: []string{"a", "b", "c"}}, noDifference},
		{Options{Difference: true, Labels: []string{"a", "a"}}, noDifference},
		{Options{Difference: true, Labels: []string{"a", "b"}, By: byTime}, noDifference},
	} {
		err := c.options.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.options, err, c.want)
		}
	}
	o := Options{}.withDefaults(3)
	if o.By != byLabel || o.Interval != 0.95 || o.Replicates != 1000 || !slices.Equal(o.Topics, []int{0, 1, 2}) ||
		o.Threads < 1 {
		t.Errorf("defaults %+v", o)
	}
	var b corpus.Builder
	m := &drawn{topics: 1}
	for d := range 900 { // 900 labels in 20,000 pieces are 18 million cells
		b.Add(corpus.Document{Label: fmt.Sprint(d), Time: fmt.Sprint(1000 + d), Tokens: []string{"w"}})
		m.z = append(m.z, 0)
	}
	m.docs = b.Corpus()
	if _, err := Group(m.docs, Options{By: labelAndTime, Bins: "20000"}); err == nil ||
		!strings.HasPrefix(err.Error(), "900 labels in 20000 periods are too many to show") {
		t.Error(err)
	}
	if _, err := Group(m.docs, Options{Labels: []string{"none"}}); err == nil ||
		err.Error() != `no document has the label "none": there are 900 others` {
		t.Error(err)
	}
	m.topics = 1<<24/900 + 1
	if _, err := Compute(t.Context(), m, Options{}); err == nil ||
		!strings.HasPrefix(err.Error(), "900 groups and periods of 18642 topics make more rows") {
		t.Error(err)
	}
	if _, err := Compute(t.Context(), m, Options{Topics: []int{2, 1, 2}}); err == nil ||
		err.Error() != "topic 2 is named twice: name it once" {
		t.Error(err)
	}
	if _, err := Compute(t.Context(), m, Options{Topics: []int{-1}}); err == nil ||
		!strings.HasPrefix(err.Error(), "there is no topic -1") {
		t.Error(err)
	}
}

// The progress is told in topics.
func TestProgress(t *testing.T) {
	m := draw(4, 5, 30, byThree)
	defer func(n int) { replicateBytes = n }(replicateBytes)
	replicateBytes = 2 * 8 * 3 * 10 // two topics at a time
	var told [][2]int64
	compute(t, m, Options{Replicates: 10, Progress: func(done, all int64) { told = append(told, [2]int64{done, all}) }})
	if !slices.Equal(told, [][2]int64{{2, 5}, {4, 5}, {5, 5}}) {
		t.Errorf("told %v", told)
	}
}

// Sums may take a quarter of the memory for each of the replicates of one topic, no less; then it is one topic at a
// time.
func TestLittleMemory(t *testing.T) {
	m := draw(4, 5, 30, byThree)
	want := compute(t, m, Options{Replicates: 10})
	defer func(n int) { replicateBytes = n }(replicateBytes)
	replicateBytes = 2 * 3 * 10
	if !sameShares(compute(t, m, Options{Replicates: 10}), want) {
		t.Error("one topic at a time has other intervals")
	}
	replicateBytes--
	_, err := Compute(t.Context(), m, Options{Replicates: 10})
	if err == nil ||
		!strings.HasPrefix(err.Error(), "3 groups and periods with 10 replicates are too many for intervals") {
		t.Error(err)
	}
}

// Two documents have an interval, one has none; a difference has one if both groups have.
func TestIntervalsOfFewDocuments(t *testing.T) {
	var b corpus.Builder
	m := &drawn{topics: 2, z: []uint32{0, 0, 1, 1, 0, 1, 0, 0, 1}}
	for _, d := range []struct{ label, time string }{
		{"a", "2001"}, {"a", "2001"}, {"b", "2001"}, {"b", "2001"}, // both
		{"a", "2002"}, {"b", "2002"}, {"b", "2002"}, // only b
		{"a", "2003"}, {"b", "2003"},
	} {
		b.Add(corpus.Document{Label: d.label, Time: d.time, Tokens: []string{"w"}})
	}
	m.docs = b.Corpus()
	r := compute(t, m, Options{By: labelAndTime, Labels: []string{"b", "a"}, Difference: true, Replicates: 50})
	has := func(low, high float64) bool { return low <= high }
	for c, want := range []bool{true, true, false, true, false, false} {
		if s := r.Shares[c][0]; has(s.Low, s.High) != want {
			t.Errorf("%s in %s: %+v", r.Cells[c].Label, r.Cells[c].Period.Name, s)
		}
	}
	for p, want := range []bool{true, false, false} {
		if d := r.Differences[p].Changes[0]; has(d.Low, d.High) != want {
			t.Errorf("difference in %s: %+v", r.Differences[p].Period.Name, d)
		}
	}
}

// The distribution of weights is that of Poisson with mean 1, from 0 to 12, rounded to 2^-32.
func TestPoisson(t *testing.T) {
	sum, p := 0.0, math.Exp(-1)
	for n, limit := range poisson {
		sum += p
		if float64(limit) != math.Round(sum*(1<<32)) {
			t.Errorf("P(X ≤ %d) is %d/2^32, want %v", n, limit, sum)
		}
		if times(limit-1) != uint64(n) || times(limit) != uint64(n+1) {
			t.Errorf("%d and %d about the limit %d", times(limit-1), times(limit), n)
		}
		p /= float64(n + 1)
	}
	if times(0) != 0 || times(math.MaxUint32) != 12 {
		t.Errorf("%d to %d times", times(0), times(math.MaxUint32))
	}
}
