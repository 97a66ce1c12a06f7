//go:build !amd64 || noasm

package warp

func warpStep(z, own, proposal, x []uint32, row *warpRow) { warpStepGo(z, own, proposal, x, row) }

func warpDraw(proposal, x, y, places []uint32, mix warpMix, topics uint32, alias warpAlias) {
	warpDrawGo(proposal, x, y, places, mix, topics, alias)
}

func warpExpand(dst, topics []uint32, cells []topicCell) { warpExpandGo(dst, topics, cells) }

func setDense(cells []topicCell, seen []uint32, row []int32) (n, sum int) {
	return setDenseGo(cells, seen, row, 0)
}

// Moving tokens is left to portable Go.

func (*warpTokens[T]) loadVector(*warpColumns, []warpSegment) (n int, done bool) { return 0, false }
func (*warpTokens[T]) storeVector(*warpColumns, []warpSegment) (done bool)       { return false }
func (*warpTokens[T]) loadDocVector(*warpColumns, int, []uint16) (done bool)     { return false }
func (*warpTokens[T]) storeDocVector(c *warpColumns, b, n int) (done bool)       { return false }
func (*warpTokens[T]) movedVector([]uint64, []warpSegment) (n int, done bool)    { return 0, false }

// Prefetching is left to the processor.

func (*warpTokens[T]) prefetch([]warpSegment)                           {}
func (*warpTokens[T]) prefetchCells([]warpSegment, []topicCell)         {}
func (*warpTokens[T]) prefetchDoc(b int, _ []uint16, cells []topicCell) {}
