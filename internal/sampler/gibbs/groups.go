package gibbs

import (
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// grouped is what a sweep over documents with priors of their own needs.
type grouped struct {
	*gibbs
	at      []int     // K: the place of a topic in the group of the document
	weights []float64 // n_dk + α_k of the group's topics
	inv     []float64 // K: 1/(n_k + Vβ)
	vbeta   float64
	beta    float64
}

// sweepGroups is Sweep where every group of documents has its own topics and α. A token costs as much
// as its group has topics. Documents whose group has one topic stay as they are.
func (g *gibbs) sweepGroups(random sampler.Draws, priors *sampler.Priors) {
	s := &grouped{
		gibbs: g, at: make([]int, g.P.K), weights: make([]float64, 0, g.P.K), inv: make([]float64, g.P.K),
		beta: priors.Beta, vbeta: float64(g.P.V) * priors.Beta,
	}
	for k := range s.inv {
		s.refresh(uint32(k))
	}
	for d := range g.P.D() {
		if group := &priors.Groups[g.P.Groups[d]]; len(group.Topics) > 1 {
			s.document(g.P.Offsets[d], g.P.Offsets[d+1], group, random)
		}
	}
}

func (s *grouped) refresh(k uint32) { s.inv[k] = 1 / (float64(s.Nk[k]) + s.vbeta) }

// document draws the tokens lo … hi-1.
func (s *grouped) document(lo, hi uint64, group *sampler.Group, random sampler.Draws) {
	weights, cum := s.weights, s.cum[:len(group.Topics)]
	for i, k := range group.Topics {
		s.at[k], weights = i, append(weights, group.Alpha[i])
	}
	for _, k := range s.Z[lo:hi] {
		weights[s.at[k]]++
	}
	for i := lo; i < hi; i++ {
		row := s.Nwk[int(s.P.Words[i])*s.P.K:][:s.P.K]
		s.move(row, weights, s.Z[i], -1)
		sum := 0.0
		for j, k := range group.Topics {
			sum += weights[j] * (float64(row[k]) + s.beta) * s.inv[k]
			cum[j] = sum
		}
		target, j := rng.Float64(random.Pair(i))*sum, 0
		for j < len(cum)-1 && cum[j] <= target {
			j++
		}
		s.Z[i] = group.Topics[j]
		s.move(row, weights, s.Z[i], 1)
	}
}

// move adds a token to a topic, or takes it out.
func (s *grouped) move(row []int32, weights []float64, k uint32, by int32) {
	row[k] += by
	s.Nk[k] += by
	weights[s.at[k]] += float64(by)
	s.refresh(k)
}
