package mean

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// Methods in prefix order turn the same random number into the same topic. They
// round in different orders, but a number within 10^-15 of a boundary does not
// occur among these few thousand.
func TestMeanMethodsAgree(t *testing.T) {
	p := samplertest.RandomProblem(1, 60, 30, 45, 50)
	priors := samplertest.PriorsFor(p.K)
	var want []uint32
	for _, method := range []string{"linear", "binary", "transposed", "butterfly", "butterfly-plain"} {
		p.Tuning.Draw = method
		s := samplertest.Start(t, "mean", p, nil, priors)
		samplertest.Sweep(t, s, 1, 5, priors)
		if want == nil {
			want = samplertest.TopicsOf(s, p)
		}
		if !slices.Equal(samplertest.TopicsOf(s, p), want) {
			t.Errorf("%s draws other topics than linear", method)
		}
	}
}

func TestMeanRefusesUnknownMethod(t *testing.T) {
	p := samplertest.ProblemOf(1, 1, []uint32{0})
	p.Tuning.Draw = "dowsing"
	if _, err := samplertest.NewCalled("mean", p); err == nil {
		t.Error("unknown method accepted")
	}
}

// Topics without tokens have sums of gamma variates so small that a number of 32 bits
// does not hold their inverse.
func TestMeanSurvivesTinyVariates(t *testing.T) {
	for _, precision := range []string{"float32", "float64"} {
		p := samplertest.RandomProblem(1, 5, 3, 1000, 20)
		p.Tuning = sampler.Tuning{Uncollapsed: true, Precision: precision}
		priors := samplertest.SymmetricPriors(p.K)
		s := samplertest.Start(t, "mean", p, nil, priors)
		samplertest.Sweep(t, s, 1, 5, priors)
		samplertest.CheckCounts(t, p, s)
	}
}
