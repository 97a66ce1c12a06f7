//go:build (amd64 || arm64) && !noasm

package walk

import "unsafe"

// Prefetching only tells the processor what will be read soon, so it has no portable definition.

// Prefetch prefetches the records of segments.
func (t *Tokens[T]) Prefetch(segments []Segment) {
	if len(segments) > 0 {
		if records, shift, _, ok := raw(t, 0); ok {
			a := recordArgs{records: records, begins: &t.Begins[0], segments: &segments[0], n: len(segments)}
			prefetchRecords(&a, shift)
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
			a := recordArgs{records: records, begins: &t.Begins[0], segments: &segments[0], n: len(segments), width: width}
			prefetchCells64(&a, &cells[0])
		}
	}
}

// PrefetchDoc prefetches the cells of topics in some places of block b.
func (t *Tokens[T]) PrefetchDoc(b int, places []uint16, cells []TopicCell) {
	if len(places) > 0 {
		if records, shift, width, ok := raw(t, t.Begins[b]); ok && shift == 3 {
			a := recordArgs{records: records, places: &places[0], n: len(places), width: width}
			prefetchDocCells64(&a, &cells[0])
		}
	}
}
