package cvb

import "github.com/topoi-lda/topoi/internal/sampler"

// Suits tells whether the zero-order form takes a problem, whose words must be
// there, and needs at most so many bytes for it; and how many pairs it has, if so.
func Suits(p *sampler.Problem, most uint64) (pairs int, ok bool) {
	c := zeroCorpus(p)
	if c.bytesOf(0) > most || c.check() != nil {
		return 0, false
	}
	pairs, _, _ = c.pairs()
	return pairs, c.bytesOf(pairs) <= most
}
