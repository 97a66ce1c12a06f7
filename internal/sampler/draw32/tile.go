package draw32

import (
	"math"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
)

//go:generate go run ../../../tools/kernels .

// How the assembly, which sees constants through go_asm.h, finds the word of a segment.
const (
	//lint:ignore U1000 used by the assembly
	segmentBytes = unsafe.Sizeof(grid.Segment{})
	//lint:ignore U1000 used by the assembly
	segmentWord = unsafe.Offsetof(grid.Segment{}.Word)
)

// TileArgs is the input of DrawTile: the tokens of a few words in one block.
type TileArgs struct {
	Topics   int       // K
	LaneMask uint32    // a bit for every lane but the last in use
	Own      float32   // how much of the row is the token's own: 1, or 0 when the row does not contain it
	OwnIn    bool      // leave the token's own count in all counts; portable Go only
	Kpad     int       // K rounded up to whole groups of lanes
	Dnt      []float32 // documents × kpad: DNT_dk, kept up to date
	Ndk      []uint16  // documents × kpad: n_dk, kept up to date
	Wide     []uint32  // the same for documents too long for 16 bits, and then ndk is not used; portable Go only
	Rows     []float32 // words × kpad: n_wk + β
	Alpha    []float32 // α of all groups of documents, kpad each
	AlphaAt  []uint32  // documents: where α of each begins in Alpha; empty: all have the first
	DocMask  uint32    // set by DrawTile: all ones, or 0 where one number of AlphaAt is for all documents
	Inv      []float32 // kpad
	RowOf    []uint16  // the word of each token, as its place in rows
	Docs     []uint16  // the document of each token
	Z        []uint16  // the topic of each token, replaced
	Random   []uint32  // 32 random bits per token
	Order    []uint16  // the tokens in the order in which to draw them
	Quads    int       // so many times, the next four tokens of order are of four documents
	Table    []int32   // n_wk, rows of stride values
	Stride   int
	Next     []grid.Segment // words whose rows of the table will be wanted soon: a hint
	Cum      []float32      // 4·(kpad + 4·lanes), on a 64-byte boundary: running sums of up to four tokens
	Prefix   []float32      // 4·48, on a 64-byte boundary, zero before use: scratch of the assembly
}

// oneAlpha is the AlphaAt of documents that share one α.
var oneAlpha = []uint32{0}

// DrawTile draws the tokens of a tile with the fastest code for this machine.
func DrawTile(a *TileArgs) {
	if a.DocMask = math.MaxUint32; len(a.AlphaAt) == 0 {
		a.AlphaAt, a.DocMask = oneAlpha, 0
	}
	if a.OwnIn || a.Wide != nil {
		drawTileGo(a)
	} else {
		drawTileFast(a)
	}
}

// drawTileGo draws the tokens of a tile one after the other. It is the specification of the assembly versions.
func drawTileGo(a *TileArgs) {
	if a.Wide != nil {
		drawTokens(a, a.Wide)
	} else {
		drawTokens(a, a.Ndk)
	}
}

// drawTokens is drawTileGo for one width of n_dk.
func drawTokens[C uint16 | uint32](a *TileArgs, ndk []C) {
	kpad := a.Kpad
	for _, i := range a.Order {
		doc, word := int(a.Docs[i]), int(a.RowOf[i])
		d := a.Dnt[doc*kpad : (doc+1)*kpad]
		n := ndk[doc*kpad : (doc+1)*kpad]
		row := a.Rows[word*kpad : (word+1)*kpad]
		alpha := a.Alpha[a.AlphaAt[uint32(doc)&a.DocMask]:]
		old := uint32(a.Z[i])

		without := (float32(n[old]-1) + alpha[old]) * a.Inv[old]
		delta := float32(d[old]*row[old]) - float32(without*(row[old]-a.Own))
		if a.OwnIn {
			delta = 0
		}
		k := Draw(d, row, a.Cum, a.Topics, old, delta, rng.Float32(a.Random[i]))

		n[old]--
		d[old] = without
		n[k]++
		d[k] = (float32(n[k]) + alpha[k]) * a.Inv[k]
		a.Z[i] = uint16(k)
	}
}

// FloatRowGo computes n_wk + β for one word.
func FloatRowGo(dst []float32, nwk []int32, beta float32) {
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

// DocRows holds n_dk and DNT_dk of the documents of one block.
type DocRows struct {
	Kpad int       // length of a row
	Dnt  []float32 // documents × kpad: DNT_dk = (n_dk + α_k) / (n_k + Vβ)
	Ndk  []uint16  // documents × kpad: n_dk, unless a document is too long for 16 bits
	Wide []uint32  // documents × kpad: n_dk then, and nil otherwise
	kept []uint32  // memory of wide while it is nil
}

// Reset sets the rows of the documents between the given offsets to zero.
func (r *DocRows) Reset(offsets []uint64) {
	cells := (len(offsets) - 1) * r.Kpad
	r.Dnt, r.Wide = alloc.Resize(r.Dnt, cells), nil
	if longest(offsets) > math.MaxUint16 {
		r.kept = alloc.Resize(r.kept, cells)
		clear(r.kept)
		r.Wide = r.kept
		return
	}
	r.Ndk = alloc.Resize(r.Ndk, cells)
	clear(r.Ndk)
}

// longest returns the largest number of tokens of a document, or the number of all tokens if that fits 16 bits.
func longest(offsets []uint64) (most uint64) {
	if all := offsets[len(offsets)-1] - offsets[0]; all <= math.MaxUint16 {
		return all
	}
	for d, end := range offsets[1:] {
		most = max(most, end-offsets[d])
	}
	return most
}

// Count adds the tokens of a block: their documents, relative to the block, and their topics.
func (r *DocRows) Count(docs, topics []uint16) {
	if r.Wide != nil {
		countTokens(r.Wide, r.Kpad, docs, topics)
	} else {
		countTokens(r.Ndk, r.Kpad, docs, topics)
	}
}

func countTokens[C uint16 | uint32](ndk []C, kpad int, docs, topics []uint16) {
	topics = topics[:len(docs)]
	for i, d := range docs {
		ndk[int(d)*kpad+int(topics[i])]++
	}
}

// Compute computes DNT_dk of all documents. at says where the α of each document begins in alpha. If at is
// empty, all documents have the first. A document whose α begins beyond the end of alpha is skipped.
func (r *DocRows) Compute(alpha []float32, at []uint32, inv []float32) {
	all := alpha
	for i := 0; i < len(r.Dnt); i += r.Kpad {
		if len(at) > 0 {
			if int(at[i/r.Kpad]) >= len(all) {
				continue
			}
			alpha = all[at[i/r.Kpad]:]
		}
		if r.Wide != nil {
			dntRowGo(r.Dnt[i:i+r.Kpad], r.Wide[i:i+r.Kpad], alpha, inv)
		} else {
			dntRow(r.Dnt[i:i+r.Kpad], r.Ndk[i:i+r.Kpad], alpha, inv)
		}
	}
}

// Tally adds one to h[k][n_dk] for every topic k of every document, and sets n_dk to 0. It goes through the
// counted tokens, which are fewer than the cells if documents are short or topics many. It adds to groups
// instead, if there are any; cells are the first ones of each document's group.
func (r *DocRows) Tally(h [][]uint32, groups *counts.Tally, cells []uint32, docs, topics []uint16) {
	if r.Wide != nil {
		tallyTokens(h, groups, cells, r.Wide, r.Kpad, docs, topics)
	} else {
		tallyTokens(h, groups, cells, r.Ndk, r.Kpad, docs, topics)
	}
}

func tallyTokens[C uint16 | uint32](h [][]uint32, groups *counts.Tally, cells []uint32, ndk []C, kpad int, docs,
	topics []uint16,
) {
	topics = topics[:len(docs)]
	for i, d := range docs {
		k := int(topics[i])
		n := int(ndk[int(d)*kpad+k])
		if n == 0 {
			continue
		}
		ndk[int(d)*kpad+k] = 0
		if groups != nil {
			groups.Count(cells[d]+uint32(k), uint32(n))
		} else {
			tally(&h[k], n)
		}
	}
}

// tally increments h[n].
func tally(h *[]uint32, n int) {
	if n >= len(*h) {
		*h = append(*h, make([]uint32, n+1-len(*h))...)
	}
	(*h)[n]++
}

// AddTo adds n_dk to sums, element by element.
func (r *DocRows) AddTo(sums []uint32) {
	if r.Wide != nil {
		for i, n := range r.Wide {
			sums[i] += n
		}
		return
	}
	for i, n := range r.Ndk {
		sums[i] += uint32(n)
	}
}
