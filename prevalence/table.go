package prevalence

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/internal/human"
)

// Row is a line of the table of shares. Tags name the columns; docs/formats.md describes them.
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

// DifferenceRow is a line of the table of differences.
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

// Rows yields the table of shares: by label, period, then topic. name gives the label of a topic
// and may be nil.
func (r *Result) Rows(name func(topic int) string) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for c, cell := range r.Cells {
			for i, s := range r.Shares[c] {
				row := Row{
					Topic: int32(r.Topics[i]), TopicLabel: called(name, r.Topics[i]),
					Share: finite(s.Share), Low: finite(s.Low), High: finite(s.High),
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
					Topic: int32(r.Topics[i]), TopicLabel: called(name, r.Topics[i]),
					Share: finite(r.Shares[p][i].Share), ShareVersus: finite(r.Shares[other][i].Share),
					Difference: finite(c.Difference), Low: finite(c.Low), High: finite(c.High),
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

func called(name func(int) string, topic int) *string {
	if name == nil {
		return nil
	}
	s := name(topic)
	if s == "" {
		return nil
	}
	return &s
}

// finite returns nil for a number that is none.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Formats lists the names of the formats of [Result.Write].
func Formats() []string { return []string{"csv", "json", "parquet", "svg"} }

// Write writes the differences, if some were asked for, else the shares: as a table, or as
// charts of the largest topics. JSON holds both, and what was left out.
func (r *Result) Write(w io.Writer, format string, name func(topic int) string) error {
	switch format {
	case "csv":
		return r.writeCSV(w, name)
	case "json":
		return r.writeJSON(w, name)
	case "parquet":
		if len(r.Differences) > 0 {
			return writeParquet(w, r.DifferenceRows(name))
		}
		return writeParquet(w, r.Rows(name))
	case "svg":
		return r.writeSVG(w, name)
	}
	return fmt.Errorf("unknown format %q%s", format, human.Hint(format, Formats()))
}

func writeParquet[T any](w io.Writer, rows iter.Seq[T]) error {
	p := parquet.NewGenericWriter[T](w, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("topoi", "1", ""))
	for row := range rows {
		if _, err := p.Write([]T{row}); err != nil {
			return err
		}
	}
	return p.Close()
}

func (r *Result) writeCSV(w io.Writer, name func(int) string) error {
	c := csv.NewWriter(w)
	if len(r.Differences) > 0 {
		_ = c.Write([]string{"label", "versus", "time", "start", "topic", "topic_label", "share", "share_versus", "difference", "low", "high"})
		for row := range r.DifferenceRows(name) {
			_ = c.Write([]string{
				row.Label, row.Versus, text(row.Time), text(row.Start), strconv.Itoa(int(row.Topic)), text(row.TopicLabel),
				number64(row.Share), number64(row.ShareVersus), number64(row.Difference), number64(row.Low), number64(row.High),
			})
		}
		c.Flush()
		return c.Error() // of any of the writes
	}
	_ = c.Write([]string{"label", "time", "start", "topic", "topic_label", "share", "low", "high", "tokens", "total", "docs"})
	for row := range r.Rows(name) {
		_ = c.Write([]string{
			text(row.Label), text(row.Time), text(row.Start), strconv.Itoa(int(row.Topic)), text(row.TopicLabel),
			number64(row.Share), number64(row.Low), number64(row.High),
			strconv.FormatInt(row.Tokens, 10), strconv.FormatInt(row.Total, 10), strconv.FormatInt(row.Docs, 10),
		})
	}
	c.Flush()
	return c.Error()
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func number64(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
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
	d := document{
		By: r.By, Bins: r.Bins, DateOrder: r.DateOrder, Interval: r.Interval, Replicates: r.Replicates, Seed: r.Seed,
		LeftOut: r.LeftOut, Shares: []Row{},
	}
	for row := range r.Rows(name) {
		d.Shares = append(d.Shares, row)
	}
	for row := range r.DifferenceRows(name) {
		d.Differences = append(d.Differences, row)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(d)
}
