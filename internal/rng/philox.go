// Package rng is the one source of randomness: Philox4x32-10 (Salmon, Moraes,
// Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
//
// It is counter-based: a random number is a pure function of a key (the run's
// seed) and a counter (what the number is for). No stream is shared, so no
// order of evaluation matters, and a CPU thread, a GPU lane and a remote worker
// compute the same number without talking to each other.
package rng

import "math/bits"

const (
	multiplier0 = 0xD2511F53
	multiplier1 = 0xCD9E8D57
	weyl0       = 0x9E3779B9
	weyl1       = 0xBB67AE85
	rounds      = 10
)

// Key is the 64-bit key of the generator, made from the run's seed.
type Key [2]uint32

// NewKey splits a seed into a key.
func NewKey(seed uint64) Key { return Key{uint32(seed), uint32(seed >> 32)} }

// Purpose separates uses of randomness that share a token and an iteration.
type Purpose uint32

// Block returns the four 32-bit words for one counter.
func (k Key) Block(c0, c1, c2, c3 uint32) [4]uint32 {
	k0, k1 := k[0], k[1]
	for range rounds {
		hi0, lo0 := bits.Mul32(multiplier0, c0)
		hi1, lo1 := bits.Mul32(multiplier1, c2)
		c0, c1, c2, c3 = hi1^c1^k0, lo1, hi0^c3^k1, lo0
		k0 += weyl0
		k1 += weyl1
	}
	return [4]uint32{c0, c1, c2, c3}
}

// Float32 maps a 32-bit word to [0, 1) on a grid of 2^-24: every value is exact,
// and 1 is never reached.
func Float32(x uint32) float32 { return float32(x>>8) * (1.0 / (1 << 24)) }

// Float64 maps two 32-bit words to [0, 1) on a grid of 2^-53.
func Float64(hi, lo uint32) float64 {
	return float64((uint64(hi)<<32|uint64(lo))>>11) * (1.0 / (1 << 53))
}

// Below maps a 32-bit word to 0, …, n-1 by the multiply-shift method. The
// result is off uniform by less than n/2^32, which is below what any sampler
// here can notice.
func Below(x, n uint32) uint32 { return uint32(uint64(x) * uint64(n) >> 32) }
