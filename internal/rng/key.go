package rng

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

// blocksGo is the specification of the kernels.
func (k Key) blocksGo(dst *Words, c0 []uint32, c1, c2 uint32, c3 []uint32) {
	n := len(c0)
	c3, w0, w1, w2, w3 := c3[:n], dst[0][:n], dst[1][:n], dst[2][:n], dst[3][:n]
	for i, c := range c0 {
		w0[i], w1[i], w2[i], w3[i] = k.words(c, c1, c2, c3[i])
	}
}

// Block returns the four 32-bit words for one counter.
func (k Key) Block(c0, c1, c2, c3 uint32) [4]uint32 {
	w0, w1, w2, w3 := k.words(c0, c1, c2, c3)
	return [4]uint32{w0, w1, w2, w3}
}

// words is Block with its result in registers. It makes two rounds at once, which bring every word back to the
// variable that it came from.
func (k Key) words(c0, c1, c2, c3 uint32) (w0, w1, w2, w3 uint32) {
	k0, k1 := k[0], k[1]
	for range rounds / 2 {
		a, b := multiplier0*uint64(c0), multiplier1*uint64(c2)
		x, y := uint32(b>>32)^c1^k0, uint32(a>>32)^c3^k1
		c, d := multiplier0*uint64(x), multiplier1*uint64(y)
		c0, c1 = uint32(d>>32)^uint32(b)^(k0+weyl0), uint32(d)
		c2, c3 = uint32(c>>32)^uint32(a)^(k1+weyl1), uint32(c)
		k0 += 2 * weyl0 % (1 << 32)
		k1 += 2 * weyl1 % (1 << 32)
	}
	return c0, c1, c2, c3
}
