package sampler

import (
	"context"
	"sort"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
)

// batch draws exactly, in mini-batches (the partially collapsed sampler of
// AGA-LDA, Moon et al. 2018 §3–4):
//
//	p(z = k) ∝ DNT_dk · (n_wk + β),   DNT_dk = (n_dk + α_k) / (n_k + Vβ)
//
// A document sees its own counts n_dk fresh after every token, but n_wk and
// n_k only as they were before the mini-batch. So documents are independent
// inside a mini-batch, and any number of threads in any order gives the same
// bytes. The token's own count is taken out of n_dk and n_wk unless
// Tuning.OwnCount says otherwise; in n_k, where it is one of thousands, it stays.
//
// A token costs O(K), but 32 topics at a time (see the canonical draw). Inside
// a block tokens are visited word by word: the word's row then stays in the
// first-level cache, and successive tokens belong to different documents, so
// that one draw need not wait for the previous one.
type batch struct {
	p        *Problem
	grid     *grid.Grid
	schedule *schedule
	batches  [][2]int // mini-batches as ranges of blocks, for the sweep in progress
	ranges   []int    // word ranges of about equal work, for count updates
	kpad     int      // K rounded up to whole groups of 32 lanes
	stride   int      // K rounded up to whole cache lines of n_wk

	z   []uint16 // N topics in grid order
	old []uint16 // topics before the mini-batch, same indexes as z
	nwk []int32  // V × stride: n_wk, 0 beyond K
	nk  []int64  // K

	alpha, inv []float32 // kpad: α_k and 1/(n_k + Vβ), 0 beyond K
	workers    []*batchWorker
}

var batchInfo = Info{
	Name:    "batch",
	Summary: "exact draws in mini-batches, document counts fresh; SIMD, all cores",
	Cost:    "O(K)",
	Source:  "Moon et al. 2018 (AGA-LDA)",
	MaxK:    1 << 16,
	Tables:  denseTable,
	New:     newBatch,
	NewOn:   newBatchOn,
	cutting: &batchCutting,
}

func newBatch(p *Problem) (Sampler, error) {
	freshness, err := ParseFreshness(p.Tuning.Fresh)
	if err != nil {
		return nil, err
	}
	if freshness != batchFreshness {
		return newFresh(p, freshness), nil
	}
	return makeBatch(p), nil
}

func makeBatch(p *Problem) *batch {
	s := layBatch(p)
	s.nwk = alignedInts(p.V * s.stride)
	hugePages(s.nwk)
	return s
}

// layBatch makes a sampler without n_wk.
func layBatch(p *Problem) *batch {
	kpad, stride := paddedTopics(p.K), (p.K+15)&^15
	limits := batchLimits(p.corpusTokens(), kpad)
	s := &batch{
		p:    p,
		grid: p.Shelf.New(p.Offsets, p.Words, p.V, limits),
		kpad: kpad,
		z:    make([]uint16, p.N()),
		old:  make([]uint16, p.N()),

		stride: stride,
		nk:     make([]int64, p.K),
		alpha:  make([]float32, kpad),
		inv:    make([]float32, kpad),
	}
	s.schedule = newSchedule(s.grid, chunkWords(kpad), p.Threads)
	s.ranges = equalRanges(p.Words, p.V, 64)
	s.workers = make([]*batchWorker, p.Threads)
	for i := range s.workers {
		s.workers[i] = &batchWorker{
			s: s, docs: docRows{kpad: kpad}, rows: alignedFloats(chunkWords(kpad) * kpad),
			cum: alignedFloats(4 * (kpad + 4*lanes)), prefix: alignedFloats(4 * 48), deltas: make([]int64, p.K),
		}
	}
	return s
}

// batchLimits says how large blocks are: small enough that the documents' rows
// stay in a second-level cache, as large as that allows because a word's row is
// fetched once per block, but at least about a hundred of them, so that there is
// work for many threads in each of several mini-batches.
func batchLimits(tokens, kpad int) grid.Limits {
	const rowBytes = 3 << 18 // of DNT_dk and n_dk
	return grid.Limits{
		Tokens: max(1<<12, min(1<<18, tokens/128)),
		Docs:   max(16, min(1<<16, rowBytes/(6*kpad))),
	}
}

// equalRanges cuts the vocabulary into n ranges of about equal numbers of tokens.
func equalRanges(words []uint32, v, n int) []int {
	cf := make([]int, v)
	for _, w := range words {
		cf[w]++
	}
	ranges := []int{0}
	sum := 0
	for w, c := range cf {
		sum += c
		if sum*n >= len(words)*len(ranges) && len(ranges) < n {
			ranges = append(ranges, w+1)
		}
	}
	return append(ranges, v)
}

// Start implements Sampler. Topics found on a sample of the documents first make
// a tempting start, but on 18 million tokens at K = 100 the held-out score then
// falls behind that of uniform topics after some fifty sweeps.
func (s *batch) Start(z []uint32, _ *Priors) error {
	s.setTopics(z)
	s.recount()
	return nil
}

// setTopics sets z, in grid order, from topics in corpus order or at random.
func (s *batch) setTopics(z []uint32) {
	random := draws{key: rng.NewKey(s.p.Seed), purpose: forStart}
	s.eachToken(func(corpus, grid int) {
		if z == nil {
			s.z[grid] = uint16(rng.Below(random.word(uint64(s.p.origin()+corpus)), uint32(s.p.K)))
		} else {
			s.z[grid] = uint16(z[corpus])
		}
	})
}

// Topics implements Sampler.
func (s *batch) Topics(z []uint32) {
	s.eachToken(func(corpus, grid int) { z[corpus] = uint32(s.z[grid]) })
}

// NarrowTopics implements Narrow.
func (s *batch) NarrowTopics(z []uint16) {
	s.eachToken(func(corpus, grid int) { z[corpus] = s.z[grid] })
}

// eachToken calls f with the position of every token in corpus order and in
// grid order, from several goroutines.
func (s *batch) eachToken(f func(corpus, grid int)) {
	type translator struct {
		walker *grid.Walker
		at     []uint32
	}
	translators := make([]translator, s.p.Threads)
	parallel(context.Background(), s.p.Threads, len(s.grid.Blocks), func(thread, i int) {
		t, b := &translators[thread], s.grid.Blocks[i]
		if t.walker == nil {
			t.walker = grid.NewWalker(s.p.V)
		}
		t.at = t.walker.Positions(t.at[:0], s.grid, b, s.p.Words)
		for i, pos := range t.at {
			f(b.Begin+i, b.Begin+int(pos))
		}
	})
}

// recount computes n_wk and n_k from z.
func (s *batch) recount() {
	clear(s.nk)
	parallel(context.Background(), s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		s.workers[thread].recount(s.ranges[i], s.ranges[i+1])
	})
	s.mergeTotals()
}

// mergeTotals adds the workers' changes to n_k.
func (s *batch) mergeTotals() {
	for _, w := range s.workers {
		for k, n := range w.deltas {
			s.nk[k] += n
		}
		clear(w.deltas)
	}
}

// Sweep implements Sampler.
func (s *batch) Sweep(ctx context.Context, iteration int, priors *Priors) error {
	n := s.p.Tuning.miniBatches(iteration)
	for _, r := range s.miniBatches(n) {
		if err := s.sampleBlocks(ctx, r[0], r[1], iteration, priors); err != nil {
			return err
		}
		s.update(s.grid.Blocks[r[0]:r[1]])
	}
	return nil
}

// sampleBlocks draws all tokens of the blocks first … last-1 anew.
func (s *batch) sampleBlocks(ctx context.Context, first, last, iteration int, priors *Priors) error {
	s.setPriors(priors)
	return parallel(ctx, s.p.Threads, last-first, func(thread, i int) {
		s.workers[thread].sample(first+i, iteration, float32(priors.Beta))
	})
}

// miniBatches cuts the blocks into n runs of about equal numbers of tokens.
func (s *batch) miniBatches(n int) [][2]int {
	s.batches = blockRuns(s.batches[:0], s.grid.Blocks, s.p.N(), n)
	return s.batches
}

// setPriors computes α and 1/(n_k + Vβ) in float32.
func (s *batch) setPriors(priors *Priors) {
	vbeta := float64(s.p.corpusWords()) * priors.Beta
	for k, n := range s.nk {
		s.alpha[k] = float32(priors.Alpha[k])
		s.inv[k] = float32(1 / (float64(n) + vbeta))
	}
}

// update brings n_wk and n_k up to date with the blocks just sampled. Every
// thread owns a range of words, so no two write the same row.
func (s *batch) update(blocks []grid.Block) {
	parallel(context.Background(), s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		s.workers[thread].update(blocks, s.ranges[i], s.ranges[i+1])
	})
	s.mergeTotals()
}

// AppendRow implements Sampler.
func (s *batch) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	for k, n := range s.nwk[w*s.stride : w*s.stride+s.p.K] {
		if n > 0 {
			dst = append(dst, counts.Entry{Topic: uint32(k), Count: uint32(n)})
		}
	}
	return dst
}

// TopicTotals implements Sampler.
func (s *batch) TopicTotals() []uint64 {
	totals := make([]uint64, s.p.K)
	for k, n := range s.nk {
		totals[k] = uint64(n)
	}
	return totals
}

// Histograms implements Sampler.
func (s *batch) Histograms() *counts.Histograms {
	h := s.docHistograms()
	h.Add(&rowHistograms(s.p, s, s.ranges).Histograms)
	copy(h.TopicTotals, s.TopicTotals())
	return &h.Histograms
}

// docHistograms counts all documents.
func (s *batch) docHistograms() *histograms {
	return countHistograms(s.p, len(s.grid.Blocks), func(h *histograms, thread, i int) {
		s.workers[thread].countDocs(s.grid.Blocks[i], h)
	})
}

// batchWorker is one goroutine's scratch.
type batchWorker struct {
	s      *batch
	docs   docRows   // of the block
	rows   []float32 // words of a chunk × kpad: n_wk + β
	rowOf  []uint16  // tokens of a chunk: which of the rows is theirs
	cum    []float32 // scratch of the draw
	random words     // 32 random bits per token of the block
	prefix []float32 // scratch of the draw
	deltas []int64   // K: changes to n_k

	entries []counts.Entry // a row of a part's frozen counts
}

// sample draws all tokens of a block anew.
func (w *batchWorker) sample(block, iteration int, beta float32) {
	s := w.s
	b := s.grid.Blocks[block]
	copy(s.old[b.Begin:b.End], s.z[b.Begin:b.End])
	w.countBlock(b)
	w.docs.compute(s.alpha, s.inv)
	origin := s.p.origin()
	random := w.random.tokens(draws{rng.NewKey(s.p.Seed), uint32(iteration), forDraw}, origin+b.Begin, origin+b.End)
	chunks := s.schedule.chunks[block]
	for i, c := range chunks {
		w.fetchRows(b, c, beta)
		var next []grid.Segment
		if i+1 < len(chunks) {
			next = s.grid.Segments[chunks[i+1].firstSeg:chunks[i+1].lastSeg]
		}
		drawChunk(&chunkArgs{
			topics: s.p.K, laneMask: laneMask(s.p.K), own: 1, ownIn: s.p.Tuning.OwnCount == "in", kpad: s.kpad,
			dnt: w.docs.dnt, ndk: w.docs.ndk, wide: w.docs.wide, rows: w.rows, alpha: s.alpha, inv: s.inv,
			rowOf: w.rowOf, docs: s.grid.Docs[c.begin:c.end], z: s.z[c.begin:c.end],
			random: random[c.begin-b.Begin : c.end-b.Begin],
			order:  s.schedule.order[c.begin:c.end], quads: c.quads, cum: w.cum, prefix: w.prefix,
			table: s.nwk, stride: s.stride, next: next,
		})
	}
}

// fetchRows computes n_wk + β of the chunk's words, and says which tokens are whose.
func (w *batchWorker) fetchRows(b grid.Block, c chunk, beta float32) {
	s := w.s
	for i, seg := range s.grid.Segments[c.firstSeg:c.lastSeg] {
		floatRow(w.rows[i*s.kpad:(i+1)*s.kpad], s.row(seg.Word), beta)
	}
	w.rowOf = c.appendRows(w.rowOf[:0], s.grid, b)
}

// countBlock counts n_dk of the block's documents.
func (w *batchWorker) countBlock(b grid.Block) {
	s := w.s
	w.docs.reset(s.p.Offsets[b.FirstDoc : b.LastDoc+1])
	w.docs.count(s.grid.Docs[b.Begin:b.End], s.z[b.Begin:b.End])
}

// countDocs adds the block's documents to h.
func (w *batchWorker) countDocs(b grid.Block, h *histograms) {
	w.countBlock(b)
	for d := range b.Docs() {
		begin, end := w.s.p.Offsets[b.FirstDoc+d], w.s.p.Offsets[b.FirstDoc+d+1]
		h.DocLengths = bump(h.DocLengths, int(end-begin))
		for k := range w.s.p.K {
			if n := w.docs.at(d, k); n > 0 {
				h.Topic[k] = bump(h.Topic[k], int(n))
			}
		}
	}
}

// segments returns the segments of the block whose words lie in lo … hi-1.
func (s *batch) segments(b grid.Block, lo, hi int) []grid.Segment {
	all := s.grid.Segments[b.FirstSeg:b.LastSeg]
	first := sort.Search(len(all), func(i int) bool { return int(all[i].Word) >= lo })
	last := first + sort.Search(len(all)-first, func(i int) bool { return int(all[first+i].Word) >= hi })
	return all[first:last]
}

// row returns n_w of a word.
func (s *batch) row(word uint32) []int32 {
	return s.nwk[int(word)*s.stride : (int(word)+1)*s.stride]
}

// update moves the changed tokens of words lo … hi-1 in n_wk.
func (w *batchWorker) update(blocks []grid.Block, lo, hi int) {
	s := w.s
	for _, b := range blocks {
		for _, seg := range s.segments(b, lo, hi) {
			row := s.row(seg.Word)
			old := s.old[b.Begin+int(seg.Begin) : b.Begin+int(seg.End)]
			for i, k := range s.z[b.Begin+int(seg.Begin) : b.Begin+int(seg.End)] {
				if o := old[i]; o != k {
					row[o]--
					row[k]++
					w.deltas[o]--
					w.deltas[k]++
				}
			}
		}
	}
}

// recount counts the tokens of words lo … hi-1 in n_wk.
func (w *batchWorker) recount(lo, hi int) {
	s := w.s
	clear(s.nwk[lo*s.stride : hi*s.stride])
	for _, b := range s.grid.Blocks {
		for _, seg := range s.segments(b, lo, hi) {
			row := s.row(seg.Word)
			for _, k := range s.z[b.Begin+int(seg.Begin) : b.Begin+int(seg.End)] {
				row[k]++
				w.deltas[k]++
			}
		}
	}
}

// floatRowGo computes n_wk + β for one word.
func floatRowGo(dst []float32, nwk []int32, beta float32) {
	for k, n := range nwk {
		dst[k] = float32(n) + beta
	}
}
