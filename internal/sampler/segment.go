package sampler

import "github.com/topoi-lda/topoi/internal/rng"

// segmentArgs is the work of drawSegment: the tokens of one word in one block.
type segmentArgs struct {
	topics     int       // K
	laneMask   uint32    // a bit for every lane but the last in use
	own        float32   // how much of the row is the token's own: 1, or 0 when the row does not contain it
	dnt        []float32 // documents × kpad: DNT_dk, kept up to date
	ndk        []uint16  // documents × kpad: n_dk, kept up to date
	row        []float32 // kpad: n_wk + β
	cum        []float32 // kpad: scratch
	alpha, inv []float32 // kpad
	z          []uint16  // topics of the tokens, replaced
	docs       []uint16  // documents of the tokens
	ownIn      bool      // leave the token's own count in all counts; portable Go only
	random     []uint32  // 32 random bits per token
	prefix     []float32 // 48 values on a 64-byte boundary, zero before use: scratch of the assembly
}

// drawSegment draws the tokens of a segment one after the other by the fastest
// code this machine has.
func drawSegment(a *segmentArgs) {
	if a.ownIn {
		drawSegmentGo(a)
	} else {
		drawSegmentFast(a)
	}
}

// drawSegmentGo draws the tokens of a segment one after the other. It is the
// specification of the assembly versions.
func drawSegmentGo(a *segmentArgs) {
	kpad := len(a.row)
	for i, doc := range a.docs {
		d := a.dnt[int(doc)*kpad : (int(doc)+1)*kpad]
		n := a.ndk[int(doc)*kpad : (int(doc)+1)*kpad]
		old := uint32(a.z[i])

		without := (float32(n[old]-1) + a.alpha[old]) * a.inv[old]
		delta := float32(d[old]*a.row[old]) - float32(without*(a.row[old]-a.own))
		if a.ownIn {
			delta = 0
		}
		k := draw32(d, a.row, a.cum, a.topics, old, delta, rng.Float32(a.random[i]))

		n[old]--
		d[old] = without
		n[k]++
		d[k] = (float32(n[k]) + a.alpha[k]) * a.inv[k]
		a.z[i] = uint16(k)
	}
}
