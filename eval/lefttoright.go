package eval

import (
	"context"
	"math"

	"github.com/topoi-lda/topoi/corpus"
)

// LeftToRight estimates the probability of whole documents by the left-to-right algorithm (Wallach et al. 2009,
// algorithm 3), which MALLET's evaluate-topics uses: with R particles,
//
//	log p(w) ≈ Σ_n log (1/R Σ_r p(w_n | z^r of the places before n)),
//
// where every particle resamples all places before n first. The result is the mean over all tokens. It is the most
// trusted of the estimators and costs O(R N_d² K_d) per document, K_d the topics that it has at a time: choose few
// documents.
func LeftToRight(ctx context.Context, m Model, docs *corpus.Corpus, o SampleOptions) (LikelihoodResult, error) {
	o = o.withDefaults()
	return estimate(ctx, m, docs, o, EstimatorLeftToRight, purposeLeftToRight, func(c *chain, doc []uint32) float64 {
		return c.leftToRight(len(doc), o.Particles, o.Once)
	})
}

func (c *chain) leftToRight(n, particles int, once bool) float64 {
	mean := make([]float64, n) // of the predictions at each place, over particles
	for r := range particles {
		c.Restart()
		for place := range n {
			// The random counters must differ for every draw of a place: rounds are numbered by particle and by the
			// place reached.
			round := uint32(r*(n+1) + place)
			if !once {
				for i := range place {
					c.resample(i, round)
				}
			}
			mean[place] += c.Predict(place) / float64(particles)
			c.extend(round)
		}
	}
	sum := 0.0
	for _, p := range mean {
		sum += math.Log(p)
	}
	return sum
}
