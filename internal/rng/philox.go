// Package rng is the one source of randomness: Philox4x32-10 (Salmon, Moraes,
// Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
//
// It is counter-based: a random number is a pure function of a key (the run's seed) and a counter (what the number is
// for). No stream is shared, so no order of evaluation matters, and a CPU thread, a GPU lane and a remote worker
// compute the same number without talking to each other.
package rng

//go:generate go run ../../tools/kernels .

// Purpose separates uses of randomness that share a token and an iteration.
type Purpose uint32

// Float32 maps a 32-bit word to [0, 1) on a grid of 2^-24: every value is exact, and 1 is never reached.
func Float32(x uint32) float32 { return float32(x>>8) * (1.0 / (1 << 24)) }

// Float64 maps two 32-bit words to [0, 1) on a grid of 2^-53.
func Float64(hi, lo uint32) float64 {
	return float64((uint64(hi)<<32|uint64(lo))>>11) * (1.0 / (1 << 53))
}

// Below maps a 32-bit word to 0, …, n-1 by the multiply-shift method. The result is off uniform by less than n/2^32,
// which is below what any sampler here can notice.
func Below(x, n uint32) uint32 { return uint32(uint64(x) * uint64(n) >> 32) }

// Blocks computes the blocks with counters (c0[i], c1, c2, c3[i]), for numbers that do not follow each other: word j
// of block i goes to dst[j][i]. c0, c3 and the four parts of dst have the same length.
func (k Key) Blocks(dst *Words, c0 []uint32, c1, c2 uint32, c3 []uint32) {
	for j := range dst {
		dst[j] = dst[j][:len(c0)]
	}
	k.blocks(dst, c0, c1, c2, c3[:len(c0)])
}

// Fill writes the words of consecutive blocks, of firstBlock, firstBlock+1, …, into dst. Block j has the counter
//
//	(j mod 2^32, iteration, purpose, j div 2^32)
//
// and fills four words, so len(dst) must be a multiple of four. It gives the
// words that Block gives, several blocks at a time where the machine can.
func (k Key) Fill(dst []uint32, firstBlock uint64, iteration, purpose uint32) {
	if len(dst)%4 != 0 {
		panic("rng: Fill of a part of a block")
	}
	done := k.fillVector(dst, firstBlock, iteration, purpose)
	k.fillGo(dst[4*done:], firstBlock+uint64(done), iteration, purpose)
}

// fillGo is the specification of the kernels.
func (k Key) fillGo(dst []uint32, firstBlock uint64, iteration, purpose uint32) {
	for j := firstBlock; len(dst) >= 4; j++ {
		block := (*[4]uint32)(dst)
		block[0], block[1], block[2], block[3] = k.words(uint32(j), iteration, purpose, uint32(j>>32))
		dst = dst[4:]
	}
}
