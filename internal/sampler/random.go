package sampler

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
)

// A random number's purpose is the third word of its Philox counter.
const (
	ForStart    rng.Purpose = iota // the first topic of a token
	ForDraw                        // a new topic by an exact draw
	ForRounding                    // a whole topic from topic probabilities
	ForTheta                       // gamma variates of θ
	ForPhi                         // gamma variates of φ
	ForFold                        // a topic for a token of a new document
	ForWarpWord                    // warp's word phase
	ForWarpDoc                     // warp's doc phase

	ForWordStart // the topics that a word begins with (Tuning.StartTopics, StartLift)
	ForTables    // auxiliary counts of a hierarchical Dirichlet process
	ForWeights   // its weights of topics
)

// Draws hands out the random numbers of one purpose and one iteration. Token i
// reads word i mod 4 of the block with counter (i div 4, iteration, purpose).
type Draws struct {
	Key       rng.Key
	Iteration uint32
	Purpose   rng.Purpose
}

// block returns the four words that tokens 4j … 4j+3 share. The upper half of
// j, needed beyond 2^34 tokens, goes into the fourth counter word.
func (d Draws) block(j uint64) [4]uint32 {
	return d.Key.Block(uint32(j), d.Iteration, uint32(d.Purpose), uint32(j>>32))
}

// Word returns the 32 random bits of token i.
func (d Draws) Word(i uint64) uint32 { return d.block(i >> 2)[i&3] }

// Words is a buffer for the random words of many tokens.
type Words []uint32

// Tokens returns the random words of tokens begin … end-1, which stay valid until the next call.
func (w *Words) Tokens(d Draws, begin, end int) []uint32 {
	first, last := begin/4, (end+3)/4
	*w = slices.Grow((*w)[:0], 4*(last-first))[:4*(last-first)]
	d.Key.Fill(*w, uint64(first), d.Iteration, uint32(d.Purpose))
	return (*w)[begin-4*first : end-4*first]
}

// Pair returns 64 random bits of token i, for draws in float64.
func (d Draws) Pair(i uint64) (hi, lo uint32) {
	b := d.block(i >> 1)
	if i&1 == 0 {
		return b[0], b[1]
	}
	return b[2], b[3]
}

// Step returns the four words of one Metropolis-Hastings step of token i. Steps are counted above the purpose.
func (d Draws) Step(i uint64, step int) [4]uint32 {
	return d.Key.Block(uint32(i), d.Iteration, uint32(d.Purpose)|uint32(step+1)<<8, uint32(i>>32))
}

// Unit clamps a quotient into [0, 1), which rounding may have left.
func Unit(x float64) float64 { return min(max(0, x), 1-1.0/(1<<53)) }

// FirstTopics returns the initial topics of tokens begin, begin+1, … of the corpus, which have the given words, or nil
// where they are uniform random. Token i, of word w, begins with topic
//
//	t_wj,  j = Below(x_i, M),  t_wj = Below(y_wj, K)    where words have few topics (Tuning.StartTopics = M < K)
//	t_w0  if Below(x_i · 0x9E3779B1 mod 2^32, K) < L    where they have one that is likelier (Tuning.StartLift = L)
//
// and otherwise with Below(x_i, K). y_wj is the first word of the block with counter (w, j, ForWordStart, 0).
//
// With a small M a row n_w begins with at most M entries instead of min(n_w, K). After the first
// sweeps it still has about half as many entries as after a uniform start.
func FirstTopics(p *Problem, begin int, words []uint32) []uint32 {
	k, m, lift := uint32(p.K), uint32(p.Tuning.StartTopics), uint32(p.Tuning.StartLift)
	if m >= k || m+lift == 0 {
		return nil
	}
	if m > 0 {
		lift = k
	}
	z, key, buffers := make([]uint32, len(words)), rng.NewKey(p.Seed), make([]Words, max(1, p.Threads))
	_ = parallel.Do(context.Background(), p.Threads, (len(z)+startChunk-1)/startChunk, func(thread, i int) {
		lo, hi := i*startChunk, min(len(z), (i+1)*startChunk)
		for j, x := range buffers[thread].Tokens(Draws{Key: key, Purpose: ForStart}, begin+lo, begin+hi) {
			if rng.Below(x*0x9E3779B1, k) < lift {
				x = key.Block(words[lo+j], rng.Below(x, max(1, m)), uint32(ForWordStart), 0)[0]
			}
			z[lo+j] = rng.Below(x, k)
		}
	})
	return z
}

// startChunk is the number of tokens whose first topics a goroutine makes at a time: a multiple of 4, so that the chunks
// of a whole corpus begin with whole blocks of random numbers.
const startChunk = 1 << 16

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
	d := Draws{Key: rng.NewKey(p.Seed), Purpose: ForStart}
	buffers := make([]Words, max(1, p.Threads))
	from += p.Origin()
	_ = parallel.Do(context.Background(), p.Threads, (len(z)+startChunk-1)/startChunk, func(thread, i int) {
		begin, end := i*startChunk, min(len(z), (i+1)*startChunk)
		for j, x := range buffers[thread].Tokens(d, from+begin, from+end) {
			z[begin+j] = T(rng.Below(x, uint32(p.K)))
		}
	})
}
