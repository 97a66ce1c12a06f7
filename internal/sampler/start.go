package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/parallel"
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

// StartInGroups returns a topic for every token of documents first … last-1, drawn uniformly from those of its
// document's group.
func StartInGroups(p *Problem, first, last int, groups []Group) []uint32 {
	z, random := make([]uint32, p.Offsets[last]-p.Offsets[first]), Draws{Key: rng.NewKey(p.Seed), Purpose: ForStart}
	for d := first; d < last; d++ {
		topics := groups[p.Groups[d]].Topics
		for i := p.Offsets[d]; i < p.Offsets[d+1]; i++ {
			z[i-p.Offsets[first]] = topics[rng.Below(random.Word(i), uint32(len(topics)))]
		}
	}
	return z
}

// RandomTopics fills z with uniform random topics. z[0] belongs to token number from of the problem.
func RandomTopics[T uint16 | uint32](p *Problem, from int, z []T) {
	const chunk = 1 << 16 // a multiple of 4, so that a whole corpus's chunks begin with whole blocks
	d := Draws{Key: rng.NewKey(p.Seed), Purpose: ForStart}
	buffers := make([]Words, max(1, p.Threads))
	from += p.Origin()
	_ = parallel.Do(context.Background(), p.Threads, (len(z)+chunk-1)/chunk, func(thread, i int) {
		begin, end := i*chunk, min(len(z), (i+1)*chunk)
		for j, x := range buffers[thread].Tokens(d, from+begin, from+end) {
			z[begin+j] = T(rng.Below(x, uint32(p.K)))
		}
	})
}
