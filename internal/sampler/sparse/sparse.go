// Package sparse holds SparseLDA: collapsed Gibbs sampling in three sparse buckets.
package sparse

import (
	"context"

	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// sparse is SparseLDA (Yao, Mimno and McCallum 2009): the same conditional as
// gibbs, cut into three buckets whose sums are kept up to date,
//
//	s = Σ_k α_k β / (n_k + Vβ)                    the same for all tokens
//	r = Σ_k n_dk β / (n_k + Vβ)                   over the document's topics
//	q = Σ_k (n_dk + α_k) n_wk / (n_k + Vβ)        over the word's topics
//
// so that a token costs O(K_d + K_w) instead of O(K), where K_d and K_w count the topics present in the document and
// in the word's row. It wins over gibbs when rows are sparse, which they become after the first sweeps.
type sparse struct {
	state.Dense
	words []state.TopicList // V: the topics of each word
	doc   state.TopicList   // the topics of the current document
	ndk   []int32           // K: counts of the current document

	coef []float64 // K: (n_dk + α_k) / (n_k + Vβ), fresh for the current document
	s, r float64   // bucket sums
	q    []float64 // scratch: running sums over the word's topics
}

// Info describes sparse.
var Info = sampler.Info{
	Exact:   []sampler.Tuning{{}},
	Name:    "sparse",
	Summary: "SparseLDA: three buckets, sparse in documents and words; one thread",
	Cost:    "O(K_d + K_w)",
	Source:  "Yao, Mimno & McCallum 2009",
	MaxK:    1 << 20,
	Guided:  sampler.Always,
	Tables:  sampler.DenseTable,
	New:     newSparse,
}

func newSparse(p *sampler.Problem) (sampler.Sampler, error) {
	return &sparse{
		Dense: state.NewDense(p),
		words: make([]state.TopicList, p.V),
		ndk:   make([]int32, p.K),
		coef:  make([]float64, p.K),
	}, nil
}

// listTopics lists every word's topics in increasing order. It is done anew before every sweep, so that a sweep
// depends on z alone and not on the history of the lists: a resumed run then takes the same path.
func (s *sparse) listTopics() {
	for w := range s.words {
		s.words[w] = s.words[w][:0]
		for k, n := range s.Nwk[w*s.P.K : (w+1)*s.P.K] {
			if n > 0 {
				s.words[w].Add(uint32(k))
			}
		}
	}
}

func (s *sparse) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	random := sampler.Draws{Key: rng.NewKey(s.P.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	s.listTopics()
	for d := range s.P.D() {
		lo, hi := s.P.Offsets[d], s.P.Offsets[d+1]
		s.enter(s.Z[lo:hi], priors)
		for i := lo; i < hi; i++ {
			u := rng.Float64(random.Pair(i))
			s.Z[i] = s.Draw(s.P.Words[i], s.Z[i], u, priors)
		}
		s.leave()
	}
	return nil
}

// enter counts a document and computes all bucket sums afresh, so that
// rounding errors of the running sums never outlive a document.
func (s *sparse) enter(z []uint32, priors *sampler.Priors) {
	for _, k := range z {
		if s.ndk[k] == 0 {
			s.doc.Add(k)
		}
		s.ndk[k]++
	}
	vbeta := float64(float64(s.P.V) * priors.Beta)
	s.s, s.r = 0, 0
	for k, n := range s.Nk {
		inv := 1 / (float64(n) + vbeta)
		s.s += float64(priors.Alpha[k] * priors.Beta * inv)
		s.r += float64(float64(s.ndk[k]) * priors.Beta * inv)
		s.coef[k] = (float64(s.ndk[k]) + priors.Alpha[k]) * inv
	}
}

// leave forgets the document.
func (s *sparse) leave() {
	for _, k := range s.doc {
		s.ndk[k] = 0
	}
	s.doc = s.doc[:0]
}

// Draw takes a token of word w out of topic old, draws its new topic with the random number u, and puts it there.
func (s *sparse) Draw(w, old uint32, u float64, priors *sampler.Priors) uint32 {
	s.Move(w, old, -1, priors)
	row := s.Nwk[int(w)*s.P.K : (int(w)+1)*s.P.K]
	q := 0.0
	s.q = s.q[:0]
	for _, k := range s.words[w] {
		q += float64(s.coef[k] * float64(row[k]))
		s.q = append(s.q, q)
	}
	k := s.pick(s.words[w], u*(s.s+s.r+q), q, priors)
	s.Move(w, k, 1, priors)
	return k
}

// pick finds the topic at position target of the three buckets laid end to end. Running sums may end a rounding error
// short of the bucket's sum; the last topic of the bucket is taken then.
func (s *sparse) pick(word state.TopicList, target, q float64, priors *sampler.Priors) uint32 {
	if target < q {
		for i, c := range s.q {
			if target < c {
				return word[i]
			}
		}
	}
	target -= q
	vbeta := float64(float64(s.P.V) * priors.Beta)
	if target < s.r && len(s.doc) > 0 {
		for _, k := range s.doc {
			target -= float64(s.ndk[k]) * priors.Beta / (float64(s.Nk[k]) + vbeta)
			if target < 0 {
				return k
			}
		}
		return s.doc[len(s.doc)-1]
	}
	target -= s.r
	for k := range s.Nk {
		target -= priors.Alpha[k] * priors.Beta / (float64(s.Nk[k]) + vbeta)
		if target < 0 {
			return uint32(k)
		}
	}
	return uint32(s.P.K - 1)
}

// Move adds delta (+1 or -1) tokens of word w to topic k and keeps the lists,
// the coefficient and the bucket sums in step.
func (s *sparse) Move(w, k uint32, delta int32, priors *sampler.Priors) {
	vbeta := float64(float64(s.P.V) * priors.Beta)
	before := 1 / (float64(s.Nk[k]) + vbeta)
	s.s -= float64(priors.Alpha[k] * priors.Beta * before)
	s.r -= float64(float64(s.ndk[k]) * priors.Beta * before)

	cell := &s.Nwk[int(w)*s.P.K+int(k)]
	if delta > 0 {
		if s.ndk[k] == 0 {
			s.doc.Add(k)
		}
		if *cell == 0 {
			s.words[w].Add(k)
		}
	}
	s.ndk[k] += delta
	*cell += delta
	s.Nk[k] += delta
	if delta < 0 {
		if s.ndk[k] == 0 {
			s.doc.Remove(k)
		}
		if *cell == 0 {
			s.words[w].Remove(k)
		}
	}

	after := 1 / (float64(s.Nk[k]) + vbeta)
	s.s += float64(priors.Alpha[k] * priors.Beta * after)
	s.r += float64(float64(s.ndk[k]) * priors.Beta * after)
	s.coef[k] = (float64(s.ndk[k]) + priors.Alpha[k]) * after
}
