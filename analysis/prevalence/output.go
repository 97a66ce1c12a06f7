package prevalence

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/rows"
	"github.com/topoi-lda/topoi/internal/svg"
)

// Row is a row of the table of shares. Tags name the columns; docs/formats.md describes them.
type Row struct {
	Label      *string  `parquet:"label,optional,dict" json:"label,omitempty"` // of the documents; nil if they are not grouped by it
	Time       *string  `parquet:"time,optional,dict" json:"time,omitempty"`   // name of the period, likewise
	Start      *string  `parquet:"start,optional,dict" json:"start,omitempty"` // its first day
	Topic      int32    `parquet:"topic" json:"topic"`
	TopicLabel *string  `parquet:"topic_label,optional,dict" json:"topic_label,omitempty"` // the name that people gave it
	Share      *float64 `parquet:"share,optional" json:"share"`                            // nil if there are no tokens
	Low        *float64 `parquet:"low,optional" json:"low"`                                // nil if there is no interval
	High       *float64 `parquet:"high,optional" json:"high"`
	Tokens     int64    `parquet:"tokens" json:"tokens"` // of the topic
	Total      int64    `parquet:"total" json:"total"`   // of all topics
	Docs       int64    `parquet:"docs" json:"docs"`
}

// DifferenceRow is a row of the table of differences.
type DifferenceRow struct {
	Label       string   `parquet:"label,dict" json:"label"`
	Versus      string   `parquet:"versus,dict" json:"versus"`
	Time        *string  `parquet:"time,optional,dict" json:"time,omitempty"`
	Start       *string  `parquet:"start,optional,dict" json:"start,omitempty"`
	Topic       int32    `parquet:"topic" json:"topic"`
	TopicLabel  *string  `parquet:"topic_label,optional,dict" json:"topic_label,omitempty"`
	Share       *float64 `parquet:"share,optional" json:"share"`
	ShareVersus *float64 `parquet:"share_versus,optional" json:"share_versus"`
	Difference  *float64 `parquet:"difference,optional" json:"difference"` // share − share_versus
	Low         *float64 `parquet:"low,optional" json:"low"`
	High        *float64 `parquet:"high,optional" json:"high"`
}

// Rows yields the table of shares, by label, period, then topic. name returns the label of a topic and may be nil.
func (r *Result) Rows(name func(topic int) string) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for c, cell := range r.Cells {
			for i, s := range r.Shares[c] {
				row := Row{
					Topic: int32(r.Topics[i]), TopicLabel: rows.Name(name, r.Topics[i]),
					Share: rows.Finite(s.Share), Low: rows.Finite(s.Low), High: rows.Finite(s.High),
					Tokens: int64(s.Tokens), Total: int64(cell.Tokens), Docs: int64(cell.Docs),
				}
				if r.By != byTime {
					row.Label = &cell.Label
				}
				row.Time, row.Start = cell.Period.columns()
				if !yield(row) {
					return
				}
			}
		}
	}
}

// DifferenceRows yields the table of differences: by period, then topic.
func (r *Result) DifferenceRows(name func(topic int) string) iter.Seq[DifferenceRow] {
	return func(yield func(DifferenceRow) bool) {
		for p, d := range r.Differences {
			other := len(r.Differences) + p
			for i, c := range d.Changes {
				row := DifferenceRow{
					Label: r.Cells[p].Label, Versus: r.Cells[other].Label,
					Topic: int32(r.Topics[i]), TopicLabel: rows.Name(name, r.Topics[i]),
					Share: rows.Finite(r.Shares[p][i].Share), ShareVersus: rows.Finite(r.Shares[other][i].Share),
					Difference: rows.Finite(c.Difference), Low: rows.Finite(c.Low), High: rows.Finite(c.High),
				}
				row.Time, row.Start = d.Period.columns()
				if !yield(row) {
					return
				}
			}
		}
	}
}

// columns returns what tables show of a period, nil of none.
func (p *Period) columns() (name, start *string) {
	if p == nil {
		return nil, nil
	}
	day := p.Start.Format(time.DateOnly)
	return &p.Name, &day
}

// Write writes the differences if they were requested, else the shares, as a table ("csv", "json" or "parquet") or as
// charts of the largest topics ("svg"). JSON contains both, and what was left out.
func (r *Result) Write(w io.Writer, format string, name func(topic int) string) error {
	switch {
	case format == "json":
		return r.writeJSON(w, name)
	case format == "svg":
		return r.writeSVG(w, name)
	case !slices.Contains(rows.Formats(), format):
		return fmt.Errorf("unknown format %q%s", format, human.Hint(format, rows.Formats()))
	case len(r.Differences) > 0:
		return rows.Write(w, format, r.DifferenceRows(name))
	}
	return rows.Write(w, format, r.Rows(name))
}

// document is the form of JSON.
type document struct {
	By          string          `json:"by"`
	Bins        string          `json:"bins,omitempty"`
	DateOrder   string          `json:"date_order,omitempty"`
	Interval    float64         `json:"interval"` // 0: none
	Replicates  int             `json:"replicates"`
	Seed        uint64          `json:"seed"`
	LeftOut     LeftOut         `json:"left_out"`
	Shares      []Row           `json:"shares"`
	Differences []DifferenceRow `json:"differences,omitempty"`
}

func (r *Result) writeJSON(w io.Writer, name func(int) string) error {
	return rows.Encode(w, document{
		By: r.By, Bins: r.Bins, DateOrder: r.DateOrder, Interval: r.Interval, Replicates: r.Replicates, Seed: r.Seed,
		LeftOut: r.LeftOut, Shares: slices.AppendSeq([]Row{}, r.Rows(name)),
		Differences: slices.Collect(r.DifferenceRows(name)),
	})
}

const (
	chartTopics = 12 // most panels
	chartRows   = 40 // most topics in a panel
	chartLabels = 9  // most lines in a panel: that many colours there are
)

// writeSVG draws a panel for each of the topics with the most tokens: groups as dots, time as a
// line, with intervals. Differences of groups are dots of one panel. The largest come first.
func (r *Result) writeSVG(w io.Writer, name func(int) string) error {
	figure := svg.Figure{Legend: r.By != byLabel, Note: r.ChartNote()}
	if len(r.Differences) > 0 && r.By == byLabel {
		figure.Charts = []svg.Chart{r.chartDifferences(name)}
		return figure.Write(w)
	}
	for _, slot := range r.largest(chartTopics) {
		c := svg.Chart{Title: r.title(slot, name)}
		switch {
		case len(r.Differences) > 0:
			r.chartDifference(&c, slot)
		case r.By == byLabel:
			r.chartLabels(&c, slot)
		default:
			r.chartTime(&c, slot)
		}
		figure.Charts = append(figure.Charts, c)
	}
	return figure.Write(w)
}

// ChartNote returns a note about the parts that a chart leaves out, "" if there are none.
func (r *Result) ChartNote() string {
	topics, groups := chartTopics, chartLabels
	if r.By == byLabel {
		groups = chartRows
	}
	if len(r.Differences) > 0 && r.By == byLabel {
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

// versus returns what is subtracted from what.
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
