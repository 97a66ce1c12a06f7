package sampler

import (
	"fmt"
	"testing"
)

// exact lists the samplers whose stationary distribution is the collapsed
// posterior p(z | w) itself.
var exact = []variant{
	{name: "gibbs"},
	{name: "sparse"},
	{name: "alias", tuning: Tuning{AliasEvery: 1}},
	{name: "mean", tuning: Tuning{Uncollapsed: true}},
	{name: "mean", tuning: Tuning{Uncollapsed: true, Draw: "butterfly"}},
	{name: "batch", tuning: Tuning{Fresh: "doc=immediate,word=immediate,topic=immediate"}},
	{name: "grid", tuning: Tuning{Partitions: 1}},
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
		for i, p := range tinyProblems() {
			t.Run(fmt.Sprintf("%v/%d", v, i), func(t *testing.T) {
				p.Tuning, p.Seed = v.tuning, 42
				if x := stateFrequencies(t, v.name, p, samples, thin); x > 4 {
					t.Errorf("chi-square lies %.1f standard deviations above its mean", x)
				}
			})
		}
	}
}

func stateFrequencies(t *testing.T, name string, p *Problem, samples, thin int) float64 {
	priors := priorsFor(p.K)
	posterior := enumerate(p, priors)
	observed := make([]int, len(posterior.q))
	s := start(t, name, p, nil, priors)
	for i := range samples {
		sweep(t, s, i*thin+1, (i+1)*thin, priors)
		observed[posterior.state(topicsOf(s, p))]++
	}
	return chiSquare(observed, posterior.q)
}
