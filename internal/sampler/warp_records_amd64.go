//go:build amd64 && !noasm

package sampler

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

// warpRecords are the arguments of the assembly that moves tokens between memory
// and columns: pairs of 16-bit topics (a topic and one proposal), or quads (two
// or three proposals), whose 64 bits may also hold three wider ones.
type warpRecords struct {
	records      unsafe.Pointer // all tokens, or those of the block
	at, block, z *uint32        // columns
	proposal     [3]*uint32     // columns; that of old topics in place of those that are not there
	segments     *warpSegment
	begins       *int    // first token of each block
	places       *uint16 // of a document's tokens
	n            int     // segments or tokens, above 0
	number       uint32  // of the document's block
	width        uint64  // bits of a topic, for quads
}

// loadPairsAVX512 is warpTokens.load for pairs; it returns the number of tokens.
//
//go:noescape
func loadPairsAVX512(a *warpRecords) int

// storePairsAVX512 is warpTokens.store for pairs.
//
//go:noescape
func storePairsAVX512(a *warpRecords)

// loadDocPairsAVX512 is warpTokens.loadDoc for pairs.
//
//go:noescape
func loadDocPairsAVX512(a *warpRecords)

// storeDocPairsAVX512 is warpTokens.storeDoc for pairs.
//
//go:noescape
func storeDocPairsAVX512(a *warpRecords)

// loadQuadsAVX512 is warpTokens.load for quads; it returns the number of tokens.
//
//go:noescape
func loadQuadsAVX512(a *warpRecords) int

// storeQuadsAVX512 is warpTokens.store for quads.
//
//go:noescape
func storeQuadsAVX512(a *warpRecords)

// loadDocQuadsAVX512 is warpTokens.loadDoc for quads.
//
//go:noescape
func loadDocQuadsAVX512(a *warpRecords)

// storeDocQuadsAVX512 is warpTokens.storeDoc for quads.
//
//go:noescape
func storeDocQuadsAVX512(a *warpRecords)

// records makes arguments for n segments or tokens, the first token being token
// first. ok says whether the assembly can do anything.
func (t *warpTokens[T]) records(c *warpColumns, n, first int) (a warpRecords, ok bool) {
	narrow := unsafe.Sizeof(T(0)) == 2 && (t.stride == 2 || t.stride == 4)
	if !simd.AVX512 || n == 0 || !narrow && t.packed == nil {
		return a, false
	}
	a = warpRecords{
		at: &c.at[0], block: &c.block[0], z: &c.z[0], n: n, width: 16,
		proposal: [3]*uint32{&c.old[0], &c.old[0], &c.old[0]},
	}
	if t.packed != nil {
		a.records, a.width = unsafe.Pointer(&t.packed[first]), packedBits
	} else {
		a.records = unsafe.Pointer(&t.topics[first*t.stride])
	}
	for j, column := range c.proposal {
		a.proposal[j] = &column[0]
	}
	return a, true
}

// loadVector does the work of load if it can.
func (t *warpTokens[T]) loadVector(c *warpColumns, segments []warpSegment) (n int, done bool) {
	a, ok := t.records(c, len(segments), 0)
	if !ok {
		return 0, false
	}
	a.segments, a.begins = &segments[0], &t.begins[0]
	if t.stride == 2 {
		return loadPairsAVX512(&a), true
	}
	return loadQuadsAVX512(&a), true
}

// storeVector does the work of store if it can.
func (t *warpTokens[T]) storeVector(c *warpColumns, segments []warpSegment) (done bool) {
	a, ok := t.records(c, len(segments), 0)
	if !ok {
		return false
	}
	a.segments, a.begins = &segments[0], &t.begins[0]
	if t.keepsOld() {
		a.proposal[2] = &c.own[0] // the doc phase takes it along
	}
	if t.stride == 2 {
		storePairsAVX512(&a)
	} else {
		storeQuadsAVX512(&a)
	}
	return true
}

// loadDocVector does the work of loadDoc if it can.
func (t *warpTokens[T]) loadDocVector(c *warpColumns, b int, places []uint16) (done bool) {
	a, ok := t.records(c, len(places), t.begins[b])
	if !ok {
		return false
	}
	a.places, a.number = &places[0], uint32(b)
	if t.stride == 2 {
		loadDocPairsAVX512(&a)
	} else {
		loadDocQuadsAVX512(&a)
	}
	return true
}

// storeDocVector does the work of storeDoc if it can.
func (t *warpTokens[T]) storeDocVector(c *warpColumns, b, n int) (done bool) {
	a, ok := t.records(c, n, t.begins[b])
	if !ok {
		return false
	}
	if t.stride == 2 {
		storeDocPairsAVX512(&a)
	} else {
		storeDocQuadsAVX512(&a)
	}
	return true
}
