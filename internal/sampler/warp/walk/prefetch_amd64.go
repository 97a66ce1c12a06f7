//go:build amd64 && !noasm

package walk

import "unsafe"

// Prefetching only tells the processor what will be read soon, so these functions have no portable definition.

// prefetchRecords prefetches the first record of each of n > 0 segments, records having 1 << shift bytes.
//
//go:noescape
func prefetchRecords(records unsafe.Pointer, begins *int, segments *Segment, n int, shift uint64)

// prefetchLines prefetches n > 0 bytes into a second-level cache.
//
//go:noescape
func prefetchLines(p unsafe.Pointer, n int)

// prefetchCells64 prefetches the cells of the topics and two proposals of all
// tokens of n > 0 segments in records of 64 bits, topics being width bits wide.
//
//go:noescape
func prefetchCells64(records unsafe.Pointer, begins *int, segments *Segment, n int, cells *TopicCell, width uint64)

// prefetchDocCells64 does the same for the tokens in n > 0 places of a block.
//
//go:noescape
func prefetchDocCells64(records unsafe.Pointer, places *uint16, n int, cells *TopicCell, width uint64)

// Prefetch prefetches the records of segments.
func (t *Tokens[T]) Prefetch(segments []Segment) {
	if len(segments) > 0 {
		if records, shift, _, ok := raw(t, 0); ok {
			prefetchRecords(records, &t.Begins[0], &segments[0], len(segments), shift)
		}
	}
}

// PrefetchRun prefetches the records of tokens begin … end-1 in grid order into a second-level cache, and
// their elements of list, which has one for every token, unless it is empty.
func (t *Tokens[T]) PrefetchRun(list []T, begin, end int) {
	if begin >= end {
		return
	}
	if records, shift, _, ok := raw(t, begin); ok {
		prefetchLines(records, (end-begin)<<shift)
	}
	if len(list) > 0 {
		prefetchLines(unsafe.Pointer(&list[begin]), (end-begin)*int(unsafe.Sizeof(list[0])))
	}
}

// PrefetchCells prefetches the cells of topics in segments, if records have 64 bits, as they do with many topics.
func (t *Tokens[T]) PrefetchCells(segments []Segment, cells []TopicCell) {
	if len(segments) > 0 {
		if records, shift, width, ok := raw(t, 0); ok && shift == 3 {
			prefetchCells64(records, &t.Begins[0], &segments[0], len(segments), &cells[0], width)
		}
	}
}

// PrefetchDoc prefetches the cells of topics in some places of block b.
func (t *Tokens[T]) PrefetchDoc(b int, places []uint16, cells []TopicCell) {
	if len(places) > 0 {
		if records, shift, width, ok := raw(t, t.Begins[b]); ok && shift == 3 {
			prefetchDocCells64(records, &places[0], len(places), &cells[0], width)
		}
	}
}
