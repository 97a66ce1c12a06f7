package eval

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
)

// CoherenceResult holds two measures of how well the words of each topic belong
// together, one value per topic. A topic of fewer than two words that occur in
// the reference corpus has NaN.
type CoherenceResult struct {
	UMass []float64 // ≤ 0 but for the smoothing; higher is better
	NPMI  []float64 // between -1 and 1; higher is better
}

// Coherence measures topics, given by their top words in falling order, by how
// often these occur in the same documents of a reference corpus over the same
// vocabulary. With D(u) the number of documents that hold u, D(u, v) of those
// that hold both, and D the number of all,
//
//	UMass = mean over pairs i > j of log (D(w_i, w_j) + 1)/D(w_j)
//	NPMI  = mean over pairs i > j of log (p(i, j)/(p(i) p(j))) / −log p(i, j)
//
// (Mimno et al. 2011; Bouma 2009, as Lau, Newman and Baldwin 2014 use it). Pairs
// that never occur together have NPMI −1, pairs that occur in every document
// have 1. Words that occur in no reference document are left out.
//
// Memory is a bit per document and distinct top word.
func Coherence(ctx context.Context, reference *corpus.Corpus, topics [][]int) (CoherenceResult, error) {
	sets, err := newDocSets(ctx, reference, topics)
	if err != nil {
		return CoherenceResult{}, err
	}
	r := CoherenceResult{UMass: make([]float64, len(topics)), NPMI: make([]float64, len(topics))}
	for k, words := range topics {
		if err := ctx.Err(); err != nil {
			return CoherenceResult{}, err
		}
		r.UMass[k], r.NPMI[k] = sets.measure(words)
	}
	return r, nil
}

// docSets holds the documents of each of some words as bit sets.
type docSets struct {
	docs int
	sets map[int][]uint64 // word to D bits
}

func newDocSets(ctx context.Context, reference *corpus.Corpus, topics [][]int) (*docSets, error) {
	s := &docSets{docs: reference.NumDocs(), sets: make(map[int][]uint64)}
	wanted := make([][]uint64, reference.NumWords()) // the same sets, by word id
	for _, words := range topics {
		for _, w := range words {
			if wanted[w] == nil {
				wanted[w] = make([]uint64, (s.docs+63)/64)
				s.sets[w] = wanted[w]
			}
		}
	}
	for d := range s.docs {
		if d%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, w := range reference.Doc(d) {
			if set := wanted[w]; set != nil {
				set[d/64] |= 1 << (d % 64)
			}
		}
	}
	return s, nil
}

// both counts the documents that hold u and v.
func (s *docSets) both(u, v int) int {
	a, b := s.sets[u], s.sets[v]
	n := 0
	for i := range a {
		n += bits.OnesCount64(a[i] & b[i])
	}
	return n
}

func (s *docSets) measure(words []int) (umass, npmi float64) {
	words = slices.DeleteFunc(slices.Clone(words), func(w int) bool { return s.both(w, w) == 0 })
	single := make([]float64, len(words))
	for i, w := range words {
		single[i] = float64(s.both(w, w))
	}
	pairs := 0
	for i := range words {
		for j := range i {
			together := float64(s.both(words[i], words[j]))
			umass += math.Log((together + 1) / single[j])
			npmi += normalizedPMI(together, single[i], single[j], float64(s.docs))
			pairs++
		}
	}
	return umass / float64(pairs), npmi / float64(pairs) // NaN when there are no pairs
}

// normalizedPMI takes document counts.
func normalizedPMI(together, i, j, docs float64) float64 {
	switch together {
	case 0:
		return -1
	case docs:
		return 1
	}
	return math.Log(together*docs/(i*j)) / -math.Log(together/docs)
}

// Diversity returns the share of distinct words among all top words of all
// topics (Dieng, Ruiz and Blei 2020): 1 when no word is shared, NaN when there
// are no words.
func Diversity(topics [][]int) float64 {
	distinct, all := make(map[int]bool), 0
	for _, words := range topics {
		for _, w := range words {
			distinct[w] = true
			all++
		}
	}
	return float64(len(distinct)) / float64(all)
}
