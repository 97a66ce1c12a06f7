package batch

import (
	"math"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// batchState is the state that draws read: the tokens, n_wk as it was before the mini-batch, and the priors.
type batchState struct {
	tokens
	schedule *draw32.Schedule
	kpad     int // K rounded up to whole groups of 32 lanes
	stride   int // K rounded up to whole cache lines of n_wk

	nwk []int32 // V × stride: n_wk, 0 beyond K

	// If the model is small, weights has n_wk + β of all words, and Rows of the schedule are words. Else weights is nil,
	// and every tile computes those of its words.
	weights []float32 // V × kpad

	alpha, inv []float32 // kpad: α_k and 1/(n_k + Vβ), 0 beyond K; α_k of each group of documents, if there are any

	groups  []sampler.Group // of the sweep in progress
	alphaAt []uint32        // groups: where α of each begins in alpha
	few     bool            // whether a group may not have all topics
}

// row returns n_w of a word.
func (s *batchState) row(word uint32) []int32 {
	return s.nwk[int(word)*s.stride : (int(word)+1)*s.stride]
}

// setPriors computes α and 1/(n_k + Vβ) in float32.
func (s *batchState) setPriors(priors *sampler.Priors) {
	vbeta := float64(float64(s.p.CorpusWords()) * priors.Beta)
	for k, n := range s.nk {
		s.inv[k] = float32(1 / (float64(n) + vbeta))
	}
	if s.p.Groups != nil {
		s.setGroups(priors.Groups)
		return
	}
	for k, a := range priors.Alpha {
		s.alpha[k] = float32(a)
	}
}

// partial is the place of α of a group that may not have all topics.
const partial = math.MaxUint32

// setGroups lays α of all groups out, unless that was done for the same ones.
func (s *batchState) setGroups(groups []sampler.Group) {
	if s.groups != nil && &s.groups[0] == &groups[0] {
		return
	}
	s.groups, s.alphaAt, s.alpha, s.few = groups, s.alphaAt[:0], s.alpha[:0], false
	for _, g := range groups {
		if len(g.Topics) < s.p.K {
			s.alphaAt, s.few = append(s.alphaAt, partial), true
			continue
		}
		s.alphaAt = append(s.alphaAt, uint32(len(s.alpha)))
		for _, a := range g.Alpha {
			s.alpha = append(s.alpha, float32(a))
		}
		s.alpha = append(s.alpha, make([]float32, s.kpad-s.p.K)...)
	}
}
