package batch

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
)

// Groups of documents have priors of their own. A group that may have all topics has a row of α, and its documents are
// drawn as those without groups are. Documents of a group with few topics are drawn from these alone:
//
//	p(z = k) ∝ (n_dk + α_gk) / (n_k + Vβ) · (n_wk + β)    for k among the topics of the group
//
// by running sums in float64 in the order of the topics. n_wk and n_k are those before the mini-batch, as for all
// documents.

// groupDraws is the scratch of a goroutine for draws by the priors of groups.
type groupDraws struct {
	s       *batchState
	alphaAt []uint32  // documents of the block: where α of each begins; empty without groups
	order   []uint16  // tokens of a tile whose documents may have all topics
	weights []float64 // n_dk + α_k of documents of few topics
	few     []fewDoc  // documents of the block
	sums    []float64 // scratch of their draws
}

// findAlpha sets w.alphaAt for the documents of a block: nil without groups.
func (w *groupDraws) findAlpha(b grid.Block) {
	if w.alphaAt = w.alphaAt[:0]; w.s.p.Groups == nil {
		return
	}
	for _, g := range w.s.p.Groups[b.FirstDoc:b.LastDoc] {
		w.alphaAt = append(w.alphaAt, w.s.alphaAt[g])
	}
}

// drawn returns the tokens of a tile, in the order of draws, whose documents may have all topics, and the number of
// quads.
func (w *groupDraws) drawn(order, docs []uint16, quads int) ([]uint16, int) {
	if !w.s.few {
		return order, quads
	}
	w.order = w.order[:0]
	for _, i := range order {
		if w.alphaAt[docs[i]] != partial {
			w.order = append(w.order, i)
		}
	}
	return w.order, 0
}

// drawFew draws the tokens of a block whose documents have few topics.
func (w *groupDraws) drawFew(b grid.Block, random []uint32, beta float64) {
	s := w.s
	groups, docs, z := s.p.Groups[b.FirstDoc:b.LastDoc], s.grid.Docs[b.Begin:b.End], s.z[b.Begin:b.End]
	w.few = alloc.Resize(w.few, len(groups))
	w.weights = w.weights[:0]
	for d, g := range groups {
		w.few[d] = fewDoc{begin: len(w.weights)}
		if topics := s.groups[g].Topics; w.alphaAt[d] == partial && len(topics) > 1 {
			w.few[d].topics, w.weights = topics, append(w.weights, s.groups[g].Alpha...)
		}
	}
	for i, d := range docs {
		if doc := &w.few[d]; doc.topics != nil {
			w.weights[doc.begin+place(doc.topics, z[i])]++
		}
	}
	for _, seg := range s.grid.Segments[b.FirstSeg:b.LastSeg] {
		row := s.row(seg.Word)
		for i := seg.Begin; i < seg.End; i++ {
			if doc := &w.few[docs[i]]; doc.topics != nil {
				weights := w.weights[doc.begin:][:len(doc.topics)]
				z[i] = w.drawOf(doc.topics, weights, row, z[i], beta, float64(rng.Float32(random[i])))
			}
		}
	}
}

// fewDoc is a document of few topics. It has none if its tokens are not to be drawn.
type fewDoc struct {
	topics []uint32
	begin  int // of its weights
}

// place returns the number of a topic in a list that has it.
func place(topics []uint32, k uint16) int {
	if len(topics) > 16 {
		at, _ := slices.BinarySearch(topics, uint32(k))
		return at
	}
	at := 0
	for topics[at] < uint32(k) {
		at++
	}
	return at
}

// drawOf draws the topic of a token among a few. weights are n_dk + α_k, which it keeps up to date.
func (w *groupDraws) drawOf(topics []uint32, weights []float64, row []int32, old uint16, beta, u float64) uint16 {
	inv, at := w.s.inv, place(topics, old)
	kept := weights[at] // with the token
	if w.s.p.Tuning.OwnCount != "in" {
		n := float64(row[old]) + beta
		weights[at] = (kept - 1) * (n - 1) / n // as if it was neither here nor in the row
	}
	sum, sums := 0.0, alloc.Resize(w.sums, len(topics))
	for j, k := range topics {
		sum += float64(weights[j] * float64(inv[k]) * (float64(row[k]) + beta))
		sums[j] = sum
	}
	j, target := 0, u*sum
	for j < len(sums)-1 && sums[j] <= target {
		j++
	}
	weights[at] = kept - 1
	weights[j]++
	w.sums = sums
	return uint16(topics[j])
}
