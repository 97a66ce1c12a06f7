//go:build amd64 && !noasm

package warp

import "unsafe"

// Prefetching tells the processor what will be read soon, and does nothing else:
// there is no Go loop that these stand for.

// prefetchRecords prefetches the first record of each of n > 0 segments, records
// having 1 << shift bytes.
//
//go:noescape
func prefetchRecords(records unsafe.Pointer, begins *int, segments *warpSegment, n int, shift uint64)

// prefetchCells64 prefetches the cells of the topics and two proposals of all
// tokens of n > 0 segments in records of 64 bits, topics being width bits wide.
//
//go:noescape
func prefetchCells64(records unsafe.Pointer, begins *int, segments *warpSegment, n int, cells *topicCell, width uint64)

// prefetchDocCells64 does so for the tokens in n > 0 places of a block.
//
//go:noescape
func prefetchDocCells64(records unsafe.Pointer, places *uint16, n int, cells *topicCell, width uint64)

// prefetch prefetches the records of segments.
func (t *warpTokens[T]) prefetch(segments []warpSegment) {
	if len(segments) > 0 {
		if records, shift, _, ok := t.raw(0); ok {
			prefetchRecords(records, &t.begins[0], &segments[0], len(segments), shift)
		}
	}
}

// prefetchCells prefetches the cells of topics in segments. With many topics records
// have 64 bits.
func (t *warpTokens[T]) prefetchCells(segments []warpSegment, cells []topicCell) {
	if len(segments) > 0 {
		if records, shift, width, ok := t.raw(0); ok && shift == 3 {
			prefetchCells64(records, &t.begins[0], &segments[0], len(segments), &cells[0], width)
		}
	}
}

// prefetchDoc prefetches the cells of topics in some places of block b.
func (t *warpTokens[T]) prefetchDoc(b int, places []uint16, cells []topicCell) {
	if len(places) > 0 {
		if records, shift, width, ok := t.raw(t.begins[b]); ok && shift == 3 {
			prefetchDocCells64(records, &places[0], len(places), &cells[0], width)
		}
	}
}
