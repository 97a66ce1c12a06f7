package effects

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
)

// numbers returns n values, the i-th of which is f(i).
func numbers(n int, f func(i int) string) values {
	list := make(values, n)
	for i := range list {
		list[i] = f(i)
	}
	return list
}

// alternating returns a model of so many documents whose shares of topic 0 are 0.2, 0.4, 0.6, 0.2, …
func alternating(docs int) *given {
	first := make([]int, docs)
	for d := range first {
		first[d] = 1 + d%3
	}
	return shared(5, first...)
}

// What a formula cannot use, each with the largest thing that it can.
func TestLimitsOfColumns(t *testing.T) {
	const docs = 1010
	m := alternating(docs)
	levels := func(n int) values { return numbers(docs, func(i int) string { return fmt.Sprint("v", i%n) }) }
	columns := []column.Column{
		{Name: "thousand", Kind: column.Category, Values: levels(1000)},
		{Name: "more", Kind: column.Category, Values: levels(1001)},
		{Name: "one", Kind: column.Category, Values: levels(1)},
		{Name: "two", Kind: column.Category, Values: levels(2)},
		{Name: "items", Kind: column.List, Values: levels(1000)},
		{Name: "moreitems", Kind: column.List, Values: levels(1001)},
		{Name: "words", Kind: column.Text, Values: levels(3)},
		{Name: "four", Kind: column.Number, Values: numbers(docs, func(i int) string { return fmt.Sprint(i % 4) })},
		{Name: "five", Kind: column.Number, Values: numbers(docs, func(i int) string { return fmt.Sprint(i % 5) })},
		{Name: "day", Kind: column.Date, Values: numbers(docs, func(i int) string { return fmt.Sprint(100 + i%300) })},
	}
	for formula, want := range map[string]string{
		"~ thousand":               "",
		"~ more":                   "column more has 1001 different values: a formula compares at most 1000",
		"~ one":                    "column one has 1 different values, so there is nothing to compare",
		"~ two":                    "",
		"~ items":                  "",
		"~ moreitems":              "column moreitems has more than 1000 different items",
		"~ words":                  "column words holds text, which cannot be used directly; factor(words) ",
		"~ factor(words)":          "",
		"~ log(words)":             "log(words) needs numbers or dates, and column words holds text",
		"~ s(two)":                 "s(two) needs numbers or dates, and column two holds categories",
		"~ sqrt(items)":            "sqrt(items) needs numbers or dates, and column items holds lists",
		"~ s(four)":                "s(four) needs more than 4 different values, and column four has 4: use factor(four)",
		"~ s(five)":                "",
		"~ day":                    `column day was imported as dates, and none of its values is one, such as "100": factor(day) compares`,
		"~ thousand:two":           "the formula has more than 2000 coefficients",
		"~ thousand + items":       "only 1010 documents have all values of the formula, which has 2000 coefficients",
		"~ thousand + items + two": "the formula has more than 2000 coefficients",
		"~ nothing":                `there is no column "nothing"`,
	} {
		f, err := parseFormula(formula)
		if err != nil {
			t.Fatal(err)
		}
		_, err = newDesign(f, columns, docs, nil, nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", formula, err, want)
		}
	}
	r := compute(t, m, Options{Formula: "~ s(five)", Columns: columns, Topics: []int{0}})
	if got := strings.Join(r.Names, " "); got != "(Intercept) s(five).1 s(five).2 s(five).3 s(five).4" {
		t.Errorf("a spline of five values has %s", got)
	}
	wide := []column.Column{{
		Name: "x", Kind: column.Number,
		Values: numbers(docs, func(i int) string { return fmt.Sprint(i) }),
	}}
	if r := compute(t, m, Options{Formula: "~ s(x)", Columns: wide, Topics: []int{0}}); len(r.Names) != 11 {
		t.Errorf("a spline of many values has %q", r.Names)
	}
}

// A power has the interactions of as many variables at most, and 1 and 9 are powers; a spline has 3 to 100 degrees.
func TestPowersAndDegrees(t *testing.T) {
	for formula, want := range map[string]string{
		"~ (a + b)^1":           "a b",
		"~ (a + b + c)^2":       "a b c a:b a:c b:c",
		"~ (a + b + c)^3":       "a b c a:b a:c b:c a:b:c",
		"~ (a + b)^9":           "a b a:b",
		"~ (a + b)^2 - a:b":     "a b",
		"~ s(a, 3) + s(a, 100)": "s(a, 3) s(a, 100)",
		"~ s(a, df = 7)":        "s(a, 7)",
		"~ a*b - a":             "b a:b",
		"~ a:b:a + b*b":         "b a:b",
		"~ (a + b):c - 1":       "a:c b:c",
		"~ `a b`*log(`c d`)":    "a b log(c d) a b:log(c d)",
	} {
		f, err := parseFormula(formula)
		if err != nil {
			t.Errorf("%s: %v", formula, err)
			continue
		}
		var got []string
		for _, term := range f.terms {
			var names []string
			for _, v := range term {
				names = append(names, v.text)
			}
			got = append(got, strings.Join(names, ":"))
		}
		if strings.Join(got, " ") != want || f.intercept == strings.HasSuffix(formula, "- 1") {
			t.Errorf("%s has terms %q, want %s; intercept %v", formula, got, want, f.intercept)
		}
	}
}

// There must be more documents than coefficients.
func TestFewDocuments(t *testing.T) {
	for docs, want := range map[int]string{
		4: "",
		3: "only 3 documents have all values of the formula, which has 3 coefficients",
	} {
		columns := []column.Column{
			{Name: "x", Kind: column.Number, Values: values{"1", "2", "4", "5"}[:docs]},
			{Name: "y", Kind: column.Number, Values: values{"1", "0", "0", "1"}[:docs]},
		}
		_, err := Compute(t.Context(), alternating(docs), Options{Formula: "~ x + y", Columns: columns})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d documents: %v", docs, err)
		}
	}
}

// Options within their limits are taken, others are refused together.
func TestLimitsOfOptions(t *testing.T) {
	m := alternating(9)
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Interval: 0.001}, ""},
		{Options{Interval: 1}, "the interval is 1: it must lie between 0 and 1"},
		{Options{Interval: -0.5}, "the interval is -0.5"},
		{Options{Interval: math.NaN()}, "the interval is NaN"},
		{Options{Draws: 2}, ""},
		{Options{Draws: 1 << 16}, ""},
		{Options{Draws: 1<<16 + 1}, "the number of draws is 65537: it must be 0, or between 2 and 65536"},
		{Options{Draws: -1}, "the number of draws is -1"},
		{Options{Topics: []int{1, 0}}, ""},
		{Options{Topics: []int{1, 0, 1}}, "topic 1 is named twice: name it once"},
		{Options{Topics: []int{2}}, "there is no topic 2: the model has 2, counted from 0"},
		{
			Options{Topics: []int{-1}, Interval: 3},
			"the interval is 3: it must lie between 0 and 1, such as 0.95\nthere is no topic -1",
		},
	} {
		c.options.Formula = "~ 1"
		_, err := prepare(m, c.options)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.options, err, c.want)
		}
	}
	r, err := prepare(m, Options{Formula: "~ 1"})
	if err != nil || r.options.Interval != 0.95 || r.options.Threads < 1 || !slices.Equal(r.options.Topics, []int{0, 1}) {
		t.Errorf("defaults %+v, %v", r.options, err)
	}
	columns := []column.Column{{Name: "same", Kind: column.Category, Values: slices.Repeat(values{"a"}, 9)}}
	_, err = Compute(t.Context(), m, Options{Formula: "~ 1", Columns: columns, Cluster: "same"})
	const want = "column same has the same value in all documents of the regression, so errors cannot be clustered"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// Documents are read in pieces of 16,384, as many at a time as there are threads; sums do not depend on that, and the
// progress is told after each.
func TestPieces(t *testing.T) {
	const docs = 40_000
	m := alternating(docs)
	columns := []column.Column{{
		Name: "x", Kind: column.Number,
		Values: numbers(docs, func(i int) string { return fmt.Sprint(i % 3) }),
	}}
	for threads, want := range map[int][][2]int64{
		1: {{16384, docs}, {32768, docs}, {docs, docs}},
		2: {{32768, docs}, {docs, docs}},
		5: {{docs, docs}},
	} {
		var told [][2]int64
		r := compute(t, m, Options{
			Formula: "~ x", Columns: columns, Topics: []int{0}, Threads: threads,
			Progress: func(done, total int64) { told = append(told, [2]int64{done, total}) },
		})
		if !slices.Equal(told, want) {
			t.Errorf("%d threads: told %v, want %v", threads, told, want)
		}
		near(t, "the share where x is 0", r.Effects[0][0].Estimate, 0.2)
		near(t, "the slope", r.Effects[0][1].Estimate, 0.2)
		if r.Docs != docs {
			t.Errorf("%d documents", r.Docs)
		}
	}
	for stop := range 6 { // in the sums, in the first draw, in the second, with clusters and without
		o := Options{Formula: "~ x", Columns: columns, Threads: 1, Draws: 2, Cluster: []string{"x", ""}[stop/3]}
		ctx, cancel := context.WithCancel(t.Context())
		pieces := 0
		o.Progress = func(done, total int64) {
			if done < total && pieces/3 == stop%3 {
				cancel()
			}
			pieces++
		}
		if _, err := Compute(ctx, m, o); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled in pass %d: %v", stop, err)
		}
		cancel()
	}
}
