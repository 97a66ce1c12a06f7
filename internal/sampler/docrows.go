package sampler

import "math"

// docRows holds n_dk and DNT_dk of the documents of one block.
type docRows struct {
	kpad int       // length of a row
	dnt  []float32 // documents × kpad: DNT_dk = (n_dk + α_k) / (n_k + Vβ)
	ndk  []uint16  // documents × kpad: n_dk, unless a document is too long for 16 bits
	wide []uint32  // documents × kpad: n_dk then, and nil otherwise
	kept []uint32  // memory of wide while it is nil
}

// reset makes rows of zeros for the documents between the given offsets.
func (r *docRows) reset(offsets []uint64) {
	cells := (len(offsets) - 1) * r.kpad
	r.dnt, r.wide = resize(r.dnt, cells), nil
	for d := range len(offsets) - 1 {
		if offsets[d+1]-offsets[d] > math.MaxUint16 {
			r.kept = resize(r.kept, cells)
			clear(r.kept)
			r.wide = r.kept
			return
		}
	}
	r.ndk = resize(r.ndk, cells)
	clear(r.ndk)
}

// count adds the tokens of a block: their documents, relative to the block, and
// their topics.
func (r *docRows) count(docs, topics []uint16) {
	if r.wide != nil {
		countTokens(r.wide, r.kpad, docs, topics)
	} else {
		countTokens(r.ndk, r.kpad, docs, topics)
	}
}

func countTokens[C uint16 | uint32](ndk []C, kpad int, docs, topics []uint16) {
	topics = topics[:len(docs)]
	for i, d := range docs {
		ndk[int(d)*kpad+int(topics[i])]++
	}
}

// compute computes DNT_dk of all documents.
func (r *docRows) compute(alpha, inv []float32) {
	for i := 0; i < len(r.dnt); i += r.kpad {
		if r.wide != nil {
			dntRowGo(r.dnt[i:i+r.kpad], r.wide[i:i+r.kpad], alpha, inv)
		} else {
			dntRow(r.dnt[i:i+r.kpad], r.ndk[i:i+r.kpad], alpha, inv)
		}
	}
}

// at returns n_dk.
func (r *docRows) at(doc, k int) uint32 {
	if r.wide != nil {
		return r.wide[doc*r.kpad+k]
	}
	return uint32(r.ndk[doc*r.kpad+k])
}

// addTo adds n_dk to sums, element by element.
func (r *docRows) addTo(sums []uint32) {
	if r.wide != nil {
		for i, n := range r.wide {
			sums[i] += n
		}
		return
	}
	for i, n := range r.ndk {
		sums[i] += uint32(n)
	}
}
