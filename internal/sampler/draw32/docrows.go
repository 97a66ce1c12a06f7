package draw32

import (
	"math"

	"github.com/topoi-lda/topoi/internal/alloc"
)

// DocRows holds n_dk and DNT_dk of the documents of one block.
type DocRows struct {
	Kpad int       // length of a row
	Dnt  []float32 // documents × kpad: DNT_dk = (n_dk + α_k) / (n_k + Vβ)
	Ndk  []uint16  // documents × kpad: n_dk, unless a document is too long for 16 bits
	Wide []uint32  // documents × kpad: n_dk then, and nil otherwise
	kept []uint32  // memory of wide while it is nil
}

// Reset makes rows of zeros for the documents between the given offsets.
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

// longest is the most tokens of a document, or of all if no document can have too many.
func longest(offsets []uint64) (most uint64) {
	if all := offsets[len(offsets)-1] - offsets[0]; all <= math.MaxUint16 {
		return all
	}
	for d, end := range offsets[1:] {
		most = max(most, end-offsets[d])
	}
	return most
}

// Count adds the tokens of a block: their documents, relative to the block, and
// their topics.
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

// Compute computes DNT_dk of all documents.
func (r *DocRows) Compute(alpha, inv []float32) {
	for i := 0; i < len(r.Dnt); i += r.Kpad {
		if r.Wide != nil {
			dntRowGo(r.Dnt[i:i+r.Kpad], r.Wide[i:i+r.Kpad], alpha, inv)
		} else {
			dntRow(r.Dnt[i:i+r.Kpad], r.Ndk[i:i+r.Kpad], alpha, inv)
		}
	}
}

// Tally adds one to h[k][n_dk] for every topic k of every document, and makes n_dk 0. It goes by the
// tokens that were counted: they are fewer than the cells where documents are short or topics many.
func (r *DocRows) Tally(h [][]uint32, docs, topics []uint16) {
	if r.Wide != nil {
		tallyTokens(h, r.Wide, r.Kpad, docs, topics)
	} else {
		tallyTokens(h, r.Ndk, r.Kpad, docs, topics)
	}
}

func tallyTokens[C uint16 | uint32](h [][]uint32, ndk []C, kpad int, docs, topics []uint16) {
	topics = topics[:len(docs)]
	for i, d := range docs {
		k := int(topics[i])
		n := int(ndk[int(d)*kpad+k])
		if n == 0 {
			continue
		}
		ndk[int(d)*kpad+k] = 0
		if n >= len(h[k]) {
			h[k] = append(h[k], make([]uint32, n+1-len(h[k]))...)
		}
		h[k][n]++
	}
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
