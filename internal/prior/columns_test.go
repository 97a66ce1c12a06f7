package prior

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
)

// cells is a column in memory.
type cells []string

func (c cells) Len() int        { return len(c) }
func (c cells) At(i int) string { return c[i] }

// documents returns six documents of so many tokens. The day of one is missing. Mean and standard deviation of the
// other days are 3 and √2; two of the others are of party b.
func documents(t *testing.T, tokens int) *corpus.Corpus {
	t.Helper()
	var b corpus.Builder
	for range 6 {
		b.Add(corpus.Document{Tokens: slices.Repeat([]string{"word"}, tokens)})
	}
	c, err := b.Corpus().WithColumns([]column.Column{
		{Name: "day", Kind: column.Number, Values: cells{"1", "2", "3", "", "4", "5"}},
		{Name: "party", Kind: column.Category, Values: cells{"a", "b", "a", "b", "a", "b"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Numbers are centred and scaled by the documents that have them, to six digits; the intercept is not.
func TestNewColumns(t *testing.T) {
	c, err := newColumns("~ day + party", documents(t, 2))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Names) != 3 || c.Names[1] != "day" {
		t.Fatalf("numbers %q", c.Names)
	}
	if want := []float64{1, 3, 0.4}; !reflect.DeepEqual(c.Mean, want) {
		t.Errorf("means %v, want %v", c.Mean, want)
	}
	if want := []float64{1, 1.414214, 0.489898}; !reflect.DeepEqual(c.Scale, want) { // √2 and √(0.4 · 0.6)
		t.Errorf("scales %v, want %v", c.Scale, want)
	}
	if _, err := newColumns("~ month", documents(t, 2)); err == nil || !strings.Contains(err.Error(), "month") {
		t.Errorf("a column that is not there: %v", err)
	}
}

// Documents with the same columns share a group. A document with a missing value is an average one.
func TestGroups(t *testing.T) {
	docs := documents(t, 2)
	c, err := newColumns("~ day + party", docs)
	if err != nil {
		t.Fatal(err)
	}
	a, b := -0.816496, 1.224745 // (0 - 0.4) / 0.489898 and (1 - 0.4) / 0.489898
	wantRows := [][]float64{
		{1, -1.414213, a},
		{1, -0.707107, b},
		{1, 0, a},
		{1, 0, 0},
		{1, 0.707107, a},
		{1, 1.414213, b},
	}
	rows, of, err := c.Groups(docs)
	if err != nil || len(rows) != len(wantRows) || !slices.Equal(of, []uint32{0, 1, 2, 3, 4, 5}) {
		t.Fatalf("%v, rows %v of %v", err, rows, of)
	}
	for i, row := range rows {
		if !near(row, wantRows[i], 1.5e-6) {
			t.Errorf("row %d is %v, want %v", i, row, wantRows[i])
		}
		for _, x := range row {
			if !(math.Abs(x*1e6-math.Round(x*1e6)) <= 1e-6) {
				t.Errorf("%v has more than six digits", x)
			}
		}
	}
	party, err := newColumns("~ party", docs)
	if err != nil {
		t.Fatal(err)
	}
	if rows, of, err = party.Groups(docs); err != nil || len(rows) != 2 || !slices.Equal(of, []uint32{0, 1, 0, 1, 0, 1}) {
		t.Errorf("%v, rows %v of %v", err, rows, of)
	}
	var other corpus.Builder
	other.Add(corpus.Document{Tokens: []string{"word"}})
	rows, of, err = c.Groups(other.Corpus())
	if err != nil || !reflect.DeepEqual(rows, [][]float64{{1, 0, 0}}) || !slices.Equal(of, []uint32{0}) {
		t.Errorf("documents without the columns: %v, rows %v of %v", err, rows, of)
	}
	c.Coding.Formula = "~ day *"
	if _, _, err := c.Groups(docs); err == nil {
		t.Error("a formula that cannot be read has groups")
	}
}

// A number that varies by less than six digits show is not scaled. One that is far from 0 has its own deviation, not
// what rounding leaves of the difference of two large squares.
func TestNewColumnsOfEqualNumbers(t *testing.T) {
	docs, err := documents(t, 2).WithColumns([]column.Column{
		{Name: "day", Kind: column.Number, Values: cells{"7", "7", "7", "", "7", "7.0000001"}},
		{
			Name: "far", Kind: column.Number,
			Values: cells{"1000000.01", "1000000.02", "1000000.01", "", "1000000.02", "1000000.02"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := newColumns("~ day + far", docs)
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{1, 7, 1000000.016}; !reflect.DeepEqual(c.Mean, want) {
		t.Errorf("means %v, want %v", c.Mean, want)
	}
	if want := []float64{1, 1, 0.004899}; !reflect.DeepEqual(c.Scale, want) { // 0.01 · √(0.4 · 0.6)
		t.Errorf("scales %v, want %v", c.Scale, want)
	}
}

// near reports whether two lists agree up to an error.
func near(got, want []float64, most float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= most) {
			return false
		}
	}
	return true
}

// newRegression returns a prior of nine topics for documents of so many tokens, which depends on the party.
func newRegression(t *testing.T, tokens int, alphaSum float64) *Regression {
	t.Helper()
	g, err := NewRegression("~ party", documents(t, tokens), 9, alphaSum, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// At first all documents have the same prior, with the given sum. Coefficients change it by their exponential.
func TestRegressionPriors(t *testing.T) {
	g := newRegression(t, 2, 4.5)
	equal := slices.Repeat([]float64{0.5}, 9)
	for i, group := range g.Priors() {
		if !slices.Equal(group.Topics, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8}) || !near(group.Alpha, equal, 1e-12) {
			t.Errorf("group %d: %v", i, group)
		}
	}
	other := slices.Clone(g.Lambda)
	other[3] = []float64{-1, 0.25}
	groups := g.GroupsOf(other)
	for i, row := range [][]float64{{1, -1}, {1, 1}} { // of parties a and b, which have three documents each
		want := slices.Clone(equal)
		want[3] = math.Exp(-1 + 0.25*row[1])
		if !near(groups[i].Alpha, want, 1e-12) || !reflect.DeepEqual(g.Rows()[i], row) {
			t.Errorf("group %d: row %v, α %v, want %v", i, g.Rows()[i], groups[i].Alpha, want)
		}
	}
	if !near(g.Priors()[0].Alpha, equal, 1e-12) {
		t.Error("another λ changes that of the prior")
	}
	if _, err := NewRegression("~ month", documents(t, 2), 9, 4.5, 1); err == nil {
		t.Error("a column that is not there is accepted")
	}
}

// histograms counts documents of n tokens: those of party a have topic 0 alone, those of party b topics 0 and 1.
func histograms(n uint32) *counts.Histograms {
	tally := counts.NewTally([]uint32{0, 1}, 9)
	for range 3 {
		tally.Count(counts.Cell(0, 9, 9), n)
		tally.Count(counts.Cell(0, 0, 9), n)
		tally.Count(counts.Cell(1, 9, 9), n)
		tally.Count(counts.Cell(1, 0, 9), n/2)
		tally.Count(counts.Cell(1, 1, 9), n-n/2)
	}
	return &counts.Histograms{Groups: tally.Bins()}
}

// sums returns Σα of each group.
func sums(g *Regression) (list []float64) {
	for _, group := range g.GroupsOf(g.Lambda) {
		list = append(list, Sum(group.Alpha))
	}
	return list
}

// The steps are those of the regression. Where documents would have too small a Σα on average, all intercepts are
// raised alike until it is √K / 2 or half a document's length, whichever is less.
func TestRegressionLearns(t *testing.T) {
	for _, c := range []struct {
		tokens          int
		alphaSum, least float64
		raises          bool
	}{{2, 4.5, 1, false}, {2, 0.3, 1, true}, {40, 4.5, 1.5, false}, {40, 0.9, 1.5, true}} {
		g := newRegression(t, c.tokens, c.alphaSum)
		h := histograms(uint32(c.tokens))
		raised := false
		for range 4 {
			g.Priors()
			lambda, alpha := g.by.Learn(g.Lambda, g.by.Alpha(g.Lambda), h)
			mean := (Sum(alpha[0]) + Sum(alpha[1])) / 2
			shift := max(0, math.Log(c.least/mean))
			raised = raised || shift > 0
			typical, groups, err := g.Learn(h)
			if err != nil || len(groups) != 2 {
				t.Fatal(err, len(groups))
			}
			for k := range lambda {
				if want := []float64{lambda[k][0] + shift, lambda[k][1]}; !near(g.Lambda[k], want, 1e-12) {
					t.Fatalf("%d tokens: λ of topic %d is %v, want %v", c.tokens, k, g.Lambda[k], want)
				}
				if want := math.Exp(g.Lambda[k][0]); !(math.Abs(typical[k]-want) <= 1e-12) {
					t.Fatalf("α of topic %d is %v, want %v", k, typical[k], want)
				}
			}
			if !reflect.DeepEqual(groups, g.GroupsOf(g.Lambda)) {
				t.Fatal("the groups have priors of another λ")
			}
			if all := sums(g); (all[0]+all[1])/2 < c.least-1e-9 {
				t.Fatalf("%d tokens: Σα %v, want a mean of %v", c.tokens, all, c.least)
			}
		}
		if raised != c.raises {
			t.Errorf("%d tokens, Σα from %v: raised is %v", c.tokens, c.alphaSum, raised)
		}
	}
}

// onDevice has the histograms of a device, or fails.
type onDevice struct {
	counts.Raised
	rows [][]float64
	h    *counts.Histograms
	err  error
}

func (d onDevice) Learn(lambda [][]float64, rounds int) (next [][]float64, sums []float64, err error) {
	if rounds != hyper.RegressionRounds {
		return nil, nil, errors.New("another number of steps")
	}
	r := hyper.Regression{Rows: d.rows, Threads: 1}
	next, alpha := r.Learn(lambda, r.Alpha(lambda), d.h)
	for _, row := range alpha {
		sums = append(sums, Sum(row))
	}
	return next, sums, d.err
}

// What a device learns is what is learnt here, but the priors of groups stay there.
func TestRegressionLearnsOnDevice(t *testing.T) {
	here, there, h := newRegression(t, 2, 0.3), newRegression(t, 2, 0.3), histograms(2)
	device := &counts.Histograms{Raised: onDevice{rows: here.Rows(), h: h}}
	here.Priors()
	there.Priors()
	for range 3 {
		alpha, _, err := here.Learn(h)
		if err != nil {
			t.Fatal(err)
		}
		same, groups, err := there.Learn(device)
		if err != nil || groups != nil || !slices.Equal(same, alpha) || !reflect.DeepEqual(there.Lambda, here.Lambda) {
			t.Fatalf("%v, groups %v, α %v, want %v", err, groups, same, alpha)
		}
	}
	fault := errors.New("no device")
	device.Raised = onDevice{rows: here.Rows(), h: h, err: fault}
	if _, _, err := there.Learn(device); !errors.Is(err, fault) {
		t.Errorf("a device that fails: %v", err)
	}
}

// The terms of documents are the Dirichlet-multinomial probabilities of their topics, each by the prior of its group.
func TestDocTerms(t *testing.T) {
	texts := []string{"a", "b", "a", ""}
	l, err := NewLabels(len(texts), func(d int) string { return texts[d] }, 1)
	if err != nil {
		t.Fatal(err)
	}
	docs := [][]uint32{{3, 0, 2}, {0, 1, 0}, {0, 0, 4}, {2, 3, 4}} // n_dk
	alpha := []float64{0.5, 0.25, 2}
	allowed := [][]int{{0, 2}, {1, 2}, {0, 2}, {0, 1, 2}}
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	tally, want := counts.NewTally(l.Groups, l.Topics), 0.0
	for d, row := range docs {
		total, length := 0.0, uint32(0)
		for _, k := range allowed[d] {
			total += alpha[k]
			want += lgamma(alpha[k]+float64(row[k])) - lgamma(alpha[k])
		}
		for k, n := range row {
			if length += n; n > 0 {
				tally.Count(counts.Cell(l.Groups[d], k, l.Topics), n)
			}
		}
		want += lgamma(total) - lgamma(total+float64(length))
		tally.Count(counts.Cell(l.Groups[d], l.Topics, l.Topics), length)
	}
	if got := DocTerms(tally.Bins(), l.Topics, l.Of(alpha)); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("log p(z) is %v, want %v", got, want)
	}
}
