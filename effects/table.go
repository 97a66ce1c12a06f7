package effects

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/rows"
	"github.com/topoi-lda/topoi/internal/svg"
)

// Row is a line of the table of coefficients; docs/formats.md describes the columns.
type Row struct {
	Topic      int32    `parquet:"topic" json:"topic"`
	TopicLabel *string  `parquet:"topic_label,optional,dict" json:"topic_label,omitempty"`
	Term       string   `parquet:"term,dict" json:"term"`
	Estimate   *float64 `parquet:"estimate,optional" json:"estimate"` // nil if other columns determine this one
	Error      *float64 `parquet:"std_error,optional" json:"std_error"`
	Low        *float64 `parquet:"low,optional" json:"low"`
	High       *float64 `parquet:"high,optional" json:"high"`
	P          *float64 `parquet:"p_value,optional" json:"p_value"`
}

// Rows yields the table of coefficients: by topic, then by term. name gives the label of a topic and may be nil.
func (r *Result) Rows(name func(topic int) string) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for slot, k := range r.Topics {
			for i, e := range r.Effects[slot] {
				row := Row{
					Topic: int32(k), TopicLabel: rows.Name(name, k), Term: r.Names[i],
					Estimate: rows.Finite(e.Estimate), Error: rows.Finite(e.Error), Low: rows.Finite(e.Low), High: rows.Finite(e.High), P: rows.Finite(e.P()),
				}
				if !yield(row) {
					return
				}
			}
		}
	}
}

// Formats lists the formats of [Result.Write].
func Formats() []string { return []string{"csv", "json", "parquet", "svg"} }

// Write writes the coefficients as a table, or draws how the shares of topics depend on
// the first column of the formula.
func (r *Result) Write(w io.Writer, format string, name func(topic int) string) error {
	if format == "svg" {
		columns := r.Columns()
		if len(columns) == 0 {
			return fmt.Errorf("the formula %s has no column to draw shares by", r.Formula)
		}
		return r.Draw(w, columns[0], name)
	}
	return rows.Write(w, format, r.Rows(name))
}

const (
	mostPanels  = 12 // topics that are drawn
	curvePoints = 40 // points of a curve
)

// Draw draws how the shares of topics depend on a column: a panel for each of the first
// topics, the other columns as documents have them.
func (r *Result) Draw(w io.Writer, column string, name func(topic int) string) error {
	points, err := r.Predict(column, curvePoints)
	if err != nil {
		return err
	}
	e, _ := r.variable(column)
	var charts []svg.Chart
	for slot, k := range r.Topics[:min(mostPanels, len(r.Topics))] {
		c := svg.Chart{Title: fmt.Sprintf("topic %d", k)}
		if s := rows.Name(name, k); s != nil {
			c.Title += ": " + *s
		}
		s := svg.Series{Dots: e.codes != nil}
		for i, p := range points {
			share := p.Shares[slot]
			s.Low, s.High = append(s.Low, share.Low), append(s.High, share.High)
			if e.codes != nil {
				c.Y.Names = append(c.Y.Names, p.Value)
				s.X, s.Y = append(s.X, share.Estimate), append(s.Y, float64(i))
				continue
			}
			c.X.Label, c.Y.Label = column, "expected share"
			s.X, s.Y = append(s.X, e.raw(p.At)), append(s.Y, share.Estimate)
		}
		if e.codes != nil {
			c.X.Label = "expected share"
		}
		c.Series = []svg.Series{s}
		charts = append(charts, c)
	}
	return svg.Write(w, charts...)
}

// Methods describes what was done in words fit for the methods section of a paper.
func (r *Result) Methods(topics int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Topic shares come from a latent Dirichlet allocation model with %s. ", human.Of(topics, "topic"))
	fmt.Fprintf(&b, "We regressed the share of each topic among the words of a document on the covariates by ordinary least squares (%s; n = %s documents", r.Formula, human.Count(r.Docs))
	if left := r.Missing + r.Empty; left > 0 {
		fmt.Fprintf(&b, ", %s excluded for missing values or for having no words", human.Count(left))
	}
	b.WriteString("). ")
	if r.Draws > 0 {
		fmt.Fprintf(&b, "Uncertainty about the shares was propagated by the method of composition (Treier and Jackman 2008): the shares were drawn %d times from their posterior distribution, and coefficients and covariances were pooled over the draws. ", r.Draws)
	}
	if r.Cluster != "" {
		fmt.Fprintf(&b, "Standard errors are robust to correlation of documents with the same %s. ", r.Cluster)
	}
	fmt.Fprintf(&b, "Intervals are %g %% confidence intervals by the normal approximation. ", 100*r.Interval)
	b.WriteString("The topics themselves are treated as fixed: intervals do not include differences between training runs.")
	return b.String()
}
