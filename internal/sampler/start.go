package sampler

import (
	"github.com/topoi-lda/topoi/internal/rng"
)

// StartTopics fills z with the topics with which tokens begin where each word has few
// (Tuning.StartTopics = M): a token of word w, number i in the corpus, begins with topic
//
//	t_wj,  j = Below(x_i, M),  t_wj = Below(y_wj, K)
//
// where x_i is the random number by which it would else begin with any topic, and y_wj the first of
// the block with counter (w, j, ForWordStart, 0). words are those of tokens begin, begin+1, …
//
// With M a small number a row n_w begins with at most M entries instead of min(n_w, K). What sweeps add
// stays below what a uniform start has by about half.
func StartTopics(p *Problem, begin int, words, z []uint32) {
	m := p.Tuning.StartTopics
	key := rng.NewKey(p.Seed)
	random := Draws{Key: key, Purpose: ForStart}
	for i, w := range words {
		j := rng.Below(random.Word(uint64(begin+i)), uint32(m))
		z[i] = rng.Below(key.Block(w, j, uint32(ForWordStart), 0)[0], uint32(p.K))
	}
}

// Group is the prior that some documents share: the topics that they may have, and α of each.
type Group struct {
	Topics []uint32 // in increasing order, at least one
	Alpha  []float64
}

// AlphaOf returns α of a document, which is 0 for topics that its group must not have. It lies in dst (K values) if there
// are groups.
func (p *Problem) AlphaOf(dst []float64, d int, priors *Priors) []float64 {
	if p.Groups == nil {
		return priors.Alpha
	}
	clear(dst)
	group := priors.Groups[p.Groups[d]]
	for i, k := range group.Topics {
		dst[k] = group.Alpha[i]
	}
	return dst
}

// StartInGroups returns a topic for every token, drawn evenly from those of its document's group.
func StartInGroups(p *Problem, groups []Group) []uint32 {
	z, random := make([]uint32, p.N()), Draws{Key: rng.NewKey(p.Seed), Purpose: ForStart}
	for d := range p.D() {
		topics := groups[p.Groups[d]].Topics
		for i := p.Offsets[d]; i < p.Offsets[d+1]; i++ {
			z[i] = topics[rng.Below(random.Word(i), uint32(len(topics)))]
		}
	}
	return z
}
