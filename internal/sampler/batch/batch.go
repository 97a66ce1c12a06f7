// Package batch is AGA-LDA (Moon et al. 2018): exact draws in mini-batches whose word
// counts stay as they are meanwhile. This file has its definition in plain Go; others have it on
// parts of a corpus and on a GPU, with other counts kept fresh, and in panels of words.
package batch

import (
	"context"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// batch draws exactly, in mini-batches (the partially collapsed sampler of AGA-LDA, Moon et al. 2018 §3–4):
//
//	p(z = k) ∝ DNT_dk · (n_wk + β),   DNT_dk = (n_dk + α_k) / (n_k + Vβ)
//
// A document sees its own counts n_dk fresh after every token, but n_wk and n_k only as they were before the
// mini-batch. So documents are independent inside a mini-batch, and any number of threads in any order gives the same
// bytes. The token's own count is taken out of n_dk and n_wk unless Tuning.OwnCount says otherwise; in n_k, where it is
// one of thousands, it stays.
//
// A token costs O(K), but 32 topics at a time (see the canonical draw). Inside a block tokens are visited word by word:
// the word's row then stays in the first-level cache, and successive tokens belong to different documents, so that one
// draw need not wait for the previous one.
type batch struct {
	batchState
	workers []*batchWorker
}

// recountCells is how many cells of n_wk a token may have so that counting anew after a
// sweep is quicker than moving what has changed.
const recountCells = 2

// weightedCells is how many cells the weights of all words may have, and weightedShare how many a token. Many words
// occur in most blocks, so that one computation a mini-batch is quicker than one a block.
const weightedCells, weightedShare = 1 << 22, 4

// weightCells returns the number of weights of all words that are kept, 0 if the model is too large for them.
func weightCells(p *sampler.Problem) int {
	if n := p.V * draw32.PaddedTopics(p.K); p.V <= 1<<16 && n <= max(weightedCells, weightedShare*p.N()) {
		return n
	}
	return 0
}

func New(p *sampler.Problem) (sampler.Sampler, error) {
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
	if n := weightCells(p); n > 0 {
		s.weights = alloc.AlignedFloats(n)
		alloc.HugePages(s.weights)
		s.schedule.NameRows(s.grid)
	}
	return s
}

// layBatch makes a sampler without n_wk.
func layBatch(p *sampler.Problem) *batch {
	kpad, stride := draw32.PaddedTopics(p.K), (p.K+15)&^15
	limits := draw32.Limits(p.CorpusTokens(), kpad)
	s := &batch{batchState: batchState{
		tokens: newTokens(p, limits),
		kpad:   kpad,
		stride: stride,
		alpha:  make([]float32, kpad),
		inv:    make([]float32, kpad),
	}}
	s.schedule = draw32.NewSchedule(s.grid, draw32.TileWords(kpad), p.Threads)
	s.workers = make([]*batchWorker, p.Threads)
	for i := range s.workers {
		s.workers[i] = &batchWorker{
			groupDraws: groupDraws{s: &s.batchState}, docs: draw32.DocRows{Kpad: kpad},
			rows: alloc.AlignedFloats(draw32.TileWords(kpad) * kpad),
			cum:  alloc.AlignedFloats(4 * (kpad + 4*draw32.Lanes)), prefix: alloc.AlignedFloats(4 * 48),
			deltas: make([]int64, p.K),
		}
	}
	return s
}

// Start implements Sampler. Topics found on a sample of the documents first make a tempting start, but on 18 million
// tokens at K = 100 the held-out score then falls behind that of uniform topics after some fifty sweeps.
func (s *batch) Start(z []uint32, _ *sampler.Priors) error {
	s.setTopics(z, s.anyTopic)
	s.Recount()
	return nil
}

// Recount computes n_wk and n_k from z.
func (s *batch) Recount() {
	clear(s.nk)
	parallel.Do(context.Background(), s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		s.workers[thread].recount(i)
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

func (s *batch) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	n := s.p.Batches(iteration, priors)
	for _, r := range s.BatchesIn(n) {
		if err := s.sampleBlocks(ctx, r[0], r[1], iteration, priors); err != nil {
			return err
		}
		s.update(r[0], r[1])
	}
	return nil
}

// sampleBlocks draws all tokens of the blocks first … last-1 anew.
func (s *batch) sampleBlocks(ctx context.Context, first, last, iteration int, priors *sampler.Priors) error {
	s.setPriors(priors)
	if s.weights != nil {
		_ = parallel.Do(context.Background(), s.p.Threads, len(s.ranges)-1, func(_, i int) {
			for w := s.ranges[i]; w < s.ranges[i+1]; w++ {
				draw32.FloatRow(s.weights[w*s.kpad:(w+1)*s.kpad], s.row(uint32(w)), float32(priors.Beta))
			}
		})
	}
	return parallel.Do(ctx, s.p.Threads, last-first, func(thread, i int) {
		s.workers[thread].sample(first+i, iteration, priors.Beta)
	})
}

// update brings n_wk and n_k up to date with the blocks first … last-1, which were just
// sampled. Every thread owns a range of words, so no two write the same row. Where all
// blocks were, counting anew asks no token whether it has moved.
func (s *batch) update(first, last int) {
	if last-first == len(s.grid.Blocks) && len(s.nwk) <= recountCells*s.p.N() {
		s.Recount()
		return
	}
	parallel.Do(context.Background(), s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		s.workers[thread].update(first, last, i)
	})
	s.mergeTotals()
}

func (s *batch) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	for k, n := range s.nwk[w*s.stride : w*s.stride+s.p.K] {
		if n > 0 {
			dst = append(dst, counts.Entry{Topic: uint32(k), Count: uint32(n)})
		}
	}
	return dst
}

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
