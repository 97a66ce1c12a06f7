//go:build amd64 && !noasm

package sampler

import "github.com/topoi-lda/topoi/internal/simd"

// warpPairs are the arguments of the assembly: tokens of one topic and one
// proposal of 16 bits each.
type warpPairs struct {
	pairs                  *uint32 // all tokens, or those of the block
	at, block, z, proposal *uint32 // columns
	segments               *warpSegment
	begins                 *int    // first token of each block
	places                 *uint16 // of a document's tokens
	n                      int     // segments or tokens
	number                 uint32  // of the document's block
}

// loadPairsAVX512 is warpTokens.load for n > 0 segments; it returns the number of tokens.
//
//go:noescape
func loadPairsAVX512(a *warpPairs) int

// storePairsAVX512 is warpTokens.store for n > 0 segments.
//
//go:noescape
func storePairsAVX512(a *warpPairs)

// loadDocPairsAVX512 is warpTokens.loadDoc for n > 0 tokens.
//
//go:noescape
func loadDocPairsAVX512(a *warpPairs)

// storeDocPairsAVX512 is warpTokens.storeDoc for n > 0 tokens.
//
//go:noescape
func storeDocPairsAVX512(a *warpPairs)

// usable says whether there is something that the assembly can do.
func usable(pairs []uint32, n int) bool { return simd.AVX512 && pairs != nil && n > 0 }

func pairsOf(c *warpColumns, pairs *uint32, n int) warpPairs {
	return warpPairs{pairs: pairs, at: &c.at[0], block: &c.block[0], z: &c.z[0], proposal: &c.proposal[0][0], n: n}
}

// loadPairs does the work of load if it can. pairs is nil if tokens are not pairs.
func loadPairs(c *warpColumns, segments []warpSegment, pairs []uint32, begins []int) (n int, done bool) {
	if !usable(pairs, len(segments)) {
		return 0, false
	}
	a := pairsOf(c, &pairs[0], len(segments))
	a.segments, a.begins = &segments[0], &begins[0]
	return loadPairsAVX512(&a), true
}

// storePairs does the work of store if it can.
func storePairs(c *warpColumns, segments []warpSegment, pairs []uint32, begins []int) (done bool) {
	if !usable(pairs, len(segments)) {
		return false
	}
	a := pairsOf(c, &pairs[0], len(segments))
	a.segments, a.begins = &segments[0], &begins[0]
	storePairsAVX512(&a)
	return true
}

// loadDocPairs does the work of loadDoc if it can.
func loadDocPairs(c *warpColumns, b int, places []uint16, pairs []uint32, begins []int) (done bool) {
	if !usable(pairs, len(places)) {
		return false
	}
	a := pairsOf(c, &pairs[begins[b]], len(places))
	a.places, a.number = &places[0], uint32(b)
	loadDocPairsAVX512(&a)
	return true
}

// storeDocPairs does the work of storeDoc if it can.
func storeDocPairs(c *warpColumns, b, n int, pairs []uint32, begins []int) (done bool) {
	if !usable(pairs, n) {
		return false
	}
	a := pairsOf(c, &pairs[begins[b]], n)
	storeDocPairsAVX512(&a)
	return true
}
