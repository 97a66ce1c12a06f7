package cvb

import (
	"math"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// Suits tells whether the zero-order form takes a problem, whose words must be
// there, and needs at most so many bytes for it. pairs is how many pairs it has, or at
// least has where the answer is no: counting ends as soon as that is known.
func Suits(p *sampler.Problem, most uint64) (pairs int, ok bool) {
	c := zeroCorpus(p)
	if c.K > MaxTopics || c.tokens() > math.MaxUint32 || c.bytesOf(0) > most {
		return 0, false
	}
	frequency := make([]uint32, c.V)
	for d := range c.docs() {
		if c.Offsets[d+1]-c.Offsets[d] > mostTokens {
			return pairs, false
		}
		frequent := false
		c.eachPair(d, func(w uint32, _, count int) {
			pairs++
			frequency[w] += uint32(count)
			frequent = frequent || frequency[w] > mostTokens
		})
		if frequent || c.bytesOf(pairs) > most {
			return pairs, false
		}
	}
	return pairs, true
}
