package prevalence

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/rows"
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
				if r.By != Time {
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

// Formats lists the names of the formats of [Result.Write].
func Formats() []string { return []string{"csv", "json", "parquet", "svg"} }

// Write writes the differences if they were requested, else the shares, as a table or as charts of the
// largest topics. JSON contains both, and what was left out.
func (r *Result) Write(w io.Writer, format string, name func(topic int) string) error {
	switch {
	case format == "json":
		return r.writeJSON(w, name)
	case format == "svg":
		return r.writeSVG(w, name)
	case !slices.Contains(Formats(), format):
		return fmt.Errorf("unknown format %q%s", format, human.Hint(format, Formats()))
	case len(r.Differences) > 0:
		return rows.Write(w, format, r.DifferenceRows(name))
	}
	return rows.Write(w, format, r.Rows(name))
}

// document is the form of JSON.
type document struct {
	By          By              `json:"by"`
	Bins        Bins            `json:"bins,omitempty"`
	DateOrder   DateOrder       `json:"date_order,omitempty"`
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
		LeftOut: r.LeftOut, Shares: slices.AppendSeq([]Row{}, r.Rows(name)), Differences: slices.Collect(r.DifferenceRows(name)),
	})
}
