package rng

// Words are the four words of many blocks, word by word: the same length each.
type Words [4][]uint32

// Blocks computes the blocks with counters (c0[i], c1, c2, c3[i]), for numbers
// that do not follow each other: word j of block i goes to dst[j][i]. c0, c3 and
// the four parts of dst have the same length.
func (k Key) Blocks(dst *Words, c0 []uint32, c1, c2 uint32, c3 []uint32) {
	for j := range dst {
		dst[j] = dst[j][:len(c0)]
	}
	k.blocks(dst, c0, c1, c2, c3[:len(c0)])
}

// blocksGo is the specification of the assembly version.
func (k Key) blocksGo(dst *Words, c0 []uint32, c1, c2 uint32, c3 []uint32) {
	for i := range c0 {
		words := k.Block(c0[i], c1, c2, c3[i])
		dst[0][i], dst[1][i], dst[2][i], dst[3][i] = words[0], words[1], words[2], words[3]
	}
}
