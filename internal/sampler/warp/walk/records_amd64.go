//go:build amd64 && !noasm

package walk

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

// recordArgs are the arguments of the assembly that copies tokens between memory and columns. Records have 32
// bits (a topic and one proposal, or two if topics are few) or 64 bits (a topic and two or three proposals).
type recordArgs struct {
	records      unsafe.Pointer // all tokens, or those of the block
	at, block, z *uint32        // columns
	proposal     [3]*uint32     // columns; old stands in for missing ones
	segments     *Segment
	begins       *int    // first token of each block
	places       *uint16 // of a document's tokens
	n            int     // segments or tokens, above 0
	number       uint32  // of the document's block
	width        uint64  // bits of a topic
}

// load32AVX512 is Tokens.Load for records of 32 bits; it returns the number of tokens.
//
//go:noescape
func load32AVX512(a *recordArgs) int

// store32AVX512 is Tokens.Store for records of 32 bits.
//
//go:noescape
func store32AVX512(a *recordArgs)

// loadDoc32AVX512 is Tokens.LoadDoc for records of 32 bits.
//
//go:noescape
func loadDoc32AVX512(a *recordArgs)

// storeDoc32AVX512 is Tokens.StoreDoc for records of 32 bits.
//
//go:noescape
func storeDoc32AVX512(a *recordArgs)

// load64AVX512 is Tokens.Load for records of 64 bits; it returns the number of tokens.
//
//go:noescape
func load64AVX512(a *recordArgs) int

// store64AVX512 is Tokens.Store for records of 64 bits.
//
//go:noescape
func store64AVX512(a *recordArgs)

// loadDoc64AVX512 is Tokens.LoadDoc for records of 64 bits.
//
//go:noescape
func loadDoc64AVX512(a *recordArgs)

// storeDoc64AVX512 is Tokens.StoreDoc for records of 64 bits.
//
//go:noescape
func storeDoc64AVX512(a *recordArgs)

// raw returns the records from token first on, the logarithm of their size and the bits of a topic. ok is
// false if there is no assembly for them.
func raw[T Topic](t *Tokens[T], first int) (records unsafe.Pointer, shift, width uint64, ok bool) {
	switch {
	case !simd.AVX512:
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

// movedQuadsAVX512 is Tokens.moved for n > 0 segments of records of four 16-bit topics. dst must have space
// for seven more records than there are tokens. most is MostTokens.
//
//go:noescape
func movedQuadsAVX512(dst *uint64, records unsafe.Pointer, begins *int, segments *Segment, n,
	most int) (moved, taken int)

// records returns the arguments for n segments or tokens, from token first on, and whether records have 64
// bits. ok is false if there is no assembly for them.
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

// loadVector is Load in assembly; it returns false if there is none.
func loadVector[T Topic](t *Tokens[T], c *Columns, segments []Segment) (n int, done bool) {
	a, wide, ok := records(t, c, len(segments), 0)
	if !ok {
		return 0, false
	}
	a.segments, a.begins = &segments[0], &t.Begins[0]
	if wide {
		return load64AVX512(&a), true
	}
	return load32AVX512(&a), true
}

// storeVector is Store in assembly; it returns false if there is none.
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
		store64AVX512(&a)
	} else {
		store32AVX512(&a)
	}
	return true
}

// loadDocVector is LoadDoc in assembly; it returns false if there is none.
func loadDocVector[T Topic](t *Tokens[T], c *Columns, b int, places []uint16) (done bool) {
	a, wide, ok := records(t, c, len(places), t.Begins[b])
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

// storeDocVector is StoreDoc in assembly; it returns false if there is none.
func storeDocVector[T Topic](t *Tokens[T], c *Columns, b, n int) (done bool) {
	a, wide, ok := records(t, c, n, t.Begins[b])
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

// movedVector is moved in assembly; it returns false if there is none.
func movedVector[T Topic](t *Tokens[T], dst []uint64, segments []Segment) (n, taken int, done bool) {
	if !simd.AVX512 || len(segments) == 0 {
		return 0, 0, false
	}
	n, taken = movedQuadsAVX512(&dst[0], unsafe.Pointer(&t.Topics[0]), &t.Begins[0], &segments[0], len(segments),
		MostTokens)
	return n, taken, true
}
