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
	for d := range len(offsets) - 1 {
		if offsets[d+1]-offsets[d] > math.MaxUint16 {
			r.kept = alloc.Resize(r.kept, cells)
			clear(r.kept)
			r.Wide = r.kept
			return
		}
	}
	r.Ndk = alloc.Resize(r.Ndk, cells)
	clear(r.Ndk)
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

// Take calls f with the topics of every document and their n_dk, which become 0. It goes by the
// tokens that were counted: they are fewer than the cells where documents are short or topics many.
func (r *DocRows) Take(docs, topics []uint16, f func(k uint16, n uint32)) {
	if r.Wide != nil {
		takeTokens(r.Wide, r.Kpad, docs, topics, f)
	} else {
		takeTokens(r.Ndk, r.Kpad, docs, topics, f)
	}
}

func takeTokens[C uint16 | uint32](ndk []C, kpad int, docs, topics []uint16, f func(k uint16, n uint32)) {
	topics = topics[:len(docs)]
	for i, d := range docs {
		if cell := &ndk[int(d)*kpad+int(topics[i])]; *cell > 0 {
			f(topics[i], uint32(*cell))
			*cell = 0
		}
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
