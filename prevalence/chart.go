package prevalence

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/internal/svg"
)

const (
	chartTopics = 12 // most panels
	chartRows   = 40 // most topics in a panel
	chartLabels = 9  // most lines in a panel: that many colours there are
)

// writeSVG draws a panel for each of the topics with the most tokens: groups as dots, time as a
// line, with intervals. Differences of groups are dots of one panel.
func (r *Result) writeSVG(w io.Writer, name func(int) string) error {
	if len(r.Differences) > 0 && r.By == Label {
		return svg.Write(w, r.chartDifferences(name))
	}
	var charts []svg.Chart
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
		charts = append(charts, c)
	}
	return svg.Write(w, charts...)
}

func (r *Result) title(slot int, name func(int) string) string {
	title := fmt.Sprintf("topic %d", r.Topics[slot])
	if label := called(name, r.Topics[slot]); label != nil {
		title += ": " + *label
	}
	return title
}

// largest returns the places of the n topics with the most tokens, in the order of Topics.
func (r *Result) largest(n int) []int {
	slots := make([]int, len(r.Topics))
	sizes := make([]uint64, len(r.Topics))
	for i := range slots {
		slots[i] = i
		for c := range r.Shares {
			sizes[i] += r.Shares[c][i].Tokens
		}
	}
	slices.SortStableFunc(slots, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	slots = slots[:min(n, len(slots))]
	slices.Sort(slots)
	return slots
}

const (
	shareAxis      = "share of tokens"
	differenceAxis = "difference of shares"
)

func (r *Result) chartLabels(c *svg.Chart, slot int) {
	s := svg.Series{Dots: true}
	for i, cell := range r.Cells {
		c.Y.Names = append(c.Y.Names, cell.Label)
		x := r.Shares[i][slot]
		s.X, s.Y = append(s.X, x.Share), append(s.Y, float64(i))
		s.Low, s.High = append(s.Low, x.Low), append(s.High, x.High)
	}
	c.X.Label, c.Series = shareAxis, []svg.Series{s}
}

func (r *Result) chartTime(c *svg.Chart, slot int) {
	c.Y.Label = shareAxis
	periods := 0
	for periods < len(r.Cells) && r.Cells[periods].Label == r.Cells[0].Label {
		c.X.Names = append(c.X.Names, r.Cells[periods].Period.Name)
		periods++
	}
	for first := 0; first < len(r.Cells) && len(c.Series) < chartLabels; first += periods {
		s := svg.Series{Name: r.Cells[first].Label}
		for p := range periods {
			x := r.Shares[first+p][slot]
			s.X, s.Y = append(s.X, float64(p)), append(s.Y, x.Share)
			s.Low, s.High = append(s.Low, x.Low), append(s.High, x.High)
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
	c.Y.Label = differenceAxis
	s := svg.Series{Name: r.versus()}
	for p, d := range r.Differences {
		x := d.Changes[slot]
		c.X.Names = append(c.X.Names, d.Period.Name)
		s.X, s.Y = append(s.X, float64(p)), append(s.Y, x.Difference)
		s.Low, s.High = append(s.Low, x.Low), append(s.High, x.High)
	}
	c.Series = []svg.Series{s}
}

// chartDifferences draws the differences of many topics.
func (r *Result) chartDifferences(name func(int) string) svg.Chart {
	c := svg.Chart{Title: r.versus(), X: svg.Axis{Label: differenceAxis}}
	s := svg.Series{Dots: true}
	for i, slot := range r.largest(chartRows) {
		x := r.Differences[0].Changes[slot]
		c.Y.Names = append(c.Y.Names, r.title(slot, name))
		s.X, s.Y = append(s.X, x.Difference), append(s.Y, float64(i))
		s.Low, s.High = append(s.Low, x.Low), append(s.High, x.High)
	}
	c.Series = []svg.Series{s}
	return c
}
