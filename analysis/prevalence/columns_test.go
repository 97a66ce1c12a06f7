package prevalence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/dates"
)

// values are those of a column.
type values []string

func (v values) Len() int { return len(v) }

func (v values) At(i int) string { return v[i] }

// described returns six documents of one token with labels, times and columns.
func described(t *testing.T) *drawn {
	t.Helper()
	m := timed("2020-01-05", "2020-01-20", "2020-02-01", "2020-02-02", "2021-01-01", "2021-01-02")
	docs, err := m.docs.WithColumns([]column.Column{
		{Name: "Party", Kind: column.Category, Values: values{"left", "right", "left", "NA", "right", ""}},
		{Name: "house", Kind: column.Number, Values: values{"1", "1", "2", "2", "2", "2"}},
		{Name: "read", Kind: column.Date, Values: values{"2019-05-01", "2019-06-01", "", "2019-06-02", "2020-01-01", "soon"}},
		{Name: "note", Kind: column.Text, Values: values{"a", "b", "c", "d", "e", "f"}},
		{Name: "year", Kind: column.Category, Values: values{"odd", "odd", "even", "even", "odd", "odd"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.docs = docs
	return m
}

// Documents are grouped by labels, times and columns, and by combinations; one that lacks a value is left out.
func TestGroupingByColumns(t *testing.T) {
	m := described(t)
	for _, c := range []struct {
		by      string
		options Options
		used    string
		cells   string
		out     LeftOut
	}{
		{"", Options{}, byLabel, "x 6", LeftOut{}},
		{"party", Options{}, byLabel, "left 2, right 2", LeftOut{NoLabel: 2}},
		{"Party", Options{Labels: []string{"right"}}, byLabel, "right 2", LeftOut{NoLabel: 2, Other: 2}},
		{"house", Options{Labels: []string{"2", "1"}}, byLabel, "2 4, 1 2", LeftOut{}},
		{"house, party", Options{}, byLabel, "1, left 1; 1, right 1; 2, left 1; 2, right 1", LeftOut{NoLabel: 2}},
		{"label,house", Options{}, byLabel, "x, 1 2; x, 2 4", LeftOut{}},
		{"month", Options{}, byTime, "2020-01 2, 2020-02 2, 2020-03..2020-12 0, 2021-01 2", LeftOut{}},
		{"year", Options{}, byLabel, "even 2, odd 4", LeftOut{}}, // a column goes before bins of its name
		{"quarter", Options{Bins: dates.ByDecade}, byTime, "2020s 6", LeftOut{}},
		{"time", Options{Bins: dates.ByYear}, byTime, "2020 4, 2021 2", LeftOut{}},
		{"read", Options{Bins: dates.ByYear}, byTime, "2019 3, 2020 1", LeftOut{NoTime: 1, Unread: 1, Example: "soon"}},
		{
			"party,time",
			Options{Bins: dates.ByYear},
			labelAndTime, "left 2020 2, left 2021 0, right 2020 1, right 2021 1",
			LeftOut{NoLabel: 2},
		},
		{"decade,house", Options{}, labelAndTime, "1 2020s 2, 2 2020s 4", LeftOut{}},
		{
			"read,house",
			Options{Bins: dates.ByYear},
			labelAndTime, "1 2019 2, 1 2020 0, 2 2019 1, 2 2020 1",
			LeftOut{NoTime: 1, Unread: 1, Example: "soon"},
		},
	} {
		c.options.By = c.by
		g, err := Group(m.docs, c.options)
		if err != nil {
			t.Errorf("%s: %v", c.by, err)
			continue
		}
		var got []string
		for i, cell := range g.Cells {
			name := cell.Label
			if cell.Period != nil {
				name = strings.TrimSpace(name + " " + cell.Period.Name)
			}
			docs := 0
			for _, of := range g.Of {
				if int(of) == i {
					docs++
				}
			}
			if docs != cell.Docs || cell.Tokens != uint64(docs) {
				t.Errorf("%s: %d documents in %+v", c.by, docs, cell)
			}
			got = append(got, fmt.Sprint(name, " ", cell.Docs))
		}
		without := 0
		for _, of := range g.Of {
			if of == -1 {
				without++
			}
		}
		if left := g.LeftOut; without != left.NoLabel+left.Other+left.NoTime+left.Unread {
			t.Errorf("%s: %d documents are in no cell, %+v", c.by, without, left)
		}
		between := ", "
		if strings.Contains(c.cells, ";") {
			between = "; "
		}
		want := c.cells
		if c.by == "month" {
			got = slices.Concat(got[:2], []string{"2020-03..2020-12 0"}, got[12:])
		}
		if strings.Join(got, between) != want || g.By != c.used || g.LeftOut != c.out {
			t.Errorf("%s: by %s, %q, %+v; want by %s, %q, %+v", c.by, g.By, got, g.LeftOut, c.used, want, c.out)
		}
	}
	for by, want := range map[string]string{
		"note": "cannot group by column note: it holds " + string(column.Text) +
			", not one of few values for each document",
		"partie":     `cannot group by "partie": did you mean "Party"?`,
		"label,hose": `cannot group by "hose": did you mean "house"?`,
		"nothing":    `cannot group by "nothing"`,
	} {
		if _, err := Group(m.docs, Options{By: by}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", by, err, want)
		}
	}
	untimed := corpus.FromTokens([][]string{{"w"}})
	if _, err := Group(untimed, Options{By: "year"}); err == nil ||
		!strings.HasPrefix(err.Error(), `cannot group by "year"`) {
		t.Errorf("documents without times: %v", err)
	}
}

// Grouping by time alone has no labels to look at or compare, however time is named.
func TestLabelsOfTimes(t *testing.T) {
	m := described(t)
	for _, by := range []string{byTime, " time", "month", "read"} {
		for labels, want := range map[string]string{
			"left":       `the group "left" was asked for, and documents are grouped by time alone: group by label,time`,
			"left right": `the group "left" was asked for, and documents are grouped by time alone: group by label,time`,
		} {
			o := Options{By: by, Labels: strings.Fields(labels), Replicates: 4}
			if o.Difference = len(o.Labels) == 2; o.Difference && by == byTime {
				want = "a difference is between two groups: name two different labels, and group by label"
			}
			if _, err := Compute(t.Context(), m, o); err == nil || err.Error() != want {
				t.Errorf("%q, %s: %v, want %s", by, labels, err, want)
			}
		}
	}
	for _, o := range []Options{{By: "party,read"}, {By: "party", Interval: -1}} {
		o.Difference, o.Labels, o.Bins = true, []string{"left", "right"}, dates.ByYear
		if r := compute(t, m, o); len(r.Differences) != len(r.Cells)/2 {
			t.Errorf("%s: %d differences of %d cells", o.By, len(r.Differences), len(r.Cells))
		}
	}
}
