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
	scaled  []float64 // (n_dk + α_k) / (n_k + Vβ)
	inv     []float64 // K: 1/(n_k + Vβ)
	vbeta   float64
	beta    float64
}

// sweepGroups is Sweep where every group of documents has its own topics and α. A token costs as much as its group has
// topics. Documents whose group has one topic stay as they are.
func (g *gibbs) sweepGroups(random sampler.Draws, priors *sampler.Priors) {
	s := &grouped{
		gibbs: g, at: make([]int, g.P.K), inv: make([]float64, g.P.K),
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
	s.weights, s.scaled = s.weights[:0], s.scaled[:0]
	for i, k := range group.Topics {
		s.at[k], s.weights = i, append(s.weights, group.Alpha[i])
	}
	for _, k := range s.Z[lo:hi] {
		s.weights[s.at[k]]++
	}
	for i, k := range group.Topics {
		s.scaled = append(s.scaled, s.weights[i]*s.inv[k])
	}
	for i := lo; i < hi; i++ {
		row := s.Nwk[int(s.P.Words[i])*s.P.K:][:s.P.K]
		s.move(row, s.Z[i], -1)
		s.Z[i] = group.Topics[s.draw(row, group.Topics, rng.Float64(random.Pair(i)))]
		s.move(row, s.Z[i], 1)
	}
}

// draw returns the place of a topic among those of the group.
func (s *grouped) draw(row []int32, topics []uint32, u float64) int {
	sum, cum, scaled := 0.0, s.cum[:len(topics)], s.scaled[:len(topics)]
	for j, k := range topics {
		sum += scaled[j] * (float64(row[k]) + s.beta)
		cum[j] = sum
	}
	target, j := u*sum, 0
	for j < len(cum)-1 && cum[j] <= target {
		j++
	}
	return j
}

// move adds a token to a topic, or takes it out.
func (s *grouped) move(row []int32, k uint32, by int32) {
	row[k] += by
	s.Nk[k] += by
	s.refresh(k)
	at := s.at[k]
	s.weights[at] += float64(by)
	s.scaled[at] = s.weights[at] * s.inv[k]
}
