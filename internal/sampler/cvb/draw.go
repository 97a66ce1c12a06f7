package cvb

import (
	"context"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/rng"
)

// What random numbers are for: the third word of every Philox counter.
const (
	forStart  = 0          // the first topic of a token, the same as other samplers give it
	forTopics = 0x63766230 // a topic drawn from responsibilities
)

// Topics draws a topic for every token (z, corpus order) from its
// responsibilities, by a random number that belongs to the token alone: z is a
// function of γ and the seed, and its counts have the expectations n_dk and n_wk.
func (s *State) Topics(z []uint32) {
	key := rng.NewKey(s.c.Seed)
	p := s.l.p
	_ = parallel(context.Background(), s.c.Threads, p*p, func(_, i int) {
		begin, end := s.l.span(i/p, i%p)
		for j, pair := range s.l.pairs[begin:end] {
			gamma := s.row(begin + j)[:s.c.K]
			total := uint32(0)
			for _, code := range gamma {
				total += uint32(units[code])
			}
			for token := pair.token; token < pair.token+pair.count; token++ {
				x := key.Block(token>>2, 0, forTopics, 0)[token&3]
				z[token] = inverse(gamma, int32(rng.Below(x, total)))
			}
		}
	})
}

// inverse returns the smallest k with Σ_{i ≤ k} γ_i > u, in units.
func inverse(gamma []uint8, u int32) uint32 {
	for k, code := range gamma {
		if u -= units[code]; u < 0 {
			return uint32(k)
		}
	}
	panic("cvb: responsibilities sum to less than their total")
}

// WordCounts sets dst (K values) to n_wk, the expected number of tokens of word w
// with each topic.
func (s *State) WordCounts(dst []float64, w int) {
	counts(dst, s.words[int(s.l.words.row[w])*s.kpad:])
}

// DocCounts sets dst (K values) to n_dk, likewise.
func (s *State) DocCounts(dst []float64, d int) {
	counts(dst, s.docs[int(s.l.docs.row[d])*s.kpad:])
}

func counts(dst []float64, row []int32) {
	for k := range dst {
		dst[k] = float64(row[k]) / One
	}
}

// aligned returns n zero values that begin on a cache line.
func aligned[T uint8 | int32 | float32](n int) []T {
	const line = 64
	var value T
	size := int(unsafe.Sizeof(value))
	buf := make([]T, n+line/size)
	skip := -int(uintptr(unsafe.Pointer(&buf[0]))) & (line - 1) / size
	return buf[skip : skip+n : skip+n]
}
