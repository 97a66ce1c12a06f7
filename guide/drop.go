package guide

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/topic"
)

// drop gives every token of some topics another topic, drawn from
//
//	p(k) ∝ (n_dk + α_k) φ_wk
//
// over the topics that stay, with the counts before.
func (s *state) drop(topics []int, seed uint64) error {
	if err := s.check(topics...); err != nil || len(topics) == 0 {
		return err
	}
	for _, k := range topics {
		s.sum -= s.alpha[k] - empty
		s.remove(k)
	}
	if !slices.Contains(s.gone, false) {
		return errors.New("all topics would be dropped: at least one must stay")
	}
	random, vbeta := draws(seed), float64(s.old.NumWords())*s.old.Beta()
	went := map[uint64]map[int]uint32{} // where tokens of a word and a dropped topic went
	weights, ndk := make([]float64, len(s.alpha)), make([]float64, len(s.alpha))
	for d := range s.docs.NumDocs() {
		lo, hi := s.docs.Offsets()[d]-s.docs.Offsets()[0], s.docs.Offsets()[d+1]-s.docs.Offsets()[0]
		clear(ndk)
		for _, k := range s.z[lo:hi] {
			ndk[k]++
		}
		for i, w := range s.docs.Doc(d) {
			if at := lo + uint64(i); s.gone[s.z[at]] {
				for k := range weights {
					if weights[k] = ndk[k] + s.alpha[k]; s.gone[k] {
						weights[k] = 0
					}
				}
				spread(weights, s.old, int(w), vbeta)
				to, key := drawn(weights, rng.Float64(random.Pair(at))), uint64(w)<<32|uint64(s.z[at])
				if went[key] == nil {
					went[key] = map[int]uint32{}
				}
				went[key][int(to)]++
				s.z[at] = to
			}
		}
	}
	s.dropPseudo(went, weights, vbeta)
	s.did = append(s.did, "dropped "+numbers(topics))
	return nil
}

// dropPseudo takes the pseudo-counts of topics that are gone away. Those of other draws go where tokens of the word went
// in the last one, or to the topic in which the word is the most probable if it had none there.
func (s *state) dropPseudo(went map[uint64]map[int]uint32, weights []float64, vbeta float64) {
	for w, row := range s.pseudo {
		kept := merged(row, func(k int) int {
			if s.gone[k] {
				return -1
			}
			return k
		})
		for _, e := range row {
			if !s.gone[e.Topic] || s.old.Manifest().Draws == 0 {
				continue
			}
			to := went[uint64(w)<<32|uint64(e.Topic)]
			if len(to) == 0 {
				to = map[int]uint32{s.likeliest(w, weights, vbeta): 1}
			}
			kept = append(kept, shared(e.Count, to)...)
		}
		s.pseudo[w] = merged(kept, func(k int) int { return k })
	}
}

// likeliest returns the topic that is not gone in which a word is the most probable.
func (s *state) likeliest(w int, weights []float64, vbeta float64) (best int) {
	for k := range weights {
		if weights[k] = 1; s.gone[k] {
			weights[k] = 0
		}
	}
	spread(weights, s.old, w, vbeta)
	for k, x := range weights {
		if x > weights[best] {
			best = k
		}
	}
	return best
}

// shared divides a count among topics by their parts. What is left by rounding goes to the topic with the largest part,
// the first among equals.
func shared(all uint32, parts map[int]uint32) (list []topic.Count) {
	topics := slices.SortedFunc(maps.Keys(parts), func(a, b int) int {
		return cmp.Or(cmp.Compare(parts[b], parts[a]), cmp.Compare(a, b))
	})
	sum, rest := uint64(0), all
	for _, n := range parts {
		sum += uint64(n)
	}
	for _, k := range topics[1:] {
		n := uint32(uint64(all) * uint64(parts[k]) / sum)
		rest -= n
		list = append(list, topic.Count{Topic: uint32(k), Count: n})
	}
	return append(list, topic.Count{Topic: uint32(topics[0]), Count: rest})
}
