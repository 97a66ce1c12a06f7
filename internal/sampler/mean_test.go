package sampler

import (
	"slices"
	"testing"
)

// Methods in prefix order turn the same random number into the same topic. They
// round in different orders, but a number within 10^-15 of a boundary does not
// occur among these few thousand.
func TestMeanMethodsAgree(t *testing.T) {
	p := randomProblem(1, 60, 30, 45, 50)
	priors := priorsFor(p.K)
	var want []uint32
	for _, method := range []string{"linear", "binary", "transposed", "fenwick", "butterfly", "butterfly-plain"} {
		p.Tuning.Draw = method
		s := start(t, "mean", p, nil, priors)
		sweep(t, s, 1, 5, priors)
		if want == nil {
			want = topicsOf(s, p)
		}
		if !slices.Equal(topicsOf(s, p), want) {
			t.Errorf("%s draws other topics than linear", method)
		}
	}
}

func TestMeanRefusesUnknownMethod(t *testing.T) {
	p := problemOf(1, 1, []uint32{0})
	p.Tuning.Draw = "dowsing"
	if _, err := newCalled("mean", p); err == nil {
		t.Error("unknown method accepted")
	}
}

// Topics without tokens have sums of gamma variates so small that a number of 32 bits
// does not hold their inverse.
func TestMeanSurvivesTinyVariates(t *testing.T) {
	for _, precision := range []string{"float32", "float64"} {
		p := randomProblem(1, 5, 3, 1000, 20)
		p.Tuning = Tuning{Uncollapsed: true, Precision: precision}
		priors := symmetricPriors(p.K)
		s := start(t, "mean", p, nil, priors)
		sweep(t, s, 1, 5, priors)
		checkCounts(t, p, s)
	}
}
