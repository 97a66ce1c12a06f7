package effects

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/rows"
)

// The methods name what was done and nothing else.
func TestMethods(t *testing.T) {
	plain := &Result{Formula: "~ party", Docs: 1234, Interval: 0.9}
	full := &Result{Formula: "~ x", Docs: 20, Missing: 3, Empty: 4, Draws: 25, Cluster: "speaker", Interval: 0.95, Clusters: 19}
	byColumns := *plain
	byColumns.Prior, byColumns.PriorFormula, byColumns.Redrawn = "covariates", "~ party + year", 100
	const model = "Topic shares come from a latent Dirichlet allocation model with "
	const how = "We regressed the share of each topic among the words of a document on the covariates " +
		"by ordinary least squares "
	const fixed = "The topics themselves are treated as fixed: intervals do not include differences between training runs."
	for _, c := range []struct {
		r      *Result
		topics int
		want   string
	}{
		{plain, 1, model + "1 topic. " + how + "(~ party; n = 1,234 documents). " +
			"Intervals are 90 % confidence intervals from Student's t distribution. " + fixed},
		{
			&byColumns, 5,
			model + "5 topics whose prior depends on covariates (Dirichlet-multinomial regression, ~ party + year). " +
				"These had no say in the shares that were regressed: the topics of all words were drawn again for " +
				"100 sweeps with one prior for all documents. " + how + "(~ party; n = 1,234 documents). " +
				"Intervals are 90 % confidence intervals from Student's t distribution. " + fixed,
		},
		{
			full, 30,
			model + "30 topics. " + how + "(~ x; n = 20 documents, 7 excluded for missing values or for having no words). " +
				"Uncertainty about the shares was propagated by the method of composition (Treier and Jackman 2008): " +
				"the shares were drawn 25 times from their posterior distribution, and coefficients and covariances " +
				"were pooled over the draws. " +
				"Standard errors are robust to correlation of documents with the same speaker (19 clusters), " +
				"with the bias-reduced correction for few clusters (CR2) and Satterthwaite's degrees of freedom " +
				"(Bell and McCaffrey 2002; Pustejovsky and Tipton 2018). " +
				"With fewer than 20 clusters, p-values near the level of significance should be read with caution. " +
				"Intervals are 95 % confidence intervals from Student's t distribution. " + fixed,
		},
	} {
		if got := c.r.Methods(c.topics); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// The probability is that of the normal distribution on both sides.
func TestP(t *testing.T) {
	for z, want := range map[float64]float64{
		0: 1, 1: 0.31731050786291415, 1.959963984540054: 0.05,
		3: 0.0026997960632601866,
	} {
		for _, e := range []Effect{{Estimate: 2 * z, Error: 2}, {Estimate: -z, Error: 1}} {
			near(t, fmt.Sprint("P of ", e), e.P(), want)
		}
	}
	if e := (Effect{Estimate: math.NaN(), Error: math.NaN()}); !math.IsNaN(e.P()) {
		t.Error(e.P())
	}
}

// Rows have the numbers of each topic and coefficient, none where a column is determined by others.
func TestRows(t *testing.T) {
	m, columns := unbalanced()
	twice := columns[1]
	twice.Name = "again"
	r := compute(t, m, Options{Formula: "~ x + again", Columns: append(columns, twice), Topics: []int{1, 0}})
	n := 0
	for row := range r.Rows(func(k int) string { return map[int]string{1: "goals"}[k] }) {
		k, i := n/3, n%3
		e := r.Effects[k][i]
		if row.Topic != int32(1-k) || row.Term != []string{"(Intercept)", "x", "again"}[i] ||
			(row.TopicLabel == nil) != (k == 1) {
			t.Errorf("row %d: %+v", n, row)
		}
		if i == 2 {
			if row.Estimate != nil || row.Error != nil || row.Low != nil || row.High != nil || row.P != nil {
				t.Errorf("row %d of an aliased column: %+v", n, row)
			}
		} else if *row.Estimate != e.Estimate || *row.Error != e.Error || *row.Low != e.Low || *row.High != e.High ||
			*row.P != e.P() {
			t.Errorf("row %d: %+v, want %+v", n, row, e)
		}
		n++
	}
	if n != 6 {
		t.Errorf("%d rows", n)
	}
	for range r.Rows(nil) {
		break
	}
	if got := rows.Formats(); !slices.Equal(got, []string{"csv", "json", "parquet", "svg"}) {
		t.Errorf("formats %q", got)
	}
	for _, err := range []error{
		r.Draw(&strings.Builder{}, "party", nil), r.Write(&strings.Builder{}, "xls", nil),
	} {
		if err == nil {
			t.Error("a column or format that is not there is drawn or written")
		}
	}
	if _, err := r.Contrast("xx", "1", "2"); err == nil ||
		err.Error() != `the formula has no column "xx": did you mean "x"?` {
		t.Error(err)
	}
	if _, err := r.Predict("speaker", 3); err == nil ||
		!strings.HasPrefix(err.Error(), `the formula has no column "speaker"`) {
		t.Error(err)
	}
}

// The first twelve topics are drawn, as curves of 40 points.
func TestDrawnTopics(t *testing.T) {
	docs := make([][]uint32, 30)
	for d := range docs {
		docs[d] = []uint32{uint32(d % 13), uint32(d % 7)}
	}
	m := &given{corpus.FromIDs(slices.Repeat([]string{"w"}, 13), docs), slices.Repeat([]float64{0.1}, 13)}
	columns := []column.Column{{
		Name: "x", Kind: column.Number,
		Values: numbers(30, func(i int) string { return fmt.Sprint(i * i) }),
	}}
	r := compute(t, m, Options{Formula: "~ sqrt(x)", Columns: columns})
	var b strings.Builder
	if err := r.Write(&b, "svg", nil); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(b.String(), ">topic "); got != 12 || !strings.Contains(b.String(), ">topic 11<") {
		t.Errorf("%d topics are drawn", got)
	}
	points, err := r.Predict("x", curvePoints)
	if err != nil || len(points) != 40 || points[39].Value != "841" || points[39].At != 29 {
		t.Errorf("%d points: %v", len(points), err)
	}
	if strings.Count(b.String(), "<polygon ") < 12 {
		t.Error("a curve has no band about it")
	}
	_, line, _ := strings.Cut(b.String(), "<polyline ")
	line, _, _ = strings.Cut(line, "/>")
	if got := strings.Count(line, ","); got != 40 {
		t.Errorf("%d points are drawn: %s", got, line)
	}
}

// A document without words, or with a value that a function makes infinite or no number, takes no part.
func TestDocumentsThatTakeNoPart(t *testing.T) {
	docs := [][]uint32{{0}, {0, 1}, {}, {1, 1}, {0, 0, 1}, {1}, {}, {0, 1, 1}}
	m := &given{corpus.FromIDs([]string{"u", "v"}, docs), []float64{1, 1}}
	columns := []column.Column{
		{Name: "x", Kind: column.Number, Values: values{"0", "1", "2", "4", "", "-1", "3", "8"}},
		{Name: "tags", Kind: column.List, Values: values{"", "a", "a", "", "b", "", "", "b"}},
	}
	for formula, want := range map[string][3]int{ // that take part, lack values, have no words
		"~ 1":        {6, 0, 2},
		"~ tags":     {6, 0, 2},
		"~ x":        {5, 1, 2},
		"~ log(x)":   {3, 3, 2},
		"~ log1p(x)": {4, 2, 2}, // log1p(-1) is infinite
		"~ sqrt(x)":  {4, 2, 2},
	} {
		r := compute(t, m, Options{Formula: formula, Columns: columns})
		if got := [3]int{r.Docs, r.Missing, r.Empty}; got != want {
			t.Errorf("%s: %v documents take part, lack values, have no words; want %v", formula, got, want)
		}
	}
}

// Dates and numbers are coded; a column that has become text has no numbers, and one that is gone has no value.
func TestCodingOfKinds(t *testing.T) {
	dates := values{"2000-01-01", "2001-01-01", "2003-07-01", "2004-05-05", "2007-12-30", "2008-12-30"}
	columns := []column.Column{
		{Name: "date", Kind: column.Date, Values: dates},
		{Name: "x", Kind: column.Number, Values: values{"1", "2", "3", "4", "5", "6"}},
		{Name: "party", Kind: column.Category, Values: values{"a", "b", "a", "b", "a", "b"}},
	}
	c, err := NewCoding("~ date + x", columns, 6)
	if err != nil {
		t.Fatal(err)
	}
	names, rows, err := c.Rows(columns, 6)
	if err != nil || strings.Join(names, " ") != "(Intercept) date x" {
		t.Fatal(names, err)
	}
	const day = 1 / 365.2425
	for d, days := range []float64{0, 366, 366 + 365*2 + 181} {
		near(t, "a date in years", rows[d][1], 1970+(10957+days)*day)
		near(t, "a number", rows[d][2], float64(1+d))
	}
	for kind, want := range map[column.Kind]bool{
		column.Number: true, column.Date: true, column.Text: false,
		column.Category: false,
	} {
		columns[1].Kind = kind
		columns[1].Values = values{"2001-01-01", "2001", "2001", "2001", "2001", "2001"}
		if _, rows, err := c.Rows(columns, 6); err != nil || (rows[5] != nil) != want {
			t.Errorf("%s: %v, %v", kind, rows, err)
		}
	}
	for _, formula := range []string{"~ date", "~ party", "~ x"} {
		c, err := NewCoding(formula,
			[]column.Column{columns[0], columns[2], {Name: "x", Kind: column.Number, Values: dates.years()}}, 6)
		if err != nil {
			t.Fatal(err)
		}
		if _, rows, err := c.Rows(columns[:0], 2); err != nil || len(rows) != 2 || rows[0] != nil || rows[1] != nil {
			t.Errorf("%s of no columns: %v, %v", formula, rows, err)
		}
	}
	lists, err := NewCoding("~ tags",
		[]column.Column{{Name: "tags", Kind: column.List, Values: values{"a", "b", "a;b", "", ""}}}, 5)
	if err != nil {
		t.Fatal(err)
	}
	if _, rows, err := lists.Rows(nil, 1); err != nil || !slices.Equal(rows[0], []float64{1, 0, 0}) {
		t.Errorf("a list that is gone has items %v, %v", rows, err)
	}
	c.Variables = c.Variables[:1]
	if _, _, err := c.Rows(columns, 6); err == nil || err.Error() != "the coding does not fit its formula" {
		t.Error(err)
	}
	c.Formula = "~ x +"
	if _, _, err := c.Rows(columns, 6); err == nil {
		t.Error("a formula that cannot be read is coded")
	}
}

// years returns the years of dates.
func (v values) years() values { return numbers(len(v), func(i int) string { return v[i][:4] }) }
