package registry

import (
	"fmt"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// exact lists the samplers whose stationary distribution is the collapsed
// posterior p(z | w) itself.
var exact = []variant{
	{name: "gibbs"},
	{name: "sparse"},
	{name: "alias", tuning: sampler.Tuning{AliasEvery: 1}},
	{name: "mean", tuning: sampler.Tuning{Uncollapsed: true}},
	{name: "mean", tuning: sampler.Tuning{Uncollapsed: true, Draw: "butterfly"}},
	{name: "batch", tuning: sampler.Tuning{Fresh: "doc=immediate,word=immediate,topic=immediate"}},
	{name: "grid", tuning: sampler.Tuning{Partitions: 1}},
}

// The long-run frequency of every state must be its posterior probability.
//
// Priors of this size make the chains mix within a sweep or two, so states five
// sweeps apart are as good as independent and the chi-square statistic has its
// textbook distribution. A correct sampler exceeds four standard deviations
// with probability below 10^-3 (the statistic is skewed to the right), and the
// seeds are fixed; a sampler that leaves its own count in exceeds it tenfold.
func TestStateFrequencies(t *testing.T) {
	const samples, thin = 10000, 5
	for _, v := range exact {
		for i, p := range samplertest.TinyProblems() {
			t.Run(fmt.Sprintf("%v/%d", v, i), func(t *testing.T) {
				p.Tuning, p.Seed = v.tuning, 42
				if x := stateFrequencies(t, v.name, p, samples, thin); x > 4 {
					t.Errorf("chi-square lies %.1f standard deviations above its mean", x)
				}
			})
		}
	}
}

func stateFrequencies(t *testing.T, name string, p *sampler.Problem, samples, thin int) float64 {
	priors := samplertest.PriorsFor(p.K)
	posterior := samplertest.Enumerate(p, priors)
	observed := make([]int, len(posterior.Q))
	s := samplertest.Start(t, name, p, nil, priors)
	for i := range samples {
		samplertest.Sweep(t, s, i*thin+1, (i+1)*thin, priors)
		observed[posterior.State(samplertest.TopicsOf(s, p))]++
	}
	return samplertest.ChiSquare(observed, posterior.Q)
}
