package fold

import (
	"context"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
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

// runMean is Run for expected topics.
func (f *Fold) runMean(ctx context.Context, emit func(doc int, sums []counts.Entry) error,
) error {
	folders := make([]*folder, f.Threads) // made by the workers that have something to do
	err := f.eachDoc(ctx, func(worker int, dst []counts.Entry, doc []uint32) []counts.Entry {
		if folders[worker] == nil {
			folders[worker] = borrowFolder(f, nil)
		}
		return folders[worker].mean(dst, doc)
	}, emit)
	for _, w := range folders {
		if w != nil && err == nil { // a fault may have left it in disorder
			w.giveBack()
		}
	}
	return err
}

// mean appends the expected topics of a document, whose words are in increasing order. It needs
// no random numbers: it is zero-order collapsed variational inference with the model fixed,
//
//	γ_wk ∝ (n_dk − γ_wk + α_k) · φ_wk     n_dk = Σ_w c_w γ_wk
//
// for each distinct word w, c_w times in the document (Asuncion, Welling, Smyth and Teh,
// "On smoothing and inference for topic models", UAI 2009). With few words the rounds end
// before they settle: the words may agree on several topics, of which rounds choose one.
func (w *folder) mean(dst []counts.Entry, doc []uint32) []counts.Entry {
	if len(doc) == 0 {
		return dst
	}
	w.list(doc)
	words, spread := kernels()
	w.listed.start(len(doc))
	spread(&w.listed)
	for range min(meanMost, meanFirst+len(doc)/meanEach) {
		words(&w.listed)
		spread(&w.listed)
		if w.listed.moved <= meanTolerance*float32(len(doc)) {
			break
		}
	}
	begin := len(dst)
	if dst = w.appendParts(dst, len(doc)); w.f.Top > 0 {
		dst = dst[:begin+w.f.largest(dst[begin:], len(doc))]
	}
	return dst
}

// largest moves the topics with the largest shares, Top of them, to the beginning of sums, and returns their number.
func (f *Fold) largest(sums []counts.Entry, tokens int) int {
	var shares [MostTop]float64
	n, all := 0, float64(tokens)+f.AlphaSum
	for _, e := range sums {
		share := (float64(float64(e.Count)/unit) + f.Priors.Alpha[e.Topic]) / all
		if n == f.Top && share <= shares[n-1] {
			continue
		}
		n = min(n+1, f.Top)
		i := n - 1
		for ; i > 0 && share > shares[i-1]; i-- {
			shares[i], sums[i] = shares[i-1], sums[i-1]
		}
		shares[i], sums[i] = share, e
	}
	return n
}

// list sets listed to the distinct words of a document and the topics in which they occur.
func (w *folder) list(doc []uint32) {
	l := &w.listed
	l.counts, l.sizes, l.topics, l.s = l.counts[:0], l.sizes[:0], l.topics[:0], l.s[:0]
	for i, word := range doc {
		if i > 0 && doc[i-1] == word {
			l.counts[len(l.counts)-1]++
			continue
		}
		row := w.rowIn(int(word))
		begin, size := len(l.s), (len(row)+lanes-1)/lanes*lanes
		l.counts, l.sizes = append(l.counts, 1), append(l.sizes, size)
		l.topics, l.s = slices.Grow(l.topics, size)[:begin+size], slices.Grow(l.s, size)[:begin+size]
		topics, s := l.topics[begin:], l.s[begin:]
		for i, e := range row {
			topics[i], s[i] = e.Topic, float32(float32(e.Count)*w.inv[e.Topic])
		}
		for i := len(row); i < size; i++ {
			topics[i], s[i] = uint32(w.kpad), 0
		}
	}
}

// start takes all tokens from their topics. It leaves own and mean to spreadGo.
func (l *listed) start(tokens int) {
	l.keep, l.scale = 1-1/float32(tokens), 0
	l.gamma, l.sums = alloc.Resize(l.gamma, len(l.s)), alloc.Resize(l.sums, len(l.sizes))
	clear(l.gamma)
	clear(l.sums)
	slots := len(l.alpha)
	l.x, l.was = alloc.Resize(l.x, slots), alloc.Resize(l.was, slots)
	l.held, l.rest = alloc.Resize(l.held, slots+1), alloc.Resize(l.rest, slots)
	copy(l.held, l.alpha)
	l.held[slots] = 0
	clear(l.rest)
}

// appendParts appends the topics of the document that have the least or more of it. Their
// parts add up to all of its tokens: what other topics have is shared out.
func (w *folder) appendParts(dst []counts.Entry, tokens int) []counts.Entry {
	least, all := min(meanTokens, meanPart*float32(tokens)/float32(w.k)), 0.0
	held := w.listed.held[:w.k]
	for k, a := range w.prior[:w.k] {
		if held[k] -= a; held[k] >= least {
			all += float64(held[k])
		}
	}
	sum, before := 0.0, 0.0
	for k, n := range held {
		if n >= least {
			sum += float64(n)
			now := math.Round(sum / all * float64(tokens) * unit)
			if now > before {
				dst = append(dst, counts.Entry{Topic: uint32(k), Count: uint32(min(now-before, math.MaxUint32))})
			}
			before = now
		}
	}
	return dst
}

// rowIn returns the topics of a word, if possible without copying them.
func (w *folder) rowIn(word int) []counts.Entry {
	if w.inPlace != nil {
		return w.inPlace.Row(word)
	}
	w.row = w.f.Rows.AppendRow(w.row[:0], word)
	return w.row
}
