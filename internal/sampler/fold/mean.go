package fold

import (
	"math"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
)

// When a document has settled, and which topics it has. Smaller values changed no score of
// documents of 8 to 300 words with 20 to 1,000 topics.
const (
	meanTolerance = 0.01     // the part of a document's tokens that may move in the last round
	meanMost      = 100      // the most rounds over any document
	meanFirst     = 2        // the most rounds over a document of a few tokens
	meanEach      = 8        // tokens that allow another round
	meanPart      = 1.0 / 16 // a topic stays if it has this part of the average, N_d/K tokens,
	meanTokens    = 1.0 / 32 // or so many tokens
)

// mean finds the expected topics of a block's documents without random numbers, by
// zero-order collapsed variational inference with the model fixed:
//
//	γ_wk ∝ (n_dk − γ_wk + α_k) · φ_wk     n_dk = Σ_w c_w γ_wk
//
// for each distinct word w, c_w times in the document (Asuncion, Welling, Smyth and Teh,
// "On smoothing and inference for topic models", UAI 2009). With few words the rounds end
// before they settle: the words may agree on several topics, of which rounds choose one.
func (w *folder) mean(b grid.Block, result *foldResult) {
	w.place(b)
	w.loadProbabilities(b)
	for i, s := range w.g.Segments[b.FirstSeg:b.LastSeg] {
		for p := s.Begin; p < s.End; p++ {
			w.dealt[w.order[p]] = uint32(i)
		}
	}
	result.ends, result.sums = result.ends[:0], result.sums[:0]
	for d := b.FirstDoc; d < b.LastDoc; d++ {
		begin, end := int(w.offsets[d])-b.Begin, int(w.offsets[d+1])-b.Begin
		result.sums = w.settle(result.sums, w.dealt[begin:end])
		result.ends = append(result.ends, len(result.sums))
	}
}

// loadProbabilities sets wordRows to φ_wk of the block's words.
func (w *folder) loadProbabilities(b grid.Block) {
	segments := w.g.Segments[b.FirstSeg:b.LastSeg]
	w.wordRows = alloc.Resize(w.wordRows, len(segments)*w.kpad)
	beta := float32(w.f.Priors.Beta)
	for k, inv := range w.inv {
		w.cum[k] = beta * inv
	}
	for i, s := range segments {
		dst := w.wordRows[i*w.kpad : (i+1)*w.kpad]
		copy(dst, w.cum)
		w.row = w.f.Rows.AppendRow(w.row[:0], int(s.Word))
		for _, e := range w.row {
			dst[e.Topic] = float32(float32(float32(e.Count)+beta) * w.inv[e.Topic])
		}
	}
}

// settle goes over a document, given as the rows of its words in increasing order, until
// n_dk stays, and appends it.
func (w *folder) settle(dst []counts.Entry, rows []uint32) []counts.Entry {
	if len(rows) == 0 {
		return dst
	}
	w.begin(rows)
	tokens := float32(len(rows))
	least := min(meanTokens, meanPart*tokens/float32(w.k))
	for i := range min(meanMost, meanFirst+len(rows)/meanEach) {
		round(&w.shares)
		if w.moved <= meanTolerance*tokens {
			break
		}
		if i > 0 { // in the first round early words knew nothing of later ones
			w.narrow(least)
		}
	}
	return w.appendParts(dst, least, len(rows))
}

// appendParts appends the topics of the document that have the least or more of it. Their
// parts add up to all of its tokens: what other topics have is shared out.
func (w *folder) appendParts(dst []counts.Entry, least float32, tokens int) []counts.Entry {
	all := 0.0
	for _, n := range w.n[:len(w.slots)] {
		if n >= least {
			all += float64(n)
		}
	}
	sum, before := 0.0, 0.0
	for i, k := range w.slots {
		if n := w.n[i]; n >= least {
			sum += float64(n)
			now := math.Round(sum / all * float64(tokens) * unit)
			if now > before {
				dst = append(dst, counts.Entry{Topic: k, Count: uint32(min(now-before, math.MaxUint32))})
			}
			before = now
		}
	}
	return dst
}

// begin gives a slot to every topic, and no γ to any word.
func (w *folder) begin(rows []uint32) {
	s := &w.shares
	s.rows, s.width = w.wordRows, w.kpad
	s.counts, s.rowAt = s.counts[:0], s.rowAt[:0]
	for i, row := range rows {
		if i > 0 && rows[i-1] == row {
			s.counts[len(s.counts)-1]++
		} else {
			s.counts, s.rowAt = append(s.counts, 1), append(s.rowAt, int(row)*w.kpad)
		}
	}
	s.gamma = alloc.Resize(s.gamma, len(s.counts)*s.width)
	clear(s.gamma)
	s.n, s.x = alloc.Resize(s.n, s.width), alloc.Resize(s.x, s.width)
	clear(s.n)
	s.alpha, w.slots = append(s.alpha[:0], w.prior...), w.slots[:0]
	for k := range w.k {
		w.slots = append(w.slots, uint32(k))
	}
}

// narrow takes the slots of topics that have less than the least of the document, once
// half of the slots are theirs.
func (w *folder) narrow(least float32) {
	s := &w.shares
	w.kept = w.kept[:0]
	for i, n := range s.n[:len(w.slots)] {
		if n >= least {
			w.kept = append(w.kept, i)
		}
	}
	kept := len(w.kept)
	width := (kept + lanes - 1) / lanes * lanes
	if width > s.width/2 {
		return
	}
	for to, i := range w.kept {
		w.slots[to], s.alpha[to], s.n[to] = w.slots[i], s.alpha[i], s.n[i]
	}
	w.slots = w.slots[:kept]
	clear(s.alpha[kept:width])
	clear(s.n[kept:width])
	w.narrowed = alloc.Resize(w.narrowed, len(s.counts)*width) // from the second time on in place: values move to the front
	for j, at := range s.rowAt {
		phi, gamma := w.narrowed[j*width:(j+1)*width], s.gamma[j*width:(j+1)*width]
		oldPhi, oldGamma := s.rows[at:at+s.width], s.gamma[j*s.width:(j+1)*s.width]
		for to, i := range w.kept {
			phi[to], gamma[to] = oldPhi[i], oldGamma[i]
		}
		clear(phi[kept:])
		clear(gamma[kept:])
		s.rowAt[j] = j * width
	}
	s.rows, s.width = w.narrowed, width
}
