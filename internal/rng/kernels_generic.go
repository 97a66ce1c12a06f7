//go:build (!amd64 && !arm64) || noasm

package rng

func (k Key) blocks(dst *Words, c0 []uint32, c1, c2 uint32, c3 []uint32) {
	k.blocksGo(dst, c0, c1, c2, c3)
}

// fillVector fills nothing: there is no kernel here.
func (k Key) fillVector([]uint32, uint64, uint32, uint32) int { return 0 }
