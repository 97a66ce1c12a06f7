package sampler

import (
	"github.com/topoi-lda/topoi/internal/rng"
)

// StartTopics fills z with the initial topics of tokens where each word has few of them
// (Tuning.StartTopics = M). Token i of the corpus, of word w, begins with topic
//
//	t_wj,  j = Below(x_i, M),  t_wj = Below(y_wj, K)
//
// where x_i is the random number that would choose from all topics otherwise, and y_wj the first word of the block
// with counter (w, j, ForWordStart, 0). words are those of tokens begin, begin+1, …
//
// With a small M a row n_w begins with at most M entries instead of min(n_w, K). After the first
// sweeps it still has about half as many entries as after a uniform start.
func StartTopics(p *Problem, begin int, words, z []uint32) {
	m := p.Tuning.StartTopics
	key := rng.NewKey(p.Seed)
	random := Draws{Key: key, Purpose: ForStart}
	for i, w := range words {
		j := rng.Below(random.Word(uint64(begin+i)), uint32(m))
		z[i] = rng.Below(key.Block(w, j, uint32(ForWordStart), 0)[0], uint32(p.K))
	}
}

// Group is the prior that some documents share: the topics that they may have, and the α of each.
type Group struct {
	Topics []uint32 // in increasing order, at least one
	Alpha  []float64
}

// AlphaOf returns the α of document d, which is 0 for topics that its group must not have. If there
// are groups it writes the result into dst (K values).
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

// StartInGroups returns a topic for every token, drawn uniformly from those of its document's group.
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
