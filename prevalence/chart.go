package prevalence

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/rows"
	"github.com/topoi-lda/topoi/internal/svg"
)

const (
	chartTopics = 12 // most panels
	chartRows   = 40 // most topics in a panel
	chartLabels = 9  // most lines in a panel: that many colours there are
)

// writeSVG draws a panel for each of the topics with the most tokens: groups as dots, time as a
// line, with intervals. Differences of groups are dots of one panel. The largest come first.
func (r *Result) writeSVG(w io.Writer, name func(int) string) error {
	figure := svg.Figure{Legend: r.By != Label, Note: r.ChartNote()}
	if len(r.Differences) > 0 && r.By == Label {
		figure.Charts = []svg.Chart{r.chartDifferences(name)}
		return figure.Write(w)
	}
	for _, slot := range r.largest(chartTopics) {
		c := svg.Chart{Title: r.title(slot, name)}
		switch {
		case len(r.Differences) > 0:
			r.chartDifference(&c, slot)
		case r.By == Label:
			r.chartLabels(&c, slot)
		default:
			r.chartTime(&c, slot)
		}
		figure.Charts = append(figure.Charts, c)
	}
	return figure.Write(w)
}

// ChartNote says what a chart leaves out, "" if it is nothing.
func (r *Result) ChartNote() string {
	topics, groups := chartTopics, chartLabels
	if r.By == Label {
		groups = chartRows
	}
	if len(r.Differences) > 0 && r.By == Label {
		topics = chartRows
	}
	var parts []string
	add := func(drawn, all int, what string) {
		if drawn < all {
			parts = append(parts, fmt.Sprintf("the %d largest of %d %s", drawn, all, what))
		}
	}
	add(topics, len(r.Topics), "topics")
	add(groups, len(r.Blocks()), "groups")
	if len(parts) == 0 {
		return ""
	}
	return "Drawn: " + strings.Join(parts, " and ") + "."
}

// Blocks returns for every group the place of its first cell, those of groups with most
// documents first. The cells of a group follow one another by time.
func (r *Result) Blocks() []int {
	var first []int
	docs := map[int]int{}
	for c, cell := range r.Cells {
		if c == 0 || cell.Label != r.Cells[c-1].Label {
			first = append(first, c)
		}
		docs[first[len(first)-1]] += cell.Docs
	}
	slices.SortStableFunc(first, func(a, b int) int { return cmp.Compare(docs[b], docs[a]) })
	return first
}

func (r *Result) title(slot int, name func(int) string) string {
	title := fmt.Sprintf("topic %d", r.Topics[slot])
	if label := rows.Name(name, r.Topics[slot]); label != nil {
		title += ": " + *label
	}
	return title
}

// largest returns the places of the n topics with the most tokens, largest first.
func (r *Result) largest(n int) []int {
	slots := lists.Upto(len(r.Topics))
	sizes := make([]uint64, len(r.Topics))
	for i := range slots {
		for c := range r.Shares {
			sizes[i] += r.Shares[c][i].Tokens
		}
	}
	slices.SortStableFunc(slots, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	return slots[:min(n, len(slots))]
}

const (
	shareAxis      = "share of tokens"
	differenceAxis = "difference of shares"
)

func (r *Result) chartLabels(c *svg.Chart, slot int) {
	s := svg.Series{Dots: true}
	blocks := r.Blocks()
	for i, at := range blocks[:min(chartRows, len(blocks))] {
		c.Y.Names = append(c.Y.Names, r.Cells[at].Label)
		x := r.Shares[at][slot]
		s.Add(x.Share, float64(i), x.Low, x.High)
	}
	c.X.Label, c.X.Share, c.Series = shareAxis, true, []svg.Series{s}
}

func (r *Result) chartTime(c *svg.Chart, slot int) {
	c.Y.Label, c.Y.Share = shareAxis, true
	periods := 0
	for periods < len(r.Cells) && r.Cells[periods].Label == r.Cells[0].Label {
		c.X.Names = append(c.X.Names, r.Cells[periods].Period.Name)
		periods++
	}
	blocks := r.Blocks()
	for _, first := range blocks[:min(chartLabels, len(blocks))] {
		s := svg.Series{Name: r.Cells[first].Label}
		for p := range periods {
			x := r.Shares[first+p][slot]
			s.Add(float64(p), x.Share, x.Low, x.High)
		}
		c.Series = append(c.Series, s)
	}
}

// versus says what is subtracted from what.
func (r *Result) versus() string {
	return r.Cells[0].Label + " less " + r.Cells[len(r.Differences)].Label
}

// chartDifference draws the differences of a topic over time.
func (r *Result) chartDifference(c *svg.Chart, slot int) {
	c.Y.Label, c.Y.Share = differenceAxis, true
	s := svg.Series{Name: r.versus()}
	for p, d := range r.Differences {
		x := d.Changes[slot]
		c.X.Names = append(c.X.Names, d.Period.Name)
		s.Add(float64(p), x.Difference, x.Low, x.High)
	}
	c.Series = []svg.Series{s}
}

// chartDifferences draws the differences of many topics.
func (r *Result) chartDifferences(name func(int) string) svg.Chart {
	c := svg.Chart{Title: r.versus(), X: svg.Axis{Label: differenceAxis, Share: true}}
	s := svg.Series{Dots: true}
	for i, slot := range r.largest(chartRows) {
		x := r.Differences[0].Changes[slot]
		c.Y.Names = append(c.Y.Names, r.title(slot, name))
		s.Add(x.Difference, float64(i), x.Low, x.High)
	}
	c.Series = []svg.Series{s}
	return c
}
