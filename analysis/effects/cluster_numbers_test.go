package effects

import (
	"math"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/portable"
)

// shared returns a model of two topics: document d has length tokens, first[d] of them in topic 0.
func shared(length int, first ...int) *given {
	docs := make([][]uint32, len(first))
	for d, n := range first {
		docs[d] = make([]uint32, length)
		for i := n; i < length; i++ {
			docs[d][i] = 1
		}
	}
	return &given{corpus.FromIDs([]string{"u", "v"}, docs), []float64{1.5, 1}}
}

// near fails unless a number is what it should be, to nine digits.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

// Six documents in three clusters, and nothing but their mean, 0.4. Residuals are -0.2, 0, 0.2, 0.4, -0.3, -0.1: the
// squares add up to 0.34, so the variance of the mean is 0.34/5/6. Residuals of the clusters add up to -0.2, 0.6, -0.4.
// Each cluster has a third of the documents, so CR2 divides each square by 1 - 1/3: the variance is
// 0.56 / (2/3) / 6² = 7/300, with 3 - 1 degrees of freedom, that of three independent means.
func TestClusteredErrorOfAMean(t *testing.T) {
	m := shared(10, 2, 4, 6, 8, 1, 3)
	columns := []column.Column{{Name: "speaker", Kind: column.Category, Values: values{"a", "a", "b", "b", "c", "c"}}}
	plain := compute(t, m, Options{Formula: "~ 1", Columns: columns})
	near(t, "the mean", plain.Effects[0][0].Estimate, 0.4)
	near(t, "its error", plain.Effects[0][0].Error, math.Sqrt(0.34/5/6))
	near(t, "its degrees of freedom", plain.Effects[0][0].Freedom, 5)
	clustered := compute(t, m, Options{Formula: "~ 1", Columns: columns, Cluster: "speaker"})
	near(t, "the mean", clustered.Effects[0][0].Estimate, 0.4)
	near(t, "its clustered error", clustered.Effects[0][0].Error, math.Sqrt(7.0/300))
	near(t, "that of the other topic", clustered.Effects[1][0].Error, math.Sqrt(7.0/300))
	near(t, "its degrees of freedom", clustered.Effects[0][0].Freedom, 2)
	if clustered.Clusters != 3 || !clustered.FewClusters() || plain.FewClusters() {
		t.Errorf("%d clusters, few %v; without clusters %v", clustered.Clusters, clustered.FewClusters(), plain.FewClusters())
	}
}

// unbalanced returns eight documents, with a column of levels and a number that differ between speakers.
func unbalanced() (*given, []column.Column) {
	return shared(20, 3, 9, 7, 6, 15, 8, 10, 17), []column.Column{
		{Name: "party", Kind: column.Category, Values: values{"a", "b", "c", "a", "b", "c", "a", "b"}},
		{Name: "x", Kind: column.Number, Values: values{"0", "1", "2", "3", "4", "5", "6", "8"}},
		{Name: "speaker", Kind: column.Category, Values: values{"p", "q", "r", "p", "q", "r", "p", "r"}},
		{Name: "partly", Kind: column.Category, Values: values{"p", "q", "r", "p", "q", "r", "p", ""}},
	}
}

// spoken returns ten documents of six speakers. Every party has two speakers or more.
func spoken() (*given, []column.Column) {
	return shared(20, 3, 9, 7, 6, 15, 8, 10, 17, 4, 11), []column.Column{
		{Name: "party", Kind: column.Category, Values: values{"a", "b", "c", "a", "b", "c", "a", "b", "c", "b"}},
		{Name: "x", Kind: column.Number, Values: values{"0", "1", "2", "3", "4", "5", "6", "8", "2", "7"}},
		{Name: "speaker", Kind: column.Category, Values: values{"p", "q", "r", "p", "q", "r", "s", "t", "t", "p"}},
	}
}

// Errors, degrees of freedom and probabilities are those of clubSandwich 0.5.8 for R:
//
//	f <- lm(y ~ party + x); v <- vcovCR(f, cluster = speaker, type = "CR2")
//	coef_test(f, vcov = v, test = "Satterthwaite")
//	Wald_test(f, constraints = matrix(…, 1), vcov = v, test = "HTZ")
func TestClusteredErrorsOfClubSandwich(t *testing.T) {
	m, columns := spoken()
	r := compute(t, m, Options{Formula: "~ party + x", Columns: columns, Cluster: "speaker", Interval: 0.95})
	check := func(what string, e Effect, want [4]float64) {
		t.Helper()
		near(t, what, e.Estimate, want[0])
		near(t, "the error of "+what, e.Error, want[1])
		near(t, "the degrees of freedom of "+what, e.Freedom, want[2])
		near(t, "the probability of "+what, e.P(), want[3])
		far := portable.StudentQuantile(0.05, e.Freedom) * e.Error
		near(t, "the lower end of "+what, e.Low, e.Estimate-far)
		near(t, "the upper end of "+what, e.High, e.Estimate+far)
	}
	for i, want := range [][4]float64{
		{0.1833333333333334, 0.02908492203803927, 1.341366400692906, 0.05869692385086375},
		{0.2444444444444445, 0.07541878848866948, 1.800885096806535, 0.0956627553927},
		{0, 0.06059620261042235, 1.986095663570676, 1},
		{0.04444444444444444, 0.01169241157211861, 2.631692903299657, 0.04007353092831405},
	} {
		check(r.Names[i], r.Effects[0][i], want)
	}
	near(t, "a covariance", r.covariances[0][1*4+3], -0.000262871574411437)
	near(t, "its mirror image", r.covariances[0][3*4+1], -0.000262871574411437)
	difference, err := r.Contrast("party", "c", "b")
	if err != nil {
		t.Fatal(err)
	}
	check("c less b", difference[0], [4]float64{-0.2444444444444445, 0.09597657140637662, 2.194218575940416, 0.11478003424632})
	share, err := r.sums([][]float64{{1, 0, 1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	check("the share of c at 3", share[0][0], [4]float64{0.3166666666666667, 0.05189418866022377, 1.001525585447266, 0.1031503322503805})
}

// A party that a single speaker has, or a single document, has no interval, and neither has what is compared with it;
// all else has one. In these eight documents only p speaks for a and only r for c, so of four coefficients that of x
// has an interval, as clubSandwich gives it. A document without a speaker is a speaker of its own.
func TestNoIntervalOfOneCluster(t *testing.T) {
	m, columns := unbalanced()
	for cluster, want := range map[string][2]float64{
		"speaker": {0.009596977359959017, 1.4654710314776069},
		"partly":  {0.0065526652097253413, 1.7388585523876574},
	} {
		r := compute(t, m, Options{Formula: "~ party + x", Columns: columns, Cluster: cluster})
		for i, e := range r.Effects[0] {
			if alone := r.Names[i] != "x"; e.Alone() != alone || math.IsNaN(e.Low) != alone || math.IsNaN(e.P()) != alone {
				t.Errorf("by %s, %s: %+v", cluster, r.Names[i], e)
			}
		}
		near(t, "the error of x", r.Effects[0][3].Error, want[0])
		near(t, "its degrees of freedom", r.Effects[0][3].Freedom, want[1])
	}
	columns[0].Values = values{"a", "b", "c", "a", "b", "d", "a", "b"}
	r := compute(t, m, Options{Formula: "~ party", Columns: columns})
	for i, alone := range []bool{false, false, true, true} {
		if e := r.Effects[0][i]; e.Alone() != alone {
			t.Errorf("%s: %+v", r.Names[i], e)
		}
	}
	points, err := r.Predict("party", 0)
	if err != nil || points[0].Shares[0].Alone() || !points[3].Shares[0].Alone() {
		t.Errorf("%+v, %v", points, err)
	}
	near(t, "a party's share", points[3].Shares[0].Estimate, 8.0/20)
	var b strings.Builder
	if err := r.Draw(&b, "party", nil); err != nil || strings.Contains(b.String(), "NaN") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// Clusters that are the levels of a column leave it without any interval, also as a curve.
func TestNoIntervalByLevelsThemselves(t *testing.T) {
	m, columns := study(4, 200)
	year := make(values, 200)
	for d := range year {
		year[d] = columns[3].Values.At(d)[:4]
	}
	columns = append(columns, column.Column{Name: "year", Kind: column.Number, Values: year})
	r := compute(t, m, Options{Formula: "~ party", Columns: columns, Cluster: "party"})
	for i, e := range r.Effects[0] {
		if !e.Alone() {
			t.Errorf("%s: %+v", r.Names[i], e)
		}
	}
	r = compute(t, m, Options{Formula: "~ s(year, 5)", Columns: columns, Cluster: "year", Topics: []int{0}})
	for i, e := range r.Effects[0] {
		if !(e.P() > 1e-9) || e.Freedom > 20 {
			t.Errorf("%s: %+v with p = %v", r.Names[i], e, e.P())
		}
	}
}

// A cluster with more documents than there are coefficients has the same leverage, computed from the other side.
func TestLeverageFromBothSides(t *testing.T) {
	m, columns := study(9, 60)
	r, err := prepare(m, Options{Formula: "~ party + x", Columns: columns, Cluster: "speaker"})
	if err != nil {
		t.Fatal(err)
	}
	r.scale = newScale(r.design)
	s, err := r.sumUp(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.solve(s); err != nil {
		t.Fatal(err)
	}
	for g := range r.groups.len() {
		docs := r.groups.at(g)
		l, other, x, room := r.newLeverager(), r.newLeverager(), make([]float64, 4), r.design.newScratch()
		l.begin(len(docs))
		other.begin(5)
		for _, d := range docs {
			r.design.row(x, int(d), room, nil)
			r.scale.apply(x)
			l.add(x)
			other.add(x)
		}
		a, errA := l.end()
		b, errB := other.end()
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		one, two := []float64{1, -2, 0.5, 3}, []float64{1, -2, 0.5, 3}
		a.adjust(one)
		b.adjust(two)
		for i := range one {
			if math.Abs(one[i]-two[i]) > 1e-7 {
				t.Errorf("cluster %d of %d documents: %v and %v", g, len(docs), one, two)
			}
		}
	}
}
