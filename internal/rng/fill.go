package rng

// Fill writes the words of consecutive blocks, of firstBlock, firstBlock+1, …,
// into dst. Block j has the counter
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

// fillGo is the specification of the assembly versions.
func (k Key) fillGo(dst []uint32, firstBlock uint64, iteration, purpose uint32) {
	for j := firstBlock; len(dst) >= 4; j++ {
		*(*[4]uint32)(dst) = k.Block(uint32(j), iteration, purpose, uint32(j>>32))
		dst = dst[4:]
	}
}
