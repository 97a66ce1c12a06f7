package sampler

import (
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/sampling"
)

// Tuning holds the choices inside an algorithm that change its result.
type Tuning = sampling.Tuning

// fresher is the number of mini-batches of batch where word counts must be fresh.
const fresher = 8

// BatchesIn returns the number of mini-batches of one of batch's sweeps.
func BatchesIn(t Tuning, iteration int) int {
	switch {
	case t.MiniBatches > 0:
		return t.MiniBatches
	case iteration <= 10:
		return fresher
	}
	return 1
}

// LongTokens is the mean length from which on documents are long.
const LongTokens = 1000

// With Tuning.Adapt exact draws of long documents go on after the first sweeps of cvb from a Mixing of longMixing on. Word
// counts are fresh in the first ones, and later on as long as Mixing is above freshMixing.
const longMixing, freshMixing = 1.5, 1.3

// Batches is BatchesIn for a sweep over the whole corpus, whose priors are known.
func (p *Problem) Batches(iteration int, priors *Priors) int {
	t := p.Tuning
	if t.Adapt && t.MiniBatches == 0 && p.long() && (iteration <= t.ExactSweeps || p.Mixing(priors) > freshMixing) {
		return fresher
	}
	return BatchesIn(t, iteration)
}

// long reports whether documents are long.
func (p *Problem) long() bool { return p.N() >= LongTokens*p.D() }

// StaysExact reports whether exact draws go on after the first sweeps of cvb.
func (p *Problem) StaysExact(priors *Priors) bool {
	return p.Tuning.Adapt && p.long() && p.Mixing(priors) > longMixing
}

// Mixing is Σα as a multiple of the least value that learning allows.
func (p *Problem) Mixing(priors *Priors) float64 {
	sum := 0.0
	for _, a := range priors.Alpha {
		sum += a
	}
	return sum / hyper.LeastSum(p.K, float64(p.N())/float64(max(1, p.D())))
}
