package sampler

import "github.com/topoi-lda/topoi/internal/rng"

// Group is the prior that some documents share: the topics that they may have, and α of each.
type Group struct {
	Topics []uint32 // in increasing order, at least one
	Alpha  []float64
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
