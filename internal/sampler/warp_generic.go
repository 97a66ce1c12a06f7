//go:build !amd64 || noasm

package sampler

func warpStep(z, own, proposal, x []uint32, row *warpRow) { warpStepGo(z, own, proposal, x, row) }

func warpDraw(proposal, x, y, places []uint32, mix warpMix, topics uint32, alias warpAlias) {
	warpDrawGo(proposal, x, y, places, mix, topics, alias)
}

func warpExpand(dst, topics []uint32, counts []int32) { warpExpandGo(dst, topics, counts) }

// The functions for pairs leave their work to portable Go.

func loadPairs(*warpColumns, []warpSegment, []uint32, []int) (n int, done bool) { return 0, false }
func storePairs(*warpColumns, []warpSegment, []uint32, []int) (done bool)       { return false }
func loadDocPairs(*warpColumns, int, []uint16, []uint32, []int) (done bool)     { return false }
func storeDocPairs(*warpColumns, int, int, []uint32, []int) (done bool)         { return false }
