package cvb

import (
	"math"

	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// LowerBound implements sampler.Capabilities.LowerBound:
//
//	L(q) = E_q log p(w, z | α, β) + H(q)
//	log p(w, z) = Σ_d [ ln Γ(Σα) - ln Γ(Σα + N_d) + Σ_k (ln Γ(α_k + n_dk) - ln Γ(α_k)) ]
//	            + Σ_k [ ln Γ(Vβ) - ln Γ(Vβ + n_k) + Σ_w (ln Γ(β + n_wk) - ln Γ(β)) ]
//
// Every count is a sum of independent indicators. Its distribution is computed exactly if its mean is small. If the
// mean is large, ln Γ is expanded to second order about it; the error is then below 1 % of a nat a count.
func (c *cvb) LowerBound(priors *sampler.Priors) float64 {
	return c.docBound(priors) + c.wordBound(priors) + c.topicBound(priors) + c.entropy()
}

func (c *cvb) docBound(priors *sampler.Priors) float64 {
	alphaSum := 0.0
	for _, a := range priors.Alpha {
		alphaSum += a
	}
	sum := 0.0
	var list []int
	for d := range c.P.D() {
		length := float64(c.P.Offsets[d+1] - c.P.Offsets[d])
		sum += portable.Lgamma(alphaSum) - portable.Lgamma(alphaSum+length)
		list = list[:0]
		for pair := c.pairs.offsets[d]; pair < c.pairs.offsets[d+1]; pair++ {
			list = append(list, int(pair))
		}
		for k, a := range priors.Alpha {
			sum += c.expectedLogGamma(a, list, k)
		}
	}
	return sum
}

func (c *cvb) wordBound(priors *sampler.Priors) float64 {
	lists := make([][]int, c.P.V)
	for pair, w := range c.pairs.words {
		lists[w] = append(lists[w], pair)
	}
	sum := 0.0
	for _, list := range lists {
		for k := range c.P.K {
			sum += c.expectedLogGamma(priors.Beta, list, k)
		}
	}
	return sum
}

func (c *cvb) topicBound(priors *sampler.Priors) float64 {
	all := make([]int, len(c.pairs.words))
	for pair := range all {
		all[pair] = pair
	}
	sum := 0.0
	for k := range c.P.K {
		sum -= c.expectedLogGamma(float64(c.P.V)*priors.Beta, all, k)
	}
	return sum
}

// entropy returns H(q) = -Σ γ ln γ over all tokens.
func (c *cvb) entropy() float64 {
	sum := 0.0
	for pair, n := range c.pairs.counts {
		for _, g := range c.gamma[pair*c.P.K : (pair+1)*c.P.K] {
			if g > 0 {
				sum -= float64(float64(n) * float64(g) * portable.Log(float64(g)))
			}
		}
	}
	return sum
}

// expectedLogGamma returns E ln Γ(a + n) - ln Γ(a) for the number n of tokens with topic k among the listed pairs.
func (c *cvb) expectedLogGamma(a float64, list []int, k int) float64 {
	const large = 50
	mean, variance := 0.0, 0.0
	for _, pair := range list {
		g := float64(c.gamma[pair*c.P.K+k])
		n := float64(c.pairs.counts[pair])
		mean += float64(n * g)
		variance += float64(n * g * (1 - g))
	}
	if mean >= large {
		x := a + mean
		// ψ'(x) = 1/x + 1/2x² + 1/6x³ - …
		trigamma := 1/x + 1/(2*x*x) + 1/(6*x*x*x)
		return portable.Lgamma(x) + float64(trigamma*variance/2) - portable.Lgamma(a)
	}
	sum := 0.0
	for n, q := range c.distribution(list, k, mean, variance) {
		if n > 0 {
			sum += float64(q * (portable.Lgamma(a+float64(n)) - portable.Lgamma(a)))
		}
	}
	return sum
}

// distribution returns the probabilities of n = 0, 1, … tokens with topic k among the listed pairs. It adds
// one token after the other and omits n beyond ten standard deviations, whose probability is below 10^-9.
func (c *cvb) distribution(list []int, k int, mean, variance float64) []float64 {
	most := int(mean+float64(10*math.Sqrt(variance))) + 12
	q := append(make([]float64, 0, most+1), 1)
	for _, pair := range list {
		g := float64(c.gamma[pair*c.P.K+k])
		for range c.pairs.counts[pair] {
			if len(q) <= most {
				q = append(q, 0)
			}
			for n := len(q) - 1; n > 0; n-- {
				q[n] = float64(q[n]*(1-g)) + float64(q[n-1]*g)
			}
			q[0] *= 1 - g
		}
	}
	return q
}

func (c *cvb) Capabilities() sampler.Capabilities {
	return sampler.Capabilities{
		SaveExtra: c.SaveExtra, LoadExtra: c.LoadExtra,
		ExpectedRow: c.ExpectedRow, ExpectedDoc: c.ExpectedDoc, LowerBound: c.LowerBound,
	}
}
