package prevalence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/dates"
)

// timed returns documents of one token and one topic with the given times. Those without tokens begin with a minus.
func timed(times ...string) *drawn {
	m := &drawn{topics: 1}
	var b corpus.Builder
	for _, s := range times {
		doc := corpus.Document{Label: "x", Time: s, Tokens: []string{"w"}}
		if len(s) > 0 && s[0] == '-' {
			doc.Time, doc.Tokens = s[1:], nil
		} else {
			m.z = append(m.z, 0)
		}
		b.Add(doc)
	}
	m.docs = b.Corpus()
	return m
}

// A document that is left out is counted once, for the first reason: an empty document has no other fault.
func TestLeftOutOnce(t *testing.T) {
	m := timed("2020-01-05", "-", "-soon", "-2020", "", "soon", "2020", "2020-02-01")
	r := compute(t, m, Options{By: byTime, Bins: dates.ByMonth})
	if want := (LeftOut{Empty: 3, NoTime: 1, Unread: 1, Coarse: 1, Example: "soon"}); r.LeftOut != want {
		t.Errorf("left out %+v, want %+v", r.LeftOut, want)
	}
}

// Equally long pieces of less than a day have names with times, and no two the same; from a day on, dates tell them apart.
func TestNamesOfPieces(t *testing.T) {
	for _, c := range []struct {
		times []string
		bins  string
		want  []string
	}{
		{[]string{"2020-01-01T00:00:00Z", "2020-01-01T23:59:59Z"}, "2", []string{"2020-01-01T00:00:00/2020-01-01T12:00:00", "2020-01-01T12:00:00/2020-01-02T00:00:00"}},
		{[]string{"2020-01-01T00:00:00Z", "2020-01-03T00:00:00Z"}, "2", []string{"2020-01-01/2020-01-02", "2020-01-02/2020-01-03"}},
		{[]string{"2020-01-01T00:00:00Z", "2020-01-02T23:59:59Z"}, "2", []string{"2020-01-01T00:00:00/2020-01-02T00:00:00", "2020-01-02T00:00:00/2020-01-03T00:00:00"}},
	} {
		r := compute(t, timed(c.times...), Options{By: byTime, Bins: c.bins})
		var got []string
		for _, cell := range r.Cells {
			got = append(got, cell.Period.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.times, got, c.want)
		}
	}
}

// Rows have a label where documents are grouped by label, and a time where they are grouped by time.
func TestRowsNameTheirCells(t *testing.T) {
	m := draw(2, 2, 30, func(d int) (string, string) { return []string{"a", "b"}[d%2], fmt.Sprint(2000 + d%3) })
	for by, want := range map[string][2]bool{byLabel: {true, false}, byTime: {false, true}, labelAndTime: {true, true}} {
		r := compute(t, m, Options{By: by})
		n := 0
		for row := range r.Rows(nil) {
			cell := r.Cells[n/2]
			if (row.Label != nil) != want[0] || (row.Time != nil) != want[1] || row.Topic != int32(n%2) {
				t.Errorf("by %s: row %+v", by, row)
			}
			if row.Label != nil && *row.Label != cell.Label || row.Time != nil && *row.Time != cell.Period.Name || row.Docs != int64(cell.Docs) || row.Total != int64(cell.Tokens) {
				t.Errorf("by %s: row %+v of cell %+v", by, row, cell)
			}
			n++
		}
		if n != 2*len(r.Cells) {
			t.Errorf("by %s: %d rows of %d cells", by, n, len(r.Cells))
		}
	}
}

// A date with slashes can be read once its order is told; a time of another kind cannot, and no order is asked for.
func TestHintAboutTheOrderOfDates(t *testing.T) {
	const hint = "or say whether the day or the month comes first"
	for text, want := range map[string]bool{"3/5/2024": true, "soon": false} {
		_, err := Group(timed(text).docs, Options{By: byTime})
		if err == nil || strings.Contains(err.Error(), hint) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	_, err := Group(timed("13/13/2024").docs, Options{By: byTime, DateOrder: "dmy"})
	if err == nil || strings.Contains(err.Error(), hint) {
		t.Errorf("an order that was told: %v", err)
	}
}

// A chart shows 12 topics, and 40 groups or, over time, 9; with a difference 40 topics. The note says what it leaves out.
func TestChartNotes(t *testing.T) {
	result := func(by string, topics, groups int) *Result {
		r := &Result{Topics: make([]int, topics), Grouping: &Grouping{By: by}}
		for g := range groups {
			r.Cells = append(r.Cells, Cell{Label: fmt.Sprint("group", g)})
		}
		return r
	}
	for want, r := range map[string]*Result{
		"":                                    result(byLabel, 12, 40),
		"Drawn: the 12 largest of 13 topics.": result(byLabel, 13, 2),
		"Drawn: the 40 largest of 41 groups.": result(byLabel, 2, 41),
		"Drawn: the 9 largest of 10 groups.":  result(labelAndTime, 2, 10),
		"Drawn: the 12 largest of 30 topics and the 9 largest of 40 groups.": result(labelAndTime, 30, 40),
	} {
		if got := r.ChartNote(); got != want {
			t.Errorf("%s, %d topics, %d groups: %q, want %q", r.By, len(r.Topics), len(r.Cells), got, want)
		}
	}
	r := result(byLabel, 41, 2)
	r.Differences = make([]Difference, 1)
	if got := r.ChartNote(); got != "Drawn: the 40 largest of 41 topics." {
		t.Errorf("with a difference: %q", got)
	}
}
