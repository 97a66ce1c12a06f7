package effects

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

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
	Freedom    *float64 `parquet:"df,optional" json:"df"` // degrees of freedom; nil without an interval
}

// Rows yields the table of coefficients: by topic, then by term. name gives the label of a topic and may be nil.
func (r *Result) Rows(name func(topic int) string) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for slot, k := range r.Topics {
			for i, e := range r.Effects[slot] {
				row := Row{
					Topic: int32(k), TopicLabel: rows.Name(name, k), Term: r.Names[i],
					Estimate: rows.Finite(e.Estimate), Error: rows.Finite(e.Error), Low: rows.Finite(e.Low),
					High: rows.Finite(e.High), P: rows.Finite(e.P()),
				}
				if row.Error != nil {
					row.Freedom = rows.Finite(e.Freedom)
				}
				if !yield(row) {
					return
				}
			}
		}
	}
}

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

// aboutPrior describes the prior of the model, if it is not the usual one.
func (r *Result) aboutPrior() string {
	switch r.Prior {
	case "":
		return ""
	case "covariates":
		return fmt.Sprintf(" whose prior depends on covariates (Dirichlet-multinomial regression, %s). These had no say in the "+
			"shares that were regressed: the topics of all words were drawn again for %d sweeps with one prior for all "+
			"documents", r.PriorFormula, r.Redrawn)
	case "labels":
		return " that are the labels of documents (labelled LDA). A document has topics of its labels only, so differences " +
			"between labels are no finding"
	case "hdp":
		return " whose number follows from the data (a truncated hierarchical Dirichlet process)"
	}
	return fmt.Sprintf(" (prior: %s)", r.Prior)
}

// enoughClusters is the number of clusters below which corrections for few of them matter.
const enoughClusters = 20

// FewClusters reports whether there are so few clusters that results depend on the correction for that.
func (r *Result) FewClusters() bool { return r.Cluster != "" && r.Clusters < enoughClusters }

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
	fmt.Fprintf(&b, "Topic shares come from a latent Dirichlet allocation model with %s%s. ", human.Of(topics, "topic"), r.aboutPrior())
	fmt.Fprintf(&b, "We regressed the share of each topic among the words of a document on the covariates by ordinary least squares (%s; n = %s documents", r.Formula, human.Count(r.Docs))
	if left := r.Missing + r.Empty; left > 0 {
		fmt.Fprintf(&b, ", %s excluded for missing values or for having no words", human.Count(left))
	}
	b.WriteString("). ")
	if r.Draws > 0 {
		fmt.Fprintf(&b, "Uncertainty about the shares was propagated by the method of composition (Treier and Jackman 2008): the shares were drawn %d times from their posterior distribution, and coefficients and covariances were pooled over the draws. ", r.Draws)
	}
	if r.Cluster != "" {
		fmt.Fprintf(&b, "Standard errors are robust to correlation of documents with the same %s (%s), with the bias-reduced correction for few clusters (CR2) and Satterthwaite's degrees of freedom (Bell and McCaffrey 2002; Pustejovsky and Tipton 2018). ", r.Cluster, human.Of(r.Clusters, "cluster"))
		if r.FewClusters() {
			fmt.Fprintf(&b, "With fewer than %d clusters, p-values near the level of significance should be read with caution. ", enoughClusters)
		}
	}
	fmt.Fprintf(&b, "Intervals are %g %% confidence intervals from Student's t distribution. ", 100*r.Interval)
	b.WriteString("The topics themselves are treated as fixed: intervals do not include differences between training runs.")
	return b.String()
}

// Point is a value of a column with the shares that the regression expects there.
type Point struct {
	Value  string   // a level, a number or a date
	At     float64  // the number; the year of a date; the place of a level
	Shares []Effect // of Result.Topics
}

// averaged is how many documents at most the other columns are averaged over.
const averaged = 10_000

// Columns returns the columns of the formula that shares can be predicted by.
func (r *Result) Columns() []string {
	var names []string
	for _, e := range r.design.variables {
		if e.has == nil && !slices.Contains(names, e.column) {
			names = append(names, e.column)
		}
	}
	return names
}

// Predict returns the shares expected at values of a column: all levels of a category, or
// points equally far apart between the smallest and the largest number or date. The other
// columns keep the values that documents have, over whose rows the average is taken.
func (r *Result) Predict(name string, points int) ([]Point, error) {
	e, err := r.variable(name)
	if err != nil {
		return nil, err
	}
	all := e.points(r.design.docs, points)
	rows := make([][]float64, len(all))
	for i := range all {
		rows[i] = r.averageAt(e, all[i].At)
	}
	shares, err := r.sums(rows)
	for i := range shares {
		all[i].Shares = shares[i]
	}
	return all, err
}

// Contrast returns the difference between the shares expected at two values of a column: the first less the second.
func (r *Result) Contrast(name, value, versus string) ([]Effect, error) {
	e, err := r.variable(name)
	if err != nil {
		return nil, err
	}
	a, errA := e.parse(value)
	b, errB := e.parse(versus)
	if errA != nil || errB != nil {
		return nil, fmt.Errorf("column %s: %w", name, cmp.Or(errA, errB))
	}
	x := r.averageAt(e, a)
	for i, v := range r.averageAt(e, b) {
		x[i] -= v
	}
	all, err := r.sums([][]float64{x})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// variable finds a variable of the formula by its column; one that is used through functions will do, since all of
// them get the value. One whose values are levels goes first: no level lies between two others.
func (r *Result) variable(name string) (found *encoder, err error) {
	for _, e := range r.design.variables {
		if e.column == name && e.has == nil && (found == nil || found.codes == nil && e.codes != nil) {
			found = e
		}
	}
	if found == nil {
		err = fmt.Errorf("the formula has no column %q%s", name, human.Hint(name, r.Columns()))
	}
	return found, err
}

// averageAt returns the average row of documents in which the column of an encoder has a value, given as the encoder
// keeps it.
func (r *Result) averageAt(of *encoder, value float64) []float64 {
	x := r.design
	at := make([]float64, len(x.variables))
	for i, e := range x.variables {
		at[i] = math.NaN()
		if e.column == of.column {
			at[i] = e.convert(value, of)
		}
	}
	step := max(1, len(x.docs)/averaged)
	sum, row, room, n := make([]float64, len(x.names)), make([]float64, len(x.names)), x.newScratch(), 0.0
	for i := 0; i < len(x.docs); i += step {
		x.row(row, int(x.docs[i]), room, at)
		addTo(sum, row)
		n++
	}
	for j := range sum {
		sum[j] /= n
	}
	return sum
}

// sums returns sums of coefficients with given factors, each for every topic.
func (r *Result) sums(factors [][]float64) ([][]Effect, error) {
	free, determined, err := r.doubt.ofSums(context.Background(), factors)
	if err != nil {
		return nil, err
	}
	all, far := make([][]Effect, len(factors)), reach(r.Interval, free)
	for i, c := range factors {
		all[i] = make([]Effect, len(r.Topics))
		for k := range all[i] {
			if all[i][k] = (Effect{math.NaN(), math.NaN(), math.NaN(), math.NaN(), 0}); determined[i] {
				all[i][k] = r.effect(k, c, free[i], far[i])
			}
		}
	}
	return all, nil
}

// points returns the values to predict at.
func (e *encoder) points(docs []uint32, n int) []Point {
	if e.codes != nil {
		all := make([]Point, len(e.levels))
		for i, level := range e.levels {
			all[i] = Point{Value: level, At: float64(i)}
		}
		return all
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, d := range docs {
		low, high = min(low, e.numbers[d]), max(high, e.numbers[d])
	}
	all := make([]Point, max(2, n))
	for i := range all {
		x := low + (high-low)*float64(i)/float64(len(all)-1)
		all[i] = Point{Value: e.show(e.raw(x)), At: x}
	}
	return all
}

// show writes a number, or a date that is kept in years.
func (e *encoder) show(x float64) string {
	if !e.years {
		return fmt.Sprintf("%.6g", x)
	}
	return time.Unix(int64(math.Round((x-1970)*secondsPerYear)), 0).UTC().Format(time.DateOnly)
}
