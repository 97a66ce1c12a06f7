package effects

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/topic"
)

// given is a model whose topics are given token by token. Every word is its own topic.
type given struct {
	docs  *corpus.Corpus
	alpha []float64
}

func (g *given) NumTopics() int                { return len(g.alpha) }
func (g *given) Alpha() []float64              { return g.alpha }
func (g *given) Docs() (*corpus.Corpus, error) { return g.docs, nil }
func (g *given) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	return append(dst, g.docs.TokensBetween(lo, hi)...)
}

// values is a column in memory.
type values []string

func (v values) Len() int        { return len(v) }
func (v values) At(i int) string { return v[i] }

// study is a generated corpus whose documents differ much.
func study(seed uint64, docs int) (*given, []column.Column) { return alike(seed, docs, 5) }

// alike is a generated corpus: θ_d ~ Dirichlet(c·mean), so that documents are the more alike the larger c, where the
// mean share of topic 0 is 0.2 + 0.1·[party = b] + 0.3·x with x in [0, 1]; documents have 40 to 200 tokens.
func alike(seed uint64, docs int, c float64) (*given, []column.Column) {
	r := rand.New(rand.NewPCG(seed, 7))
	lists := make([][]uint32, docs)
	party, x, speaker, date := make(values, docs), make(values, docs), make(values, docs), make(values, docs)
	for d := range lists {
		at := r.Float64()
		share := 0.2 + 0.3*at
		party[d] = []string{"a", "b", "c"}[r.IntN(3)]
		if party[d] == "b" {
			share += 0.1
		}
		x[d] = fmt.Sprintf("%.6f", at)
		speaker[d] = fmt.Sprintf("s%d", r.IntN(docs/5+1))
		date[d] = fmt.Sprintf("%d-%02d-%02d", 2000+int(20*at), 1+r.IntN(12), 1+r.IntN(28))
		t, u, v := gamma(r, c*share), gamma(r, c*(1-share)/3), gamma(r, c*(1-share)*2/3)
		for range 40 + r.IntN(160) {
			switch at := r.Float64() * (t + u + v); {
			case at < t:
				lists[d] = append(lists[d], 0)
			case at < t+u:
				lists[d] = append(lists[d], 1)
			default:
				lists[d] = append(lists[d], 2)
			}
		}
		slices.Sort(lists[d])
	}
	x[0] = "" // missing
	m := &given{corpus.FromIDs([]string{"u", "v", "w", "never"}, lists), []float64{1.5, 1, 2, 0.5}}
	return m, []column.Column{
		{Name: "party", Kind: column.Category, Values: party},
		{Name: "x", Kind: column.Number, Values: x},
		{Name: "speaker", Kind: column.Category, Values: speaker},
		{Name: "date", Kind: column.Date, Values: date},
	}
}

func compute(t *testing.T, m topic.Documents, o Options) *Result {
	t.Helper()
	r, err := Compute(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Draws have the same estimates on average, within five standard errors of a mean of 400
// draws, and never smaller errors.
func TestDraws(t *testing.T) {
	m, columns := study(1, 300)
	for _, cluster := range []string{"", "speaker"} {
		o := Options{Formula: "~ party * x", Columns: columns, Cluster: cluster}
		plain := compute(t, m, o)
		o.Draws = 400
		drawn := compute(t, m, o)
		for k := range plain.Effects {
			for i, e := range plain.Effects[k] {
				d := drawn.Effects[k][i]
				if math.Abs(e.Estimate-d.Estimate) > 5*d.Error/20 || d.Error < e.Error {
					t.Errorf("cluster %q, topic %d, %s: %.5f ± %.5f, by draws %.5f ± %.5f", cluster, k, plain.Names[i], e.Estimate, e.Error, d.Estimate, d.Error)
				}
			}
		}
	}
}

// Results are the same bits for any number of threads.
func TestThreads(t *testing.T) {
	m, columns := study(2, 200)
	o := Options{Formula: "~ party + s(x, 5)", Columns: columns, Cluster: "speaker", Threads: 1, Draws: 3}
	one := compute(t, m, o)
	o.Threads = 5
	if five := compute(t, m, o); fmt.Sprint(one.Effects) != fmt.Sprint(five.Effects) {
		t.Error("five threads give other effects than one")
	}
}

// Shares of all topics add up to 1, so their coefficients add up to 1 for the intercept
// and to 0 for all else.
func TestCoefficientsAddUp(t *testing.T) {
	m, columns := study(3, 250)
	r := compute(t, m, Options{Formula: "~ party + s(date)", Columns: columns})
	for i, name := range r.Names {
		sum := 0.0
		for k := range r.Effects {
			sum += r.Effects[k][i].Estimate
		}
		want := 0.0
		if i == 0 {
			want = 1
		}
		if math.Abs(sum-want) > 1e-9 {
			t.Errorf("%s adds up to %v, want %v", name, sum, want)
		}
	}
	if r.Docs != 250 || r.Missing != 0 {
		t.Errorf("%d documents, %d with missing values", r.Docs, r.Missing)
	}
}

// Intervals of 90 % hold the truth in 85 to 95 % of studies, whether documents differ much
// or by little more than chance. Of 300 studies a true rate of 90 % gives 255 to 285 with a
// probability of 99.6 %.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("it shows that the method is right; that it is computed rightly, other tests show sooner")
	}
	const studies = 300
	truth := map[string]float64{"party[b]": 0.1, "party[c]": 0, "x": 0.3}
	for _, c := range []float64{5, 50, 1000} {
		held := map[string]int{}
		for seed := range uint64(studies) {
			m, columns := alike(100+seed, 250, c)
			r := compute(t, m, Options{Formula: "~ party + x", Columns: columns, Topics: []int{0}, Threads: 1, Interval: 0.9})
			for i, name := range r.Names {
				if e := r.Effects[0][i]; e.Low <= truth[name] && truth[name] <= e.High {
					held[name]++
				}
			}
		}
		t.Log(c, held)
		for name := range truth {
			if n := held[name]; n < studies*85/100 || n > studies*95/100 {
				t.Errorf("θ ~ Dirichlet(%v·mean), %s: %d of %d intervals hold the truth", c, name, n, studies)
			}
		}
	}
}

func TestPredictionsAndContrasts(t *testing.T) {
	m, columns := study(4, 3000)
	r := compute(t, m, Options{Formula: "~ party + s(x, 4)", Columns: columns, Topics: []int{0}})
	points, err := r.Predict("x", 5)
	if err != nil || len(points) != 5 {
		t.Fatal(points, err)
	}
	if rise := points[4].Shares[0].Estimate - points[0].Shares[0].Estimate; math.Abs(rise-0.3) > 0.05 {
		t.Errorf("from the smallest to the largest x the share rises by %.3f, want about 0.3", rise)
	}
	difference, err := r.Contrast("party", "b", "a")
	if err != nil || math.Abs(difference[0].Estimate-r.Effects[0][1].Estimate) > 1e-12 || math.Abs(difference[0].Error-r.Effects[0][1].Error) > 1e-12 {
		t.Errorf("b less a is %v, the coefficient %v (%v)", difference, r.Effects[0][1], err)
	}
	if _, err := r.Contrast("party", "d", "a"); err == nil || !strings.Contains(err.Error(), `no value "d"`) {
		t.Error(err)
	}
	if _, err := r.Predict("y", 5); err == nil || !strings.Contains(err.Error(), "no column") {
		t.Error(err)
	}
}

// A column that others determine has no coefficient, and the rest is as without it.
func TestAliasedColumn(t *testing.T) {
	m, columns := study(5, 200)
	twice := columns[1]
	twice.Name = "again"
	r := compute(t, m, Options{Formula: "~ x + again", Columns: append(columns, twice)})
	alone := compute(t, m, Options{Formula: "~ x", Columns: columns})
	if !math.IsNaN(r.Effects[0][2].Estimate) || math.Abs(r.Effects[0][1].Estimate-alone.Effects[0][1].Estimate) > 1e-12 {
		t.Errorf("%v, want %v and nothing", r.Effects[0], alone.Effects[0])
	}
}

func TestFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"~ party * x":                "1 party x party:x",
		"party + x":                  "1 party x",
		"~ x + party:x - 1":          "x x:party",
		"~ 0 + party":                "party",
		"~ (party + x + date)^2":     "1 party x date party:x party:date x:date",
		"~ s(date, df = 5) + log(x)": "1 s(date, 5) log(x)",
		"~ party*x - party:x":        "1 party x",
		"~ `Name of speaker` + x":    "1 Name of speaker x",
		"~ factor(x):party + party":  "1 party factor(x):party",
		"~ 1":                        "1",
	} {
		f, err := parseFormula(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		if f.intercept {
			got = append(got, "1")
		}
		for _, term := range f.terms {
			var names []string
			for _, v := range term {
				names = append(names, v.text)
			}
			got = append(got, strings.Join(names, ":"))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s has terms %s, want %s", text, s, want)
		}
	}
}

func TestFormulasThatCannotBeRead(t *testing.T) {
	m, columns := study(6, 60)
	for text, want := range map[string]string{
		"":                 "a term is missing at the end",
		"~":                "a term is missing at the end",
		"topic ~ x":        "nothing may come before ~",
		"~ x +":            "a term is missing at the end",
		"~ * x":            `a term is missing before "*"`,
		"~ spline(x)":      "unknown function spline()",
		"~ (x":             "a parenthesis is not closed",
		"~ s(x, 1)":        "a whole number between 3 and 100",
		"~ s(x":            "is not closed",
		"~ y":              `there is no column "y"`,
		"~ s(party)":       "s(party) needs numbers or dates",
		"~ x y":            `"y" is not expected there`,
		"~ .":              "name the columns",
		"~ x^x":            "expected a number between 1 and 9",
		"~ 0":              "has no terms",
		"~ factor(date):x": "has all values of the formula",
	} {
		_, err := Compute(context.Background(), m, Options{Formula: text, Columns: columns})
		if text == "~ factor(date):x" {
			want = "coefficients: use more documents or fewer terms"
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for want, o := range map[string]Options{
		"no topic 9":                    {Formula: "~ x", Topics: []int{9}},
		"the interval is 2":             {Formula: "~ x", Interval: 2},
		"the number of draws is 1":      {Formula: "~ x", Draws: 1},
		`there is no column "speakers"`: {Formula: "~ x", Cluster: "speakers"},
		`has no value "z"`:              {Formula: "~ party", Base: map[string]string{"party": "z"}},
		"has no base level":             {Formula: "~ x", Base: map[string]string{"x": "1"}},
		"which the formula does not":    {Formula: "~ x", Base: map[string]string{"party": "a"}},
	} {
		o.Columns = columns
		if _, err := Compute(context.Background(), m, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
