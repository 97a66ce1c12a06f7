package sampler

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
)

// How the assembly, which sees constants through go_asm.h, finds the word of a
// segment.
const (
	//lint:ignore U1000 used by the assembly
	segmentBytes = unsafe.Sizeof(grid.Segment{})
	//lint:ignore U1000 used by the assembly
	segmentWord = unsafe.Offsetof(grid.Segment{}.Word)
)

// chunkArgs is the work of drawChunk: the tokens of a few words in one block.
type chunkArgs struct {
	topics     int       // K
	laneMask   uint32    // a bit for every lane but the last in use
	own        float32   // how much of the row is the token's own: 1, or 0 when the row does not contain it
	ownIn      bool      // leave the token's own count in all counts; portable Go only
	kpad       int       // K rounded up to whole groups of lanes
	dnt        []float32 // documents × kpad: DNT_dk, kept up to date
	ndk        []uint16  // documents × kpad: n_dk, kept up to date
	wide       []uint32  // the same for documents too long for 16 bits, and then ndk is not used; portable Go only
	rows       []float32 // words × kpad: n_wk + β
	alpha, inv []float32 // kpad
	rowOf      []uint16  // the word of each token, as its place in rows
	docs       []uint16  // the document of each token
	z          []uint16  // the topic of each token, replaced
	random     []uint32  // 32 random bits per token
	order      []uint16  // the tokens in the order in which to draw them
	quads      int       // so many times, the next four tokens of order are of four documents
	table      []int32   // n_wk, rows of stride values
	stride     int
	next       []grid.Segment // words whose rows of the table will be wanted soon: a hint
	cum        []float32      // 4·(kpad + 4·lanes), on a 64-byte boundary: running sums of up to four tokens
	prefix     []float32      // 4·48, on a 64-byte boundary, zero before use: scratch of the assembly
}

// drawChunk draws the tokens of a chunk by the fastest code this machine has.
func drawChunk(a *chunkArgs) {
	if a.ownIn || a.wide != nil {
		drawChunkGo(a)
	} else {
		drawChunkFast(a)
	}
}

// drawChunkGo draws the tokens of a chunk one after the other. It is the
// specification of the assembly versions.
func drawChunkGo(a *chunkArgs) {
	if a.wide != nil {
		drawTokens(a, a.wide)
	} else {
		drawTokens(a, a.ndk)
	}
}

// drawTokens is drawChunkGo for one width of n_dk.
func drawTokens[C uint16 | uint32](a *chunkArgs, ndk []C) {
	kpad := a.kpad
	for _, i := range a.order {
		doc, word := int(a.docs[i]), int(a.rowOf[i])
		d := a.dnt[doc*kpad : (doc+1)*kpad]
		n := ndk[doc*kpad : (doc+1)*kpad]
		row := a.rows[word*kpad : (word+1)*kpad]
		old := uint32(a.z[i])

		without := (float32(n[old]-1) + a.alpha[old]) * a.inv[old]
		delta := float32(d[old]*row[old]) - float32(without*(row[old]-a.own))
		if a.ownIn {
			delta = 0
		}
		k := draw32(d, row, a.cum, a.topics, old, delta, rng.Float32(a.random[i]))

		n[old]--
		d[old] = without
		n[k]++
		d[k] = (float32(n[k]) + a.alpha[k]) * a.inv[k]
		a.z[i] = uint16(k)
	}
}

// floatRowGo computes n_wk + β for one word.
func floatRowGo(dst []float32, nwk []int32, beta float32) {
	for k, n := range nwk {
		dst[k] = float32(n) + beta
	}
}

// dntRowGo computes DNT_dk = (n_dk + α_k) · inv_k for one document.
func dntRowGo[C uint16 | uint32](dst []float32, ndk []C, alpha, inv []float32) {
	for k := range dst {
		dst[k] = (float32(ndk[k]) + alpha[k]) * inv[k]
	}
}
