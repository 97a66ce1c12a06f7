package effects

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/portable"
	_ "github.com/topoi-lda/topoi/internal/rows/parquetrows"
)

// four has four documents with a column of each kind.
func four() []column.Column {
	return []column.Column{
		{Name: "party", Kind: column.Category, Values: values{"a", "b", "c", "b"}},
		{Name: "side", Kind: column.Category, Values: values{"l", "r", "r", "l"}},
		{Name: "x", Kind: column.Number, Values: values{"2", "3", "5", "7"}},
		{Name: "z", Kind: column.Number, Values: values{"10", "20", "30", "40"}},
		{Name: "tags", Kind: column.List, Values: values{"u|v|u", "", "v;w", "w"}},
	}
}

// Rows of the design are those of R's model.matrix: categories lack their base, but for the first of a term whose
// rest is not in the formula; products have the first variable varying fastest.
func TestDesignRows(t *testing.T) {
	nan := math.NaN()
	for text, c := range map[string]struct {
		names string
		rows  [][]float64 // of the first documents
	}{
		"~ party":     {"(Intercept) party[b] party[c]", [][]float64{{1, 0, 0}, {1, 1, 0}, {1, 0, 1}, {1, 1, 0}}},
		"~ party - 1": {"party[a] party[b] party[c]", [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 0}}},
		"~ x + z":     {"(Intercept) x z", [][]float64{{1, 2, 10}, {1, 3, 20}}},
		"~ x:z":       {"(Intercept) x:z", [][]float64{{1, 20}, {1, 60}}},
		"~ x*side":    {"(Intercept) x side[r] x:side[r]", [][]float64{{1, 2, 0, 0}, {1, 3, 1, 3}, {1, 5, 1, 5}, {1, 7, 0, 0}}},
		"~ x + x:party": {
			"(Intercept) x x:party[b] x:party[c]", [][]float64{{1, 2, 0, 0}, {1, 3, 3, 0}, {1, 5, 0, 5}, {1, 7, 7, 0}},
		},
		"~ x:side": {"(Intercept) x:side[l] x:side[r]", [][]float64{{1, 2, 0}, {1, 0, 3}}},
		"~ side:party + side": {
			"(Intercept) side[r] side[l]:party[b] side[r]:party[b] side[l]:party[c] side[r]:party[c]",
			[][]float64{{1, 0, 0, 0, 0, 0}, {1, 1, 0, 1, 0, 0}, {1, 1, 0, 0, 0, 1}, {1, 0, 1, 0, 0, 0}},
		},
		"~ tags":             {"(Intercept) tags[u] tags[v] tags[w]", [][]float64{{1, 1, 1, 0}, {1, 0, 0, 0}, {1, 0, 1, 1}, {1, 0, 0, 1}}},
		"~ log(x) + sqrt(z)": {"(Intercept) log(x) sqrt(z)", [][]float64{{1, portable.Log(2), math.Sqrt(10)}, {1, portable.Log(3), math.Sqrt(20)}}},
		"~ factor(x) + log1p(z)": {
			"(Intercept) factor(x)[3] factor(x)[5] factor(x)[7] log1p(z)", [][]float64{{1, 0, 0, 0, portable.Log1p(10)}, {1, 1, 0, 0, portable.Log1p(20)}},
		},
	} {
		f, err := parseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		x := &design{formula: f}
		err = x.encode(func(v *variable) (*encoder, error) { return newEncoder(v, four(), "") })
		if err == nil {
			err = x.code()
		}
		if got := strings.Join(x.names, " "); err != nil || got != c.names {
			t.Errorf("%s: coefficients %s, want %s (%v)", text, got, c.names, err)
			continue
		}
		scratch := x.newScratch()
		for d, want := range c.rows {
			row := slices.Repeat([]float64{nan}, len(x.names))
			if x.row(row, d, scratch, nil); !slices.Equal(row, want) {
				t.Errorf("%s: document %d has %v, want %v", text, d, row, want)
			}
		}
	}
}

// Another base level changes which level has no coefficient.
func TestBaseLevel(t *testing.T) {
	m, columns := unbalanced()
	first := compute(t, m, Options{Formula: "~ party + x", Columns: columns, Topics: []int{0}})
	other := compute(t, m, Options{Formula: "~ party + x", Columns: columns, Topics: []int{0}, Base: map[string]string{"party": "b"}})
	if got := strings.Join(other.Names, " "); got != "(Intercept) party[a] party[c] x" {
		t.Fatal(got)
	}
	b, o := first.Effects[0], other.Effects[0]
	near(t, "the intercept", o[0].Estimate, b[0].Estimate+b[1].Estimate)
	near(t, "a less b", o[1].Estimate, -b[1].Estimate)
	near(t, "its error", o[1].Error, b[1].Error)
	near(t, "c less b", o[2].Estimate, b[2].Estimate-b[1].Estimate)
	near(t, "the slope", o[3].Estimate, b[3].Estimate)
}

// A coding reads new documents with its own levels, items and knots: what it does not know is missing, or no item.
func TestCodingOfNewDocuments(t *testing.T) {
	columns := []column.Column{{Name: "tags", Kind: column.List, Values: values{"u|v|u", "", "v;w", "w", "u"}}}
	c, err := NewCoding("~ tags", columns, 5)
	if err != nil {
		t.Fatal(err)
	}
	names, rows, err := c.Rows([]column.Column{{Name: "tags", Kind: column.List, Values: values{"w|unknown|w", "unknown", "v"}}}, 3)
	if err != nil || len(names) != 4 {
		t.Fatal(names, err)
	}
	for d, want := range [][]float64{{1, 0, 0, 1}, {1, 0, 0, 0}, {1, 0, 1, 0}} {
		if !slices.Equal(rows[d], want) {
			t.Errorf("document %d has %v, want %v", d, rows[d], want)
		}
	}
}

// Columns are those by which shares can be predicted: each once, and no lists.
func TestColumnsOfAResult(t *testing.T) {
	m, columns := unbalanced()
	columns = append(columns, column.Column{Name: "tags", Kind: column.List, Values: values{"u", "v", "u", "v", "u", "", "", "u"}})
	r := compute(t, m, Options{Formula: "~ log1p(x) + tags + x + party", Columns: columns})
	if got := r.Columns(); !slices.Equal(got, []string{"x", "party"}) {
		t.Errorf("columns %q", got)
	}
	for _, name := range []string{"tags", "speaker"} {
		if _, err := r.Contrast(name, "u", "v"); err == nil || !strings.Contains(err.Error(), `the formula has no column "`+name+`"`) {
			t.Errorf("a contrast by %s: %v", name, err)
		}
	}
	var b strings.Builder
	if err := compute(t, m, Options{Formula: "~ tags", Columns: columns}).Write(&b, "svg", nil); err == nil || !strings.Contains(err.Error(), "has no column to draw shares by") {
		t.Error(err)
	}
}

// A panel shows a category's levels beside their shares, and a number below them.
func TestPanels(t *testing.T) {
	m, columns := unbalanced()
	r := compute(t, m, Options{Formula: "~ party + x", Columns: columns, Topics: []int{1}})
	for name, want := range map[string][]string{
		"party": {">expected share<", ">a<", ">b<", ">c<", ">topic 1: goals<"},
		"x":     {">expected share<", ">x<", ">topic 1: goals<"},
	} {
		var b strings.Builder
		if err := r.Draw(&b, name, func(int) string { return "goals" }); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(b.String(), text) {
				t.Errorf("the panel of %s lacks %s", name, text)
			}
		}
		if levels := strings.Contains(b.String(), ">c<"); levels != (name == "party") {
			t.Errorf("the panel of %s shows levels: %v", name, levels)
		}
	}
}

// Functions need the name of a column, and no more than they take.
func TestArgumentsOfFunctions(t *testing.T) {
	m, columns := unbalanced()
	for text, want := range map[string]string{
		"~ log()":          "log() needs the name of a column",
		"~ s()":            "s() needs the name of a column",
		"~ log(x, 3)":      "log( is not closed, or has more arguments than it takes",
		"~ s(x, 2)":        "between 3 and 100",
		"~ s(x, 101)":      "between 3 and 100",
		"~ s(x, df=x)":     "between 3 and 100",
		"~ (x + party)^0":  "after ^, expected a number between 1 and 9, not \"0\"",
		"~ (x + party)^10": "after ^, expected a number between 1 and 9, not \"10\"",
	} {
		if _, err := Compute(context.Background(), m, Options{Formula: text, Columns: columns}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A column that others determine costs no degree of freedom: errors are as without it.
func TestErrorsBesideAnAliasedColumn(t *testing.T) {
	m, columns := unbalanced()
	twice := columns[1]
	twice.Name = "again"
	r := compute(t, m, Options{Formula: "~ x + again + party", Columns: append(columns, twice), Topics: []int{0}})
	alone := compute(t, m, Options{Formula: "~ x + party", Columns: columns, Topics: []int{0}})
	for i, at := range []int{0, 1, 3, 4} {
		near(t, r.Names[at], r.Effects[0][at].Estimate, alone.Effects[0][i].Estimate)
		near(t, "the error of "+r.Names[at], r.Effects[0][at].Error, alone.Effects[0][i].Error)
	}
	if e := r.Effects[0][2]; !math.IsNaN(e.Estimate) || !math.IsNaN(e.Error) {
		t.Errorf("%s has %+v", r.Names[2], e)
	}
}

// Predictions average over 10,000 documents at most, equally far apart: of 20,000, in which x is 0 and 1 in turn,
// over those where it is 0.
func TestPredictionsOfManyDocuments(t *testing.T) {
	const docs = 20_000
	party, x, first := make(values, docs), make(values, docs), make([]int, docs)
	for d := range docs {
		b := d / 2 % 2
		party[d], x[d], first[d] = []string{"a", "b"}[b], []string{"0", "1"}[d%2], 1+b+2*(d%2)
	}
	columns := []column.Column{{Name: "party", Kind: column.Category, Values: party}, {Name: "x", Kind: column.Number, Values: x}}
	r := compute(t, shared(5, first...), Options{Formula: "~ party + x", Columns: columns, Topics: []int{0}})
	points, err := r.Predict("party", 2)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the share for a", points[0].Shares[0].Estimate, 0.2)
	near(t, "the share for b", points[1].Shares[0].Estimate, 0.4)
}

// A coding of columns that are not there, or of too few documents, is refused.
func TestCodingsThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{"~ nosuch": `there is no column "nosuch"`, "~ x + z + party": "only 4 documents", "~ x +": "a term is missing"} {
		if _, err := NewCoding(text, four(), 4); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"~ x +", "~ x"} {
		c := &Coding{Formula: text}
		if _, _, err := c.Rows(four(), 4); err == nil {
			t.Errorf("the coding of %s without variables is used", text)
		}
	}
}

// Each format is written as what it is called.
func TestFormatsOfTables(t *testing.T) {
	m, columns := unbalanced()
	r := compute(t, m, Options{Formula: "~ x", Columns: columns, Topics: []int{1}})
	for format, want := range map[string]string{
		"csv": "topic,topic_label,term,estimate,std_error,low,high,p_value,p_holm,p_bh,df,base,n\n1,,(Intercept),", "json": "[\n  {\n    \"topic\": 1,", "svg": "<svg ", "parquet": "PAR1",
	} {
		var b strings.Builder
		if err := r.Write(&b, format, nil); err != nil || !strings.HasPrefix(b.String(), want) {
			t.Errorf("%s: %.60q (%v), want %q", format, b.String(), err, want)
		}
	}
	if err := r.Write(new(strings.Builder), "doc", nil); err == nil {
		t.Error("an unknown format is written")
	}
}
