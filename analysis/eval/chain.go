package eval

import (
	"context"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/foldin"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/rng"
)

// chain is a Gibbs sampler over the topics of one document with φ fixed:
//
//	p(z_i = k | others) ∝ (n_dk + α_k) φ_wk,   own count left out of n_dk.
//
// One goroutine uses it for one document after the other. Package foldin draws with the random numbers that the chain
// provides.
type chain struct {
	*foldin.Chain
	key     rng.Key
	purpose rng.Purpose
	first   uint64 // number of the document's first token in its corpus: part of every random counter
}

// load begins a document, whose words must be sorted.
func (c *chain) load(doc []uint32, first uint64) {
	c.first = first
	c.Load(doc)
}

// extend draws a topic for the next place.
func (c *chain) extend(round uint32) { c.Extend(c.random(c.Len(), round)) }

// resample draws the topic of place i anew.
func (c *chain) resample(i int, round uint32) { c.Resample(i, c.random(i, round)) }

// random returns a random number in [0, 1), which depends on place and round.
func (c *chain) random(i int, round uint32) float64 {
	token := c.first + uint64(i)
	x := c.key.Block(uint32(token), uint32(token>>32), round, uint32(c.purpose))
	return rng.Float64(x[0], x[1])
}

// logPredictAll returns Σ_i log Predict(i).
func (c *chain) logPredictAll() float64 {
	sum := 0.0
	for i := range c.Len() {
		sum += portable.Log(c.Predict(i))
	}
	return sum
}

// Purposes separate the random numbers of the estimators.
const (
	purposeTest        rng.Purpose = 0x7e570001
	purposeLeftToRight rng.Purpose = 0x7e570002
)

// LeftToRight estimates the probability of whole documents by the left-to-right algorithm (Wallach et al. 2009,
// algorithm 3), which MALLET's evaluate-topics uses: with R particles,
//
//	log p(w) ≈ Σ_n log (1/R Σ_r p(w_n | z^r of the places before n)),
//
// where every particle resamples all places before n first. The result is the mean over all tokens. It is the most
// trusted of the estimators and costs O(R N_d² K_d) per document, K_d the topics that it has at a time: choose few
// documents.
func LeftToRight(ctx context.Context, m Model, docs *corpus.Corpus, o Options) (CompletionResult, error) {
	o = o.withDefaults()
	return estimate(ctx, m, docs, o, purposeLeftToRight, func(c *chain, doc []uint32) float64 {
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
		sum += portable.Log(p)
	}
	return sum
}
