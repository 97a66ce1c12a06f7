package effects

import (
	"fmt"
	"math"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
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
// squares add up to 0.34, so the variance of the mean is 0.34/5/6. Residuals of the clusters add up to -0.2, 0.6, -0.4,
// whose squares add up to 0.56: it is 0.56/6² · 3/2 · 5/5 = 7/300.
func TestClusteredErrorOfAMean(t *testing.T) {
	m := shared(10, 2, 4, 6, 8, 1, 3)
	columns := []column.Column{{Name: "speaker", Kind: column.Category, Values: values{"a", "a", "b", "b", "c", "c"}}}
	plain := compute(t, m, Options{Formula: "~ 1", Columns: columns})
	near(t, "the mean", plain.Effects[0][0].Estimate, 0.4)
	near(t, "its error", plain.Effects[0][0].Error, math.Sqrt(0.34/5/6))
	clustered := compute(t, m, Options{Formula: "~ 1", Columns: columns, Cluster: "speaker"})
	near(t, "the mean", clustered.Effects[0][0].Estimate, 0.4)
	near(t, "its clustered error", clustered.Effects[0][0].Error, math.Sqrt(7.0/300))
	near(t, "that of the other topic", clustered.Effects[1][0].Error, math.Sqrt(7.0/300))
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

// clusteredInR is how R computes covariances by cluster, for f <- lm(y ~ party + x).
const clusteredInR = `sqrt(diag(sandwich::vcovCL(f, cluster = ~ %s, type = "HC1")))`

// Errors are those of R: sqrt(diag(vcov(f))) without clusters, and clusteredInR with them, whose formula,
// (X'X)⁻¹ (Σ_g s_g s_g') (X'X)⁻¹ · G/(G-1) · (n-1)/(n-p), was computed with exact fractions for these eight documents. A
// document without a speaker is a cluster of its own.
func TestClusteredErrors(t *testing.T) {
	m, columns := unbalanced()
	estimates := []float64{0.15818610129564192, 0.2962308598351001, 0.03191990577149588, 0.05282685512367491}
	for cluster, errors := range map[string][]float64{
		"":        {0.048507180736850515, 0.056231105324095046, 0.061357269600756936, 0.009755786354967155},
		"speaker": {0.03337012106575797, 0.008858329270736124, 0.005561686844292995, 0.01112337368858599},
		"partly":  {0.026179165040276047, 0.014248795867317601, 0.004363194173379341, 0.008726388346758682},
	} {
		r := compute(t, m, Options{Formula: "~ party + x", Columns: columns, Cluster: cluster, Interval: 0.95})
		for i, e := range r.Effects[0] {
			what := r.Names[i] + " of " + fmt.Sprintf(clusteredInR, cluster)
			near(t, what, e.Estimate, estimates[i])
			near(t, "the error of "+what, e.Error, errors[i])
			near(t, "the lower end of "+what, e.Low, e.Estimate-1.959963984540054*e.Error)
			near(t, "the upper end of "+what, e.High, e.Estimate+1.959963984540054*e.Error)
		}
	}
}

// A contrast and a prediction need covariances of coefficients: party b at x less the average of all is b + (x - mean)·slope,
// and the covariance of party[b] and x is 4.7932089921006345e-05 by speaker.
func TestCovariancesByCluster(t *testing.T) {
	m, columns := unbalanced()
	r := compute(t, m, Options{Formula: "~ party + x", Columns: columns, Cluster: "speaker", Topics: []int{0}})
	near(t, "the covariance", r.covariances[0][1*4+3], 4.7932089921006345e-05)
	near(t, "its mirror image", r.covariances[0][3*4+1], 4.7932089921006345e-05)
}
