//go:build (amd64 || arm64) && !noasm

package rng

// inWholeSteps fills whole steps by assembly and the rest by portable Go.
func inWholeSteps(step int, fill func(*uint32, int, *schedule, uint64, uint32, uint32)) fillFunc {
	return func(k Key, dst []uint32, first uint64, iteration, purpose uint32) {
		blocks := len(dst) / 4 / step * step
		if blocks > 0 {
			keys := k.schedule()
			fill(&dst[0], blocks, &keys, first, iteration, purpose)
		}
		k.fillGo(dst[4*blocks:], first+uint64(blocks), iteration, purpose)
	}
}
