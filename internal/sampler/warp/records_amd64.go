//go:build amd64 && !noasm

package warp

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

// warpRecords are the arguments of the assembly that moves tokens between memory
// and columns: records of 32 bits, a topic and one proposal or, of few topics, two,
// or of 64 bits, a topic and two or three proposals.
type warpRecords struct {
	records      unsafe.Pointer // all tokens, or those of the block
	at, block, z *uint32        // columns
	proposal     [3]*uint32     // columns; that of old topics in place of those that are not there
	segments     *warpSegment
	begins       *int    // first token of each block
	places       *uint16 // of a document's tokens
	n            int     // segments or tokens, above 0
	number       uint32  // of the document's block
	width        uint64  // bits of a topic
}

// load32AVX512 is warpTokens.load for records of 32 bits; it returns the number of tokens.
//
//go:noescape
func load32AVX512(a *warpRecords) int

// store32AVX512 is warpTokens.store for records of 32 bits.
//
//go:noescape
func store32AVX512(a *warpRecords)

// loadDoc32AVX512 is warpTokens.loadDoc for records of 32 bits.
//
//go:noescape
func loadDoc32AVX512(a *warpRecords)

// storeDoc32AVX512 is warpTokens.storeDoc for records of 32 bits.
//
//go:noescape
func storeDoc32AVX512(a *warpRecords)

// load64AVX512 is warpTokens.load for records of 64 bits; it returns the number of tokens.
//
//go:noescape
func load64AVX512(a *warpRecords) int

// store64AVX512 is warpTokens.store for records of 64 bits.
//
//go:noescape
func store64AVX512(a *warpRecords)

// loadDoc64AVX512 is warpTokens.loadDoc for records of 64 bits.
//
//go:noescape
func loadDoc64AVX512(a *warpRecords)

// storeDoc64AVX512 is warpTokens.storeDoc for records of 64 bits.
//
//go:noescape
func storeDoc64AVX512(a *warpRecords)

// raw returns the records from token first on, their size as a power of two and the
// bits of a topic. ok says whether the assembly can do anything with them.
func (t *warpTokens[T]) raw(first int) (records unsafe.Pointer, shift, width uint64, ok bool) {
	switch {
	case !simd.AVX512:
		return nil, 0, 0, false
	case t.packed != nil:
		return unsafe.Pointer(&t.packed[first]), 3, packedBits, true
	case t.small != nil:
		return unsafe.Pointer(&t.small[first]), 2, smallBits, true
	case unsafe.Sizeof(T(0)) == 2 && t.stride == 4:
		return unsafe.Pointer(&t.topics[4*first]), 3, 16, true
	case unsafe.Sizeof(T(0)) == 2 && t.stride == 2:
		return unsafe.Pointer(&t.topics[2*first]), 2, 16, true
	}
	return nil, 0, 0, false
}

// movedQuadsAVX512 is warpTokens.moved for n > 0 segments of quads of 16-bit topics;
// dst has room for seven records more than there are tokens.
//
//go:noescape
func movedQuadsAVX512(dst *uint64, records unsafe.Pointer, begins *int, segments *warpSegment, n int) int

// records makes arguments for n segments or tokens, the first token being token
// first, and says whether records have 64 bits. ok says whether the assembly can do
// anything.
func (t *warpTokens[T]) records(c *warpColumns, n, first int) (a warpRecords, wide, ok bool) {
	if n == 0 {
		return a, false, false
	}
	records, shift, width, ok := t.raw(first)
	if !ok {
		return a, false, false
	}
	a = warpRecords{
		records: records, at: &c.at[0], block: &c.block[0], z: &c.z[0], n: n, width: width,
		proposal: [3]*uint32{&c.old[0], &c.old[0], &c.old[0]},
	}
	for j, column := range c.proposal {
		a.proposal[j] = &column[0]
	}
	return a, shift == 3, true
}

// loadVector does the work of load if it can.
func (t *warpTokens[T]) loadVector(c *warpColumns, segments []warpSegment) (n int, done bool) {
	a, wide, ok := t.records(c, len(segments), 0)
	if !ok {
		return 0, false
	}
	a.segments, a.begins = &segments[0], &t.begins[0]
	if wide {
		return load64AVX512(&a), true
	}
	return load32AVX512(&a), true
}

// storeVector does the work of store if it can.
func (t *warpTokens[T]) storeVector(c *warpColumns, segments []warpSegment) (done bool) {
	a, wide, ok := t.records(c, len(segments), 0)
	if !ok {
		return false
	}
	a.segments, a.begins = &segments[0], &t.begins[0]
	if t.keepsOld() {
		a.proposal[2] = &c.own[0] // the doc phase takes it along
	}
	if wide {
		store64AVX512(&a)
	} else {
		store32AVX512(&a)
	}
	return true
}

// loadDocVector does the work of loadDoc if it can.
func (t *warpTokens[T]) loadDocVector(c *warpColumns, b int, places []uint16) (done bool) {
	a, wide, ok := t.records(c, len(places), t.begins[b])
	if !ok {
		return false
	}
	a.places, a.number = &places[0], uint32(b)
	if wide {
		loadDoc64AVX512(&a)
	} else {
		loadDoc32AVX512(&a)
	}
	return true
}

// storeDocVector does the work of storeDoc if it can.
func (t *warpTokens[T]) storeDocVector(c *warpColumns, b, n int) (done bool) {
	a, wide, ok := t.records(c, n, t.begins[b])
	if !ok {
		return false
	}
	if wide {
		storeDoc64AVX512(&a)
	} else {
		storeDoc32AVX512(&a)
	}
	return true
}

// movedVector does the work of moved if it can.
func (t *warpTokens[T]) movedVector(dst []uint64, segments []warpSegment) (n int, done bool) {
	if !simd.AVX512 || len(segments) == 0 {
		return 0, false
	}
	return movedQuadsAVX512(&dst[0], unsafe.Pointer(&t.topics[0]), &t.begins[0], &segments[0], len(segments)), true
}
