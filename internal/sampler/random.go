package sampler

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/rng"
)

// What a random number is for: the third word of every Philox counter.
const (
	forStart    rng.Purpose = iota // the first topic of a token
	forDraw                        // a new topic by an exact draw
	forRounding                    // a whole topic from topic probabilities
	forTheta                       // gamma variates of θ
	forPhi                         // gamma variates of φ
	forFold                        // a topic for a token of a new document
	forWarpWord                    // warp's word phase
	forWarpDoc                     // warp's doc phase
)

// draws hands out the random numbers of one purpose and one iteration. Token i
// reads word i mod 4 of the block with counter (i div 4, iteration, purpose).
type draws struct {
	key       rng.Key
	iteration uint32
	purpose   rng.Purpose
}

// block returns the four words that tokens 4j … 4j+3 share. The upper half of
// j, needed beyond 2^34 tokens, goes into the fourth counter word.
func (d draws) block(j uint64) [4]uint32 {
	return d.key.Block(uint32(j), d.iteration, uint32(d.purpose), uint32(j>>32))
}

// word returns the 32 random bits of token i.
func (d draws) word(i uint64) uint32 { return d.block(i >> 2)[i&3] }

// words is a buffer for the random words of many tokens.
type words []uint32

// tokens returns the random words of tokens begin … end-1, which stay valid
// until the next call.
func (w *words) tokens(d draws, begin, end int) []uint32 {
	first, last := begin/4, (end+3)/4
	*w = slices.Grow((*w)[:0], 4*(last-first))[:4*(last-first)]
	d.key.Fill(*w, uint64(first), d.iteration, uint32(d.purpose))
	return (*w)[begin-4*first : end-4*first]
}

// pair returns 64 random bits of token i, for draws in float64.
func (d draws) pair(i uint64) (hi, lo uint32) {
	b := d.block(i >> 1)
	if i&1 == 0 {
		return b[0], b[1]
	}
	return b[2], b[3]
}

// step returns the four words of one Metropolis-Hastings step of token i. Steps
// are counted above the purpose.
func (d draws) step(i uint64, step int) [4]uint32 {
	return d.key.Block(uint32(i), d.iteration, uint32(d.purpose)|uint32(step+1)<<8, uint32(i>>32))
}

// unit moves a quotient that rounding has taken out of [0, 1) back into it.
func unit(x float64) float64 { return min(max(0, x), 1-1.0/(1<<53)) }

// randomTopics assigns every token a uniform topic.
func randomTopics(p *Problem, z []uint32) {
	const chunk = 1 << 16 // a multiple of 4, so that a whole corpus's chunks begin with whole blocks
	d := draws{key: rng.NewKey(p.Seed), purpose: forStart}
	buffers := make([]words, max(1, p.Threads))
	_ = parallel(context.Background(), p.Threads, (len(z)+chunk-1)/chunk, func(thread, i int) {
		begin, end := i*chunk, min(len(z), (i+1)*chunk)
		for j, x := range buffers[thread].tokens(d, p.origin()+begin, p.origin()+end) {
			z[begin+j] = rng.Below(x, uint32(p.K))
		}
	})
}
