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

// Words are the four words of many blocks, word by word: the same length each.
type Words [4][]uint32

// blocksGo is the specification of the assembly version.
func (k Key) blocksGo(dst *Words, c0 []uint32, c1, c2 uint32, c3 []uint32) {
	for i := range c0 {
		words := k.Block(c0[i], c1, c2, c3[i])
		dst[0][i], dst[1][i], dst[2][i], dst[3][i] = words[0], words[1], words[2], words[3]
	}
}

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
