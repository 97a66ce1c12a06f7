package effects

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/rows"
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
	Holm       *float64 `parquet:"p_holm,optional" json:"p_holm"`  // corrected for the number of tests; nil for the intercept
	Hochberg   *float64 `parquet:"p_bh,optional" json:"p_bh"`      // likewise, by Benjamini and Hochberg
	Freedom    *float64 `parquet:"df,optional" json:"df"`          // degrees of freedom; nil without an interval
	Base       *string  `parquet:"base,optional,dict" json:"base"` // the level that the term is compared with, if any
	Docs       int64    `parquet:"n" json:"n"`                     // documents that have the term's level, or all
}

// Rows yields the table of coefficients: by topic, then by term. name gives the label of a topic and may be nil.
func (r *Result) Rows(name func(topic int) string) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		corrected := r.adjust()
		for slot, k := range r.Topics {
			for i, e := range r.Effects[slot] {
				row := Row{
					Topic: int32(k), TopicLabel: r.label(slot, name), Term: r.Names[i],
					Estimate: rows.Finite(e.Estimate), Error: rows.Finite(e.Error), Low: rows.Finite(e.Low),
					High: rows.Finite(e.High), P: rows.Finite(e.P()),
				}
				row.Holm, row.Hochberg = rows.Finite(corrected.holm[slot][i]), rows.Finite(corrected.hochberg[slot][i])
				if row.Docs = int64(r.With[i]); r.Bases[i] != "" {
					row.Base = &r.Bases[i]
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

// label returns the name of a chosen topic, or the numbers of a sum, such as 3 + 17.
func (r *Result) label(slot int, name func(topic int) string) *string {
	if list := r.Sums[slot]; len(list) > 1 {
		text := numbered(list)
		return &text
	}
	return rows.Name(name, r.Topics[slot])
}

// Write writes the coefficients as a table, or draws how the shares of topics depend on
// the first column of the formula.
func (r *Result) Write(w io.Writer, format string, name func(topic int) string) error {
	if format == "svg" {
		by, err := r.drawnBy()
		if err != nil {
			return err
		}
		return r.Draw(w, by, name)
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

// MeasuredFrom says at which values of dates and numbers far from 0 the intercept is; "" if there are none.
func (r *Result) MeasuredFrom() string {
	at := strings.Join(r.Origins, " and ")
	switch {
	case at == "":
		return ""
	case r.Crossed():
		return fmt.Sprintf("The intercept, and effects of columns that interact with others, are those at %s.", at)
	}
	return fmt.Sprintf("The intercept is the share expected at %s.", at)
}

// Crossed reports whether effects of other columns are those at a value of Origins, because they interact with it.
func (r *Result) Crossed() bool { return r.design.crossed() }

// Methods describes what was done in words fit for the methods section of a paper: how the model was trained, in a
// paragraph of its own, and the regression.
func (r *Result) Methods(topics int) string {
	var b strings.Builder
	if r.Training != "" {
		b.WriteString(r.Training + "\n\n")
	}
	fmt.Fprintf(&b, "Topic shares come from a latent Dirichlet allocation model with %s%s. ", human.Of(topics, "topic"), r.aboutPrior())
	fmt.Fprintf(&b, "We regressed the share of each topic among the words of a document on the covariates by ordinary least squares (%s; n = %s documents", r.Formula, human.Count(r.Docs))
	if left := r.Missing + r.Empty; left > 0 {
		fmt.Fprintf(&b, ", %s excluded for missing values or for having no words", human.Count(left))
	}
	b.WriteString("). ")
	if r.design != nil {
		b.WriteString(r.design.references())
		if len(r.Origins) > 0 {
			b.WriteString(r.MeasuredFrom() + " ")
		}
	}
	if r.Draws > 0 {
		fmt.Fprintf(&b, "Uncertainty about the shares was propagated by the method of composition (Treier and Jackman 2008): the shares were drawn %d times from their posterior distribution, and coefficients and covariances were pooled over the draws. ", r.Draws)
	}
	switch {
	case r.Cluster == eachDocument && r.Clusters == r.Docs:
		b.WriteString("Standard errors are robust to documents that scatter unequally (HC2), with Satterthwaite's degrees of freedom (Bell and McCaffrey 2002). ")
	case r.Cluster != "":
		fmt.Fprintf(&b, "Standard errors are robust to correlation of documents with the same %s (%s), with the bias-reduced correction for few clusters (CR2) and Satterthwaite's degrees of freedom (Bell and McCaffrey 2002; Pustejovsky and Tipton 2018). ", r.Cluster, human.Of(r.Clusters, "cluster"))
		if r.FewClusters() {
			fmt.Fprintf(&b, "With fewer than %d clusters, p-values near the level of significance should be read with caution. ", enoughClusters)
		}
	}
	fmt.Fprintf(&b, "Intervals are %g %% confidence intervals from Student's t distribution. ", 100*r.Interval)
	b.WriteString("The topics themselves are treated as fixed: intervals do not include differences between training runs.")
	return b.String()
}
