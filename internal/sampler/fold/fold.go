// Package fold finds the topics of new documents with a model's counts fixed, by the draws of package draw32.
package fold

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// Fold draws topics for documents that a model was not trained on, the model's word counts fixed:
//
//	p(z = k) ∝ (n_dk + α_k) · (n_wk + β) / (n_k + Vβ)
//
// with the token itself taken out of n_dk. It uses the kernels of batch, or beyond MostExpected topics those of package
// foldin. The random numbers of a document depend on the seed and on its words alone, so a document gets the same
// topics in whatever company it comes.
type Fold struct {
	Offsets []uint64 // D+1 positions, the first one 0; document d is Words[Offsets[d]:Offsets[d+1]]
	Words   []uint32 // N word ids, sorted inside each document

	Rows    counts.Rows // n_wk
	Totals  []uint64    // K: n_k
	Priors  sampler.Priors
	V       int
	Seed    uint64
	Threads int
	Sweeps  int // sweeps that draw; 0: expected topics are computed, or with too many topics 100 sweeps made
	Skip    int // sweeps at the beginning that do not count

	// Top, if not 0, is how many expected topics of a document are handed over at most, up to MostTop: those with the
	// largest shares, largest first. AlphaSum is Σα, which shares need.
	Top      int
	AlphaSum float64

	ahead func() *wordTopics // set by Ahead
}

// MostExpected is the largest number of topics for which all of them are weighed for every
// word, and for which expected topics can be had.
const MostExpected = 1 << 16

// MostTop is the largest value of Top. Sorting is faster beyond.
const MostTop = 16

// Parts returns how many parts of a token Run counts: the sweeps that count, or the parts of an expectation.
func (f *Fold) Parts() int {
	if f.Sweeps == 0 && len(f.Totals) <= MostExpected {
		return unit
	}
	sweeps, skip := f.draws()
	return sweeps - skip
}

// draws returns Sweeps and Skip, or those of a fold that has to draw without being asked.
func (f *Fold) draws() (sweeps, skip int) {
	if f.Sweeps == 0 {
		return 100, 20
	}
	return f.Sweeps, f.Skip
}

// foldBytes bounds the memory for one block's word rows.
const foldBytes = 64 << 20

// foldResult holds the draws of one block.
type foldResult struct {
	ends []int // per document: end of its entries
	sums []counts.Entry
}

// emit hands over the documents firstDoc, firstDoc+1, ….
func (r *foldResult) emit(firstDoc int, emit func(doc int, sums []counts.Entry) error) error {
	begin := 0
	for i, end := range r.ends {
		if err := emit(firstDoc+i, r.sums[begin:end]); err != nil {
			return err
		}
		begin = end
	}
	return nil
}

// folder is one goroutine's scratch.
type folder struct {
	f          *Fold
	g          *grid.Grid
	offsets    []uint64
	words      []uint32
	k, kpad    int
	prior, inv []float32 // kpad: α_k and 1/(n_k + Vβ)

	wordRows []float32 // segments × kpad: n_wk + β of the block's words
	row      []counts.Entry
	docs     draw32.DocRows // of the block
	sums     []uint32       // documents × kpad: n_dk summed over the sweeps that count
	cum      []float32
	prefix   []float32
	z        []uint16
	plan     draw32.Planner
	tiles    []draw32.Tile
	turns    []uint16 // the order in which to draw each tile's tokens
	rowOf    []uint16 // per token: its word's place among the rows of the tile
	hashes   []uint64 // per document: what its random numbers depend on
	order    []uint32 // per token in grid order: its place when documents lie one after the other
	dealt    []uint32 // random words in that order
	random   []uint32 // random words in grid order

	listed  listed         // the document for mean
	inPlace counts.InPlace // rows of the model, or nil
}

// idle has folders that were used before: a server runs a fold for every few documents,
// and would leave a hundred kilobytes of garbage each time.
var idle sync.Pool

// borrowFolder returns scratch for one goroutine, if possible of a run before.
func borrowFolder(f *Fold, g *grid.Grid) *folder {
	k := len(f.Priors.Alpha)
	kpad := draw32.PaddedTopics(k)
	w, ok := idle.Get().(*folder)
	if !ok || w.kpad != kpad {
		w = &folder{
			prior: alloc.AlignedFloats(kpad), inv: alloc.AlignedFloats(kpad), docs: draw32.DocRows{Kpad: kpad},
			cum: alloc.AlignedFloats(4 * (kpad + 4*draw32.Lanes)), prefix: alloc.AlignedFloats(4 * 48),
		}
	}
	w.f, w.g, w.offsets, w.words, w.k, w.kpad = f, g, f.Offsets, f.Words, k, kpad
	clear(w.prior[k:])
	clear(w.inv[k:])
	f.fillPriors(w.prior, w.inv)
	w.inPlace, _ = f.Rows.(counts.InPlace)
	w.listed.alpha, w.listed.b = w.prior, alloc.Resize(w.listed.b, kpad)
	for i, inv := range w.inv {
		w.listed.b[i] = float32(f.Priors.Beta) * inv
	}
	return w
}

// fillPriors sets prior to α_k and inv to 1/(n_k + Vβ).
func (f *Fold) fillPriors(prior, inv []float32) {
	vbeta := float64(float64(f.V) * f.Priors.Beta)
	for i, n := range f.Totals {
		prior[i], inv[i] = float32(f.Priors.Alpha[i]), float32(1/(float64(n)+vbeta))
	}
}

// Ahead starts to prepare the model for RunOn with expected topics, and returns a function that waits for it. Call it
// to let that happen while a device is opened; RunOn calls it otherwise.
func (f *Fold) Ahead() func() *wordTopics {
	if f.ahead == nil {
		f.ahead = sync.OnceValue(func() *wordTopics {
			pad := draw32.PaddedTopics(len(f.Totals))
			alpha, inv := make([]float32, pad), make([]float32, pad)
			f.fillPriors(alpha, inv)
			return newWordTopics(f.Rows, f.V, f.Threads, float32(f.Priors.Beta), inv, f.Offsets, f.Words)
		})
		guard.Go(func() { f.ahead() })
	}
	return f.ahead
}

// giveBack keeps the scratch for another run, unless it is large.
func (w *folder) giveBack() {
	const most = 1 << 20 // numbers: 4 MiB of each kind
	w.f, w.g, w.offsets, w.words, w.inPlace = nil, nil, nil, nil, nil
	if cap(w.wordRows) <= most && cap(w.sums) <= most && cap(w.listed.s) <= most {
		idle.Put(w)
	}
}

// prepare sizes the scratch and finds each token's place in its document: the
// j-th token of a document to be visited is its j-th, whatever else is in the block.
func (w *folder) prepare(b grid.Block) {
	cells := b.Docs() * w.kpad
	w.docs.Reset(w.offsets[b.FirstDoc : b.LastDoc+1])
	w.sums = alloc.Resize(w.sums, cells)
	clear(w.sums)
	n := b.Tokens()
	w.z, w.random = alloc.Resize(w.z, n), alloc.Resize(w.random, n)
	w.turns, w.rowOf = alloc.Resize(w.turns, n), w.rowOf[:0]
	w.tiles = w.plan.PlanBlock(w.turns, w.g, b, draw32.TileWords(w.kpad))
	for _, c := range w.tiles {
		w.rowOf = c.AppendRows(w.rowOf, w.g, b)
	}
	w.hashes = w.hashes[:0]
	for d := b.FirstDoc; d < b.LastDoc; d++ {
		w.hashes = append(w.hashes, foldCounter(w.words[w.offsets[d]:w.offsets[d+1]]))
	}
	w.order, w.dealt = alloc.Resize(w.order, n), alloc.Resize(w.dealt, n)
	next := make([]uint32, b.Docs())
	for i := range next {
		next[i] = uint32(int(w.offsets[b.FirstDoc+i]) - b.Begin)
	}
	for i, d := range w.g.Docs[b.Begin:b.End] {
		w.order[i] = next[d]
		next[d]++
	}
}

// loadRows expands n_wk + β of the block's words.
func (w *folder) loadRows(b grid.Block) {
	segments := w.g.Segments[b.FirstSeg:b.LastSeg]
	w.wordRows = alloc.Resize(w.wordRows, len(segments)*w.kpad)
	for i, s := range segments {
		w.row = w.f.fillRow(w.wordRows[i*w.kpad:(i+1)*w.kpad], w.k, s.Word, w.row)
	}
}

// fillRow sets dst to n_wk + β of a word, zero beyond K. It uses scratch and returns it.
func (f *Fold) fillRow(dst []float32, topics int, word uint32, scratch []counts.Entry) []counts.Entry {
	beta := float32(f.Priors.Beta)
	for k := range topics {
		dst[k] = beta
	}
	clear(dst[topics:])
	scratch = f.Rows.AppendRow(scratch[:0], int(word))
	for _, e := range scratch {
		dst[e.Topic] = float32(e.Count) + beta
	}
	return scratch
}

// dealRandom fills w.random for one sweep. The counter of a document's random words holds a hash of its words.
func (w *folder) dealRandom(b grid.Block, sweep int) {
	w.dealt = w.dealt[:0]
	key := rng.NewKey(w.f.Seed)
	for d := b.FirstDoc; d < b.LastDoc; d++ {
		doc := w.words[w.offsets[d]:w.offsets[d+1]]
		at, blocks := len(w.dealt), (len(doc)+3)/4
		w.dealt = slices.Grow(w.dealt, 4*blocks)[:at+4*blocks]
		key.Fill(w.dealt[at:], w.hashes[d-b.FirstDoc], uint32(sweep), uint32(sampler.ForFold))
		w.dealt = w.dealt[:at+len(doc)]
	}
	for i, place := range w.order {
		w.random[i] = w.dealt[place]
	}
}

// foldCounter returns where the counters of a document's random words begin.
func foldCounter(doc []uint32) uint64 {
	b := make([]byte, 0, 4*len(doc))
	for _, word := range doc {
		b = binary.LittleEndian.AppendUint32(b, word)
	}
	return xxh3.Hash(b) &^ (1<<32 - 1)
}

// firstTopics draws topics by the words' rows alone and counts n_dk.
func (w *folder) firstTopics(b grid.Block) {
	for i, s := range w.g.Segments[b.FirstSeg:b.LastSeg] {
		row := w.wordRows[i*w.kpad : i*w.kpad+w.k]
		sum := float32(0)
		for k, x := range row {
			sum += float32(x * w.inv[k])
			w.cum[k] = sum
		}
		for p := s.Begin; p < s.End; p++ {
			target := rng.Float32(w.random[p]) * sum
			w.z[p] = uint16(min(w.k-1, upper(w.cum[:w.k], target)))
		}
	}
	w.docs.Count(w.g.Docs[b.Begin:b.End], w.z)
}

// upper returns the number of leading elements of the increasing list that are at most x.
func upper(list []float32, x float32) int {
	n, _ := slices.BinarySearchFunc(list, x, func(c, x float32) int {
		if c <= x {
			return -1
		}
		return 1
	})
	return n
}

// sweep draws every token of the block once.
func (w *folder) sweep(b grid.Block) {
	w.docs.Compute(w.prior, nil, w.inv)
	for _, c := range w.tiles {
		begin, end := c.Begin-b.Begin, c.End-b.Begin
		draw32.DrawTile(&draw32.TileArgs{
			Topics: w.k, LaneMask: draw32.LaneMask(w.k), Own: 0, Kpad: w.kpad,
			Dnt: w.docs.Dnt, Ndk: w.docs.Ndk, Wide: w.docs.Wide, Rows: w.wordRows[(c.FirstSeg-b.FirstSeg)*w.kpad:],
			Alpha: w.prior, Inv: w.inv, RowOf: w.rowOf[begin:end], Docs: w.g.Docs[c.Begin:c.End], Z: w.z[begin:end],
			Random: w.random[begin:end], Order: w.turns[begin:end], Quads: c.Quads, Cum: w.cum, Prefix: w.prefix,
		})
	}
}

// collect gathers the sums of every document.
func (w *folder) collect(b grid.Block, result *foldResult) {
	result.ends, result.sums = result.ends[:0], result.sums[:0]
	for d := range b.Docs() {
		for k, n := range w.sums[d*w.kpad : d*w.kpad+w.k] {
			if n > 0 {
				result.sums = append(result.sums, counts.Entry{Topic: uint32(k), Count: n})
			}
		}
		result.ends = append(result.ends, len(result.sums))
	}
}

// unit is how many parts of a token an expectation is rounded to. A document of 16 million
// tokens can have all of them in one topic.
const unit = 1 << 8
