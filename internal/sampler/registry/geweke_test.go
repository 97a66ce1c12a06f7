package registry

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// Geweke's joint distribution test (Geweke, "Getting it right", JASA 2004).
//
// Two ways to draw (w, z) from the prior: directly, and by a chain that
// alternates one sweep z | w of the sampler under test with a fresh draw of
// w | z. If and only if the sweep leaves p(z | w) unchanged, every function of
// (w, z) has the same mean in both. It sees errors that the enumeration of one
// corpus may hide, since it averages over corpora.

// urns draws words and topics with θ and φ integrated out, as Pólya urns.
type urns struct {
	r      *rand.Rand
	p      *sampler.Problem
	priors *sampler.Priors
}

// Topics draws z from its prior.
func (u urns) Topics(z []uint32) {
	for d := range u.p.D() {
		weights := slices.Clone(u.p.AlphaOf(make([]float64, u.p.K), d, u.priors))
		for i := u.p.Offsets[d]; i < u.p.Offsets[d+1]; i++ {
			z[i] = uint32(pick(u.r, weights))
			weights[z[i]]++
		}
	}
}

// words draws w given z, and sorts every document's tokens by word as samplers expect.
func (u urns) words(z []uint32) {
	weights := make([][]float64, u.p.K)
	for k := range weights {
		weights[k] = slices.Repeat([]float64{u.priors.Beta}, u.p.V)
	}
	for i, k := range z {
		w := pick(u.r, weights[k])
		weights[k][w]++
		u.p.Words[i] = uint32(w)
	}
	for d := range u.p.D() {
		lo, hi := u.p.Offsets[d], u.p.Offsets[d+1]
		sortTogether(u.p.Words[lo:hi], z[lo:hi])
	}
}

func sortTogether(words, z []uint32) {
	pairs := make([][2]uint32, len(words))
	for i := range pairs {
		pairs[i] = [2]uint32{words[i], z[i]}
	}
	slices.SortStableFunc(pairs, func(a, b [2]uint32) int { return int(a[0]) - int(b[0]) })
	for i := range pairs {
		words[i], z[i] = pairs[i][0], pairs[i][1]
	}
}

func pick(r *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, x := range weights {
		sum += x
	}
	u := r.Float64() * sum
	for i, x := range weights {
		if u -= x; u < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// features are the functions of (w, z) whose means are compared.
func features(p *sampler.Problem, z []uint32) []float64 {
	c := samplertest.RecountOf(p, z)
	docs, words, totals, zero := 0, 0, 0, 0
	for _, row := range c.Ndk {
		docs += squares(row)
	}
	for _, row := range c.Nwk {
		words += squares(row)
	}
	totals = squares(c.Nk)
	for _, w := range p.Words {
		if w == 0 {
			zero++
		}
	}
	return []float64{
		float64(docs), float64(words), float64(totals),
		float64(c.Nk[0]), float64(zero), float64(c.Nwk[0][0]), float64(c.Nwk[0][0] * c.Nk[0]),
		float64(c.Ndk[0][0] * c.Ndk[1][0]),
	}
}

func squares(row []int) int {
	sum := 0
	for _, n := range row {
		sum += n * n
	}
	return sum
}

// geweke returns the largest |z-score| over the features, of a sampler that takes the
// problem for what a mutation makes of it.
func geweke(t *testing.T, v variant, mutate mutation) float64 {
	t.Helper()
	p := gewekeProblem()
	return gewekeOf(t, v, p, samplertest.PriorsFor(p.K), mutate)
}

// gewekeProblem has four documents whose words are still to be drawn.
func gewekeProblem() *sampler.Problem {
	return samplertest.ProblemOf(4, 3, make([]uint32, 6), make([]uint32, 4), make([]uint32, 1), make([]uint32, 5))
}

func gewekeOf(t *testing.T, v variant, p *sampler.Problem, priors *sampler.Priors, mutate mutation) float64 {
	t.Helper()
	const draws, batches = 20000, 100
	p.Tuning, p.Seed = v.tuning, 7
	u := urns{r: rand.New(rand.NewPCG(3, 4)), p: p, priors: priors}
	z := make([]uint32, p.N())

	var direct, chain []sample
	for range draws {
		u.Topics(z)
		u.words(z)
		direct = append(direct, features(p, z))
	}
	for i := range draws {
		taken, priors := mutate(p, priors)
		s := samplertest.Start(t, v.name, taken, z, priors)
		samplertest.Sweep(t, s, i+1, i+1, priors)
		s.Topics(z)
		u.words(z)
		chain = append(chain, features(p, z))
	}

	worst := 0.0
	for f := range direct[0] {
		m1, v1 := batchMeans(direct, f, draws) // independent draws: batches of one
		m2, v2 := batchMeans(chain, f, batches)
		worst = max(worst, math.Abs(m1-m2)/math.Sqrt(v1+v2))
	}
	return worst
}

type sample = []float64

// batchMeans returns the mean of feature f and the variance of that mean,
// estimated from the means of consecutive batches.
func batchMeans(samples []sample, f, batches int) (mean, variance float64) {
	size := len(samples) / batches
	for b := range batches {
		m := 0.0
		for _, s := range samples[b*size : (b+1)*size] {
			m += s[f] / float64(size)
		}
		mean += m / float64(batches)
		variance += m * m / float64(batches)
	}
	return mean, (variance - mean*mean) / float64(batches-1)
}

// With eight features, a correct sampler has a largest |z-score| above 4 in one
// of two thousand runs; batches of 200 sweeps are far longer than the chain's
// memory. The seeds are fixed.
func TestGeweke(t *testing.T) {
	for _, v := range exact() {
		t.Run(v.String(), func(t *testing.T) {
			if z := geweke(t, v, none); z > 4 {
				t.Errorf("largest z-score is %.1f", z)
			}
		})
	}
}

// The test must be able to fail: for a sampler that takes its problem for another, and
// for those that keep the token's own count in.
func TestGewekeRejectsWrongSamplers(t *testing.T) {
	for name, mutate := range mutations {
		for _, v := range []variant{{name: "gibbs"}, {name: "sparse"}} {
			if z := geweke(t, v, mutate); z < 6 {
				t.Errorf("%v, %s: largest z-score is only %.1f", v, name, z)
			}
		}
	}
	for _, v := range []variant{{name: "mean"}, ownCountIn} {
		if z := geweke(t, v, none); z < 6 {
			t.Errorf("%v: largest z-score is only %.1f", v, z)
		}
	}
}
