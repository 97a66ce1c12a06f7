// Package batch is AGA-LDA (Moon et al. 2018): exact draws in mini-batches whose word
// counts stay as they are meanwhile. This file has its definition in plain Go; others have it on
// parts of a corpus and on a GPU, with other counts kept fresh, and in panels of words.
package batch

import (
	"context"
	"sort"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
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
	p        *sampler.Problem
	grid     *grid.Grid
	schedule *draw32.Schedule
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

var Info = sampler.Info{
	Name:    "batch",
	Summary: "exact draws in mini-batches, document counts fresh; SIMD, all cores",
	Cost:    "O(K)",
	Source:  "Moon et al. 2018 (AGA-LDA)",
	MaxK:    1 << 16,
	Tables:  sampler.DenseTable,
	New:     NewBatch,
	NewOn:   newBatchOn,
	Cutting: &batchCutting,
}

func NewBatch(p *sampler.Problem) (sampler.Sampler, error) {
	freshness, err := ParseFreshness(p.Tuning.Fresh)
	if err != nil {
		return nil, err
	}
	if freshness != batchFreshness {
		return newFresh(p, freshness), nil
	}
	return makeBatch(p), nil
}

func makeBatch(p *sampler.Problem) *batch {
	s := layBatch(p)
	s.nwk = alloc.AlignedInts(p.V * s.stride)
	alloc.HugePages(s.nwk)
	return s
}

// layBatch makes a sampler without n_wk.
func layBatch(p *sampler.Problem) *batch {
	kpad, stride := draw32.PaddedTopics(p.K), (p.K+15)&^15
	limits := draw32.Limits(p.CorpusTokens(), kpad)
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
	s.schedule = draw32.NewSchedule(s.grid, draw32.ChunkWords(kpad), p.Threads)
	s.ranges = sampler.EqualRanges(p.Words, p.V, 64)
	s.workers = make([]*batchWorker, p.Threads)
	for i := range s.workers {
		s.workers[i] = &batchWorker{
			s: s, docs: draw32.DocRows{Kpad: kpad}, rows: alloc.AlignedFloats(draw32.ChunkWords(kpad) * kpad),
			cum: alloc.AlignedFloats(4 * (kpad + 4*draw32.Lanes)), prefix: alloc.AlignedFloats(4 * 48), deltas: make([]int64, p.K),
		}
	}
	return s
}

// Start implements Sampler. Topics found on a sample of the documents first make
// a tempting start, but on 18 million tokens at K = 100 the held-out score then
// falls behind that of uniform topics after some fifty sweeps.
func (s *batch) Start(z []uint32, _ *sampler.Priors) error {
	s.setTopics(z)
	s.Recount()
	return nil
}

// setTopics sets z, in grid order, from topics in corpus order or at random.
func (s *batch) setTopics(z []uint32) {
	random := sampler.Draws{Key: rng.NewKey(s.p.Seed), Purpose: sampler.ForStart}
	s.eachToken(func(corpus, grid int) {
		if z == nil {
			s.z[grid] = uint16(rng.Below(random.Word(uint64(s.p.Origin()+corpus)), uint32(s.p.K)))
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
	parallel.Do(context.Background(), s.p.Threads, len(s.grid.Blocks), func(thread, i int) {
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

// Recount computes n_wk and n_k from z.
func (s *batch) Recount() {
	clear(s.nk)
	parallel.Do(context.Background(), s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		s.workers[thread].Recount(s.ranges[i], s.ranges[i+1])
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
func (s *batch) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	n := s.p.Tuning.BatchesIn(iteration)
	for _, r := range s.BatchesIn(n) {
		if err := s.sampleBlocks(ctx, r[0], r[1], iteration, priors); err != nil {
			return err
		}
		s.update(s.grid.Blocks[r[0]:r[1]])
	}
	return nil
}

// sampleBlocks draws all tokens of the blocks first … last-1 anew.
func (s *batch) sampleBlocks(ctx context.Context, first, last, iteration int, priors *sampler.Priors) error {
	s.setPriors(priors)
	return parallel.Do(ctx, s.p.Threads, last-first, func(thread, i int) {
		s.workers[thread].sample(first+i, iteration, float32(priors.Beta))
	})
}

// BatchesIn cuts the blocks into n runs of about equal numbers of tokens.
func (s *batch) BatchesIn(n int) [][2]int {
	s.batches = sampler.BlockRuns(s.batches[:0], s.grid.Blocks, s.p.N(), n)
	return s.batches
}

// setPriors computes α and 1/(n_k + Vβ) in float32.
func (s *batch) setPriors(priors *sampler.Priors) {
	vbeta := float64(s.p.CorpusWords()) * priors.Beta
	for k, n := range s.nk {
		s.alpha[k] = float32(priors.Alpha[k])
		s.inv[k] = float32(1 / (float64(n) + vbeta))
	}
}

// update brings n_wk and n_k up to date with the blocks just sampled. Every
// thread owns a range of words, so no two write the same row.
func (s *batch) update(blocks []grid.Block) {
	parallel.Do(context.Background(), s.p.Threads, len(s.ranges)-1, func(thread, i int) {
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
	h.Add(&sampler.RowHistograms(s.p, s, s.ranges).Histograms)
	copy(h.TopicTotals, s.TopicTotals())
	return &h.Histograms
}

// docHistograms counts all documents.
func (s *batch) docHistograms() *sampler.Histograms {
	return sampler.CountHistograms(s.p, len(s.grid.Blocks), func(h *sampler.Histograms, thread, i int) {
		s.workers[thread].countDocs(s.grid.Blocks[i], h)
	})
}

// batchWorker is one goroutine's scratch.
type batchWorker struct {
	s      *batch
	docs   draw32.DocRows // of the block
	rows   []float32      // words of a chunk × kpad: n_wk + β
	rowOf  []uint16       // tokens of a chunk: which of the rows is theirs
	cum    []float32      // scratch of the draw
	random sampler.Words  // 32 random bits per token of the block
	prefix []float32      // scratch of the draw
	deltas []int64        // K: changes to n_k

	entries []counts.Entry // a row of a part's frozen counts
}

// sample draws all tokens of a block anew.
func (w *batchWorker) sample(block, iteration int, beta float32) {
	s := w.s
	b := s.grid.Blocks[block]
	copy(s.old[b.Begin:b.End], s.z[b.Begin:b.End])
	w.countBlock(b)
	w.docs.Compute(s.alpha, s.inv)
	origin := s.p.Origin()
	random := w.random.Tokens(sampler.Draws{Key: rng.NewKey(s.p.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}, origin+b.Begin, origin+b.End)
	chunks := s.schedule.Chunks[block]
	for i, c := range chunks {
		w.fetchRows(b, c, beta)
		var next []grid.Segment
		if i+1 < len(chunks) {
			next = s.grid.Segments[chunks[i+1].FirstSeg:chunks[i+1].LastSeg]
		}
		draw32.DrawChunk(&draw32.ChunkArgs{
			Topics: s.p.K, LaneMask: draw32.LaneMask(s.p.K), Own: 1, OwnIn: s.p.Tuning.OwnCount == "in", Kpad: s.kpad,
			Dnt: w.docs.Dnt, Ndk: w.docs.Ndk, Wide: w.docs.Wide, Rows: w.rows, Alpha: s.alpha, Inv: s.inv,
			RowOf: w.rowOf, Docs: s.grid.Docs[c.Begin:c.End], Z: s.z[c.Begin:c.End],
			Random: random[c.Begin-b.Begin : c.End-b.Begin],
			Order:  s.schedule.Order[c.Begin:c.End], Quads: c.Quads, Cum: w.cum, Prefix: w.prefix,
			Table: s.nwk, Stride: s.stride, Next: next,
		})
	}
}

// fetchRows computes n_wk + β of the chunk's words, and says which tokens are whose.
func (w *batchWorker) fetchRows(b grid.Block, c draw32.Chunk, beta float32) {
	s := w.s
	for i, seg := range s.grid.Segments[c.FirstSeg:c.LastSeg] {
		draw32.FloatRow(w.rows[i*s.kpad:(i+1)*s.kpad], s.row(seg.Word), beta)
	}
	w.rowOf = c.AppendRows(w.rowOf[:0], s.grid, b)
}

// countBlock counts n_dk of the block's documents.
func (w *batchWorker) countBlock(b grid.Block) {
	s := w.s
	w.docs.Reset(s.p.Offsets[b.FirstDoc : b.LastDoc+1])
	w.docs.Count(s.grid.Docs[b.Begin:b.End], s.z[b.Begin:b.End])
}

// countDocs adds the block's documents to h.
func (w *batchWorker) countDocs(b grid.Block, h *sampler.Histograms) {
	w.countBlock(b)
	for d := range b.Docs() {
		begin, end := w.s.p.Offsets[b.FirstDoc+d], w.s.p.Offsets[b.FirstDoc+d+1]
		h.DocLengths = sampler.Bump(h.DocLengths, int(end-begin))
		for k := range w.s.p.K {
			if n := w.docs.At(d, k); n > 0 {
				h.Topic[k] = sampler.Bump(h.Topic[k], int(n))
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

// Recount counts the tokens of words lo … hi-1 in n_wk.
func (w *batchWorker) Recount(lo, hi int) {
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
