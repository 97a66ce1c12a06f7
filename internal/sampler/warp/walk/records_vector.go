//go:build (amd64 || arm64) && !noasm

package walk

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

// raw returns the records from token first on, the logarithm of their size and the bits of a topic. ok is
// false if there is no kernel for them.
func raw[T Topic](t *Tokens[T], first int) (records unsafe.Pointer, shift, width uint64, ok bool) {
	switch {
	case !simd.Vectors:
		return nil, 0, 0, false
	case t.Packed != nil:
		return unsafe.Pointer(&t.Packed[first]), 3, packedBits, true
	case t.Small != nil:
		return unsafe.Pointer(&t.Small[first]), 2, SmallBits, true
	case unsafe.Sizeof(T(0)) == 2 && t.Stride == 4:
		return unsafe.Pointer(&t.Topics[4*first]), 3, 16, true
	case unsafe.Sizeof(T(0)) == 2 && t.Stride == 2:
		return unsafe.Pointer(&t.Topics[2*first]), 2, 16, true
	}
	return nil, 0, 0, false
}

// records returns the arguments for n segments or tokens, from token first on, and whether records have 64
// bits. ok is false if there is no kernel for them.
func records[T Topic](t *Tokens[T], c *Columns, n, first int) (a recordArgs, wide, ok bool) {
	if n == 0 {
		return a, false, false
	}
	records, shift, width, ok := raw(t, first)
	if !ok {
		return a, false, false
	}
	a = recordArgs{
		records: records, at: &c.at[0], block: &c.block[0], z: &c.Z[0], n: n, width: width,
		proposal: [3]*uint32{&c.old[0], &c.old[0], &c.old[0]},
	}
	for j, column := range c.proposal {
		a.proposal[j] = &column[0]
	}
	return a, shift == 3, true
}

// loadVector is Load by a kernel; it returns false if there is none.
func loadVector[T Topic](t *Tokens[T], c *Columns, segments []Segment) (n int, done bool) {
	a, wide, ok := records(t, c, len(segments), 0)
	if !ok {
		return 0, false
	}
	a.segments, a.begins = &segments[0], &t.Begins[0]
	if wide {
		return load64(&a), true
	}
	return load32(&a), true
}

// storeVector is Store by a kernel; it returns false if there is none.
func storeVector[T Topic](t *Tokens[T], c *Columns, segments []Segment) (done bool) {
	a, wide, ok := records(t, c, len(segments), 0)
	if !ok {
		return false
	}
	a.segments, a.begins = &segments[0], &t.Begins[0]
	if t.KeepsOld() {
		a.proposal[2] = &c.Own[0] // the doc phase copies it
	}
	if wide {
		store64(&a)
	} else {
		store32(&a)
	}
	return true
}

// loadDocVector is LoadDoc by a kernel; it returns false if there is none.
func loadDocVector[T Topic](t *Tokens[T], c *Columns, b int, places []uint16) (done bool) {
	a, wide, ok := records(t, c, len(places), t.Begins[b])
	if !ok {
		return false
	}
	a.places, a.number = &places[0], uint32(b)
	if wide {
		loadDoc64(&a)
	} else {
		loadDoc32(&a)
	}
	return true
}

// storeDocVector is StoreDoc by a kernel; it returns false if there is none.
func storeDocVector[T Topic](t *Tokens[T], c *Columns, b, n int) (done bool) {
	a, wide, ok := records(t, c, n, t.Begins[b])
	if !ok {
		return false
	}
	if wide {
		storeDoc64(&a)
	} else {
		storeDoc32(&a)
	}
	return true
}

// movedVector is moved by a kernel; it returns false if there is none.
func movedVector[T Topic](t *Tokens[T], dst []uint64, segments []Segment) (n, taken int, done bool) {
	if !simd.Vectors || len(segments) == 0 {
		return 0, 0, false
	}
	a := movedArgs{
		records: unsafe.Pointer(&t.Topics[0]), segments: &segments[0], begins: &t.Begins[0], n: len(segments),
	}
	n = movedQuads(&dst[0], &a)
	return n, a.taken, true
}
