//go:build amd64 && !noasm

package sampler

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

// Prefetching tells the processor what will be read soon, and does nothing else:
// there is no Go loop that these stand for.

// prefetchQuads prefetches the first record of each of n > 0 segments.
//
//go:noescape
func prefetchQuads(records unsafe.Pointer, begins *int, segments *warpSegment, n int)

// prefetchQuadCells prefetches the cells of the topics and two proposals of all
// tokens of n > 0 segments, topics being width bits wide.
//
//go:noescape
func prefetchQuadCells(records unsafe.Pointer, begins *int, segments *warpSegment, n int, cells *topicCell, width uint64)

// prefetchDocCells does so for the tokens in n > 0 places of a block.
//
//go:noescape
func prefetchDocCells(records unsafe.Pointer, places *uint16, n int, cells *topicCell, width uint64)

// quads returns the records from token first on if they are quads.
func (t *warpTokens[T]) quads(first int) (records unsafe.Pointer, width uint64, ok bool) {
	switch {
	case !simd.AVX512:
		return nil, 0, false
	case t.packed != nil:
		return unsafe.Pointer(&t.packed[first]), packedBits, true
	case t.stride == 4 && unsafe.Sizeof(T(0)) == 2:
		return unsafe.Pointer(&t.topics[4*first]), 16, true
	}
	return nil, 0, false
}

// prefetch prefetches the records of segments.
func (t *warpTokens[T]) prefetch(segments []warpSegment) {
	if len(segments) > 0 {
		if records, _, ok := t.quads(0); ok {
			prefetchQuads(records, &t.begins[0], &segments[0], len(segments))
		}
	}
}

// prefetchCells prefetches the cells of topics in segments.
func (t *warpTokens[T]) prefetchCells(segments []warpSegment, cells []topicCell) {
	if len(segments) > 0 {
		if records, width, ok := t.quads(0); ok {
			prefetchQuadCells(records, &t.begins[0], &segments[0], len(segments), &cells[0], width)
		}
	}
}

// prefetchDoc prefetches the cells of topics in some places of block b.
func (t *warpTokens[T]) prefetchDoc(b int, places []uint16, cells []topicCell) {
	if len(places) > 0 {
		if records, width, ok := t.quads(t.begins[b]); ok {
			prefetchDocCells(records, &places[0], len(places), &cells[0], width)
		}
	}
}
