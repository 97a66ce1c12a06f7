package effects

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
)

// Years are measured from a round one near their mean: coefficients, errors, predictions and contrasts are those of a
// column that holds the differences, and the intercept is a share.
func TestYearsAreMeasuredFromTheirMiddle(t *testing.T) {
	m, columns := study(8, 120)
	party := columns[0]
	year := func(add int) values {
		return numbers(120, func(d int) string { return fmt.Sprint(add + (d*7)%20) })
	}
	columns = []column.Column{
		party,
		{Name: "year", Kind: column.Number, Values: year(2001)},
		{Name: "since", Kind: column.Number, Values: year(2001 - 2010)},
	}
	for _, formula := range []string{
		"~ party + year", "~ party * year", "~ party * year + I(year^2)", "~ 0 + party + year",
	} {
		got := compute(t, m, Options{Formula: formula, Columns: columns})
		want := compute(t, m, Options{Formula: strings.ReplaceAll(formula, "year", "since"), Columns: columns})
		if !slices.Equal(got.Origins, []string{"year = 2010"}) || want.Origins != nil {
			t.Errorf("%s: measured from %q, and differences from %q", formula, got.Origins, want.Origins)
		}
		for k, list := range got.Effects {
			for i, e := range list {
				sameEffect(t, fmt.Sprintf("%s, %s", formula, got.Names[i]), e, want.Effects[k][i])
			}
			if first := list[0].Estimate; first < 0 || first > 1 {
				t.Errorf("%s: the intercept of topic %d is %v", formula, k, first)
			}
		}
		a, errA := got.PredictAt(map[string]string{"year": "2015"})
		b, errB := want.PredictAt(map[string]string{"since": "5"})
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		c, errC := got.Contrast("year", "2003", "2019")
		d, errD := want.Contrast("since", "-7", "9")
		if errC != nil || errD != nil {
			t.Fatal(errC, errD)
		}
		for k := range a {
			sameEffect(t, formula+", predicted", a[k], b[k])
			sameEffect(t, formula+", contrast", c[k], d[k])
		}
	}
}

// sameEffect compares two effects.
func sameEffect(t *testing.T, what string, a, b Effect) {
	t.Helper()
	const eps = 1e-9 // of shares
	if math.Abs(a.Estimate-b.Estimate) > eps || math.Abs(a.Error-b.Error) > eps {
		t.Errorf("%s: %+v and %+v", what, a, b)
	}
}

// Where documents have whole years, shares are listed at whole years, and curves keep their points.
func TestPointsAtWholeYears(t *testing.T) {
	m, columns := study(8, 120)
	columns = []column.Column{
		columns[0],
		{Name: "year", Kind: column.Number, Values: numbers(120, func(d int) string { return fmt.Sprint(2001 + d%20) })},
		{Name: "date", Kind: column.Date, Values: numbers(120, func(d int) string { return fmt.Sprint(2001 + d%20) })},
		{Name: "day", Kind: column.Date, Values: numbers(120, func(d int) string { return fmt.Sprintf("%d-05-17", 2001+d%20) })},
	}
	for by, want := range map[string]string{
		"year": "2001 2004 2007 2011 2014 2017 2020",
		"date": "2001-01-01 2004-01-01 2007-01-01 2011-01-01 2014-01-01 2017-01-01 2020-01-01",
		"day":  "2001-05-17 2004-07-16 2007-09-16 2010-11-16 2014-01-15 2017-03-17 2020-05-17",
	} {
		r := compute(t, m, Options{Formula: "~ party * " + by, Columns: columns})
		points, err := r.Predict(by, 7)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range points {
			got = append(got, p.Value)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("shares by %s are listed at %q, want %s", by, got, want)
		}
		if points, err = r.Predict(by, 60); err != nil || points[1].At-points[0].At > 0.5 {
			t.Errorf("a curve of 60 points: %v, %v", points[:2], err)
		}
	}
}

// With each document as its own cluster the difference of two groups has the standard error of Welch's test, and Bell and
// McCaffrey's degrees of freedom, (1/a + 1/b)² / (1/(a²(a−1)) + 1/(b²(b−1))).
func TestEachDocumentIsWelch(t *testing.T) {
	m, columns := study(8, 120)
	parties := numbers(120, func(d int) string { return []string{"a", "b", "a", "a", "a"}[d%5] })
	columns = []column.Column{{Name: "party", Kind: column.Category, Values: parties}, columns[1]}
	r := compute(t, m, Options{Formula: "~ party", Columns: columns, Cluster: eachDocument})
	p, err := prepare(m, Options{Formula: "~ party", Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	docs := p.corpus
	for k, list := range r.Effects {
		var sum, square, n [2]float64
		for d := range docs.NumDocs() {
			lo, hi := docs.Offsets()[d], docs.Offsets()[d+1]
			z := m.AppendTopics(nil, int(lo), int(hi))
			share := 0.0
			for _, topic := range z {
				if int(topic) == r.Topics[k] {
					share += 1 / float64(len(z))
				}
			}
			g := 0
			if parties[d] == "b" {
				g = 1
			}
			if len(z) > 0 {
				sum[g], square[g], n[g] = sum[g]+share, square[g]+share*share, n[g]+1
			}
		}
		variance, top, bottom := 0.0, 0.0, 0.0
		for g := range n {
			variance += (square[g] - sum[g]*sum[g]/n[g]) / (n[g] - 1) / n[g]
			top += 1 / n[g]
			bottom += 1 / (n[g] * n[g] * (n[g] - 1))
		}
		e := list[1]
		if math.Abs(e.Estimate-(sum[1]/n[1]-sum[0]/n[0])) > 1e-9 || math.Abs(e.Error-math.Sqrt(variance)) > 1e-9 || math.Abs(e.Freedom-top*top/bottom) > 1e-6 {
			t.Errorf("topic %d: %+v, want error %v and %v degrees of freedom", k, e, math.Sqrt(variance), top*top/bottom)
		}
	}
	if !strings.Contains(r.Methods(8), "HC2") || r.Clusters != r.Docs {
		t.Errorf("%d clusters: %s", r.Clusters, r.Methods(8))
	}
	if _, err := Compute(t.Context(), m, Options{Formula: "~ party", Columns: columns, Cluster: "documents"}); err == nil {
		t.Error("clusters by a column that does not exist")
	}
}

// A formula that a shift would change keeps its numbers, and so do numbers whose 0 is near.
func TestOrigins(t *testing.T) {
	m, columns := study(8, 120)
	party := columns[0]
	with := func(name string, kind column.Kind, of func(d int) string) column.Column {
		return column.Column{Name: name, Kind: kind, Values: numbers(120, of)}
	}
	columns = []column.Column{
		party,
		with("year", column.Number, func(d int) string { return fmt.Sprint(2001 + d%20) }),
		with("rating", column.Number, func(d int) string { return fmt.Sprint(1 + d%7) }),
		with("cold", column.Number, func(d int) string { return fmt.Sprint(-270.5 + float64(d%9)/8) }),
		with("date", column.Date, func(d int) string { return fmt.Sprintf("%d-03-%02d", 2010+d%9, 1+d%28) }),
		with("week", column.Date, func(d int) string { return fmt.Sprintf("2024-02-%02d", 1+d%7) }),
	}
	for formula, want := range map[string]string{
		"~ year":                         "year = 2010",
		"~ year + I(year^2)":             "year = 2010",
		"~ I(year^2)":                    "",
		"~ year + I(year^3)":             "",
		"~ party:year":                   "",
		"~ party + party:year":           "year = 2010",
		"~ year:rating + rating":         "year = 2010",
		"~ 0 + year":                     "",
		"~ rating":                       "",
		"~ log(year)":                    "",
		"~ s(year, 4)":                   "",
		"~ cold":                         "cold = -270",
		"~ date":                         "date = 2014-01-01",
		"~ week":                         "week = 2024-02-03",
		"~ year + date + factor(rating)": "year = 2010, date = 2014-01-01",
	} {
		r := compute(t, m, Options{Formula: formula, Columns: columns})
		if got := strings.Join(r.Origins, ", "); got != want {
			t.Errorf("%s is measured from %q, want %q", formula, got, want)
		}
		if want != "" && r.Bases[0] != want && r.Names[0] == intercept {
			t.Errorf("%s: the intercept is said to be at %q", formula, r.Bases[0])
		}
	}
}
