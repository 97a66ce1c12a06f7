package batch

import (
	"context"
	"fmt"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// lists draws what batch draws,
//
//	p(z = k) ∝ (n_dk + α_k) · (n_wk + β) / (n_k + Vβ)
//
// with the same counts fresh or frozen, in O(K_d) instead of O(K), K_d topics being in the document: a document is
// a list of its topics, of which those matter that its word has too, and what priors add is drawn from sums that are
// made for each word before the mini-batch (lists_draw.go). At K = 1000 a document of 300 tokens has some 50
// topics and five of a word's, so a token costs a look at four registers of its list, and at five counts.
//
// Tokens begin with one of 32 topics chosen at random for their document: lists are then short from the first sweep,
// and the held-out score of the first sweeps is ahead of that of topics chosen for each token.
type lists struct {
	tokens
	schedule *draw32.Schedule
	rows     *narrowRows
	round    *listRound
	wanted   []bool // V: words of the mini-batch
	workers  []*listWorker
}

// ListsInfo describes lists.
var ListsInfo = sampler.Info{
	Near:    0.34,
	Name:    "lists",
	Summary: "exact draws as batch's, over the topics that document and word share; SIMD, all cores",
	Cost:    "O(K_d)",
	Source:  "Moon et al. 2018 (AGA-LDA), lists of topics as in Yao, Mimno & McCallum 2009",
	MaxK:    1 << 16,
	Tables:  listTables,
	New:     newLists,
	NewOn:   newListsOn,
	Cutting: &listCutting,
}

// listTables is what rows and sums take, had no word a wide row.
func listTables(p *sampler.Problem) uint64 { return uint64(p.V) * (uint64(p.K)*5/4 + maskBits/8) }

// listChunk is the most words of a chunk: tokens of so many change places.
const listChunk = 16

// startTopics is how many topics the tokens of a document begin with, at most.
const startTopics = 32

// listLimits says how large blocks are: about a hundred of them, so that there is work for many threads in
// each of several mini-batches, but for small corpora fewer, because what is done for each word of a block must be for some tokens.
func listLimits(p *sampler.Problem) grid.Limits {
	n := p.CorpusTokens()
	return grid.Limits{Tokens: max(1<<12, min(1<<18, n/32, max(1<<16, n/128))), Docs: 1 << 16}
}

func newLists(p *sampler.Problem) (sampler.Sampler, error) {
	most, err := mostOf(p)
	if err != nil {
		return nil, err
	}
	return makeLists(p, most), nil
}

// mostOf counts how often each word occurs, and refuses documents that are too long.
func mostOf(p *sampler.Problem) ([]uint64, error) {
	for d := range p.D() {
		if n := p.Offsets[d+1] - p.Offsets[d]; n > tokensMost {
			return nil, fmt.Errorf("sampler %q takes documents of at most %d tokens, and document %d has %d: cut it, or train with sampler %q", "lists", tokensMost, d+1, n, "batch")
		}
	}
	most := make([]uint64, p.V)
	for _, w := range p.Words {
		most[w]++
	}
	return most, nil
}

// makeLists makes a sampler of words of which so many can be counted.
func makeLists(p *sampler.Problem, most []uint64) *lists {
	s := layLists(p, most)
	s.schedule = draw32.NewSchedule(s.grid, listChunk, p.Threads)
	return s
}

// layLists makes one that cannot draw: without the schedule.
func layLists(p *sampler.Problem, most []uint64) *lists {
	s := &lists{tokens: newTokens(p, listLimits(p)), rows: newNarrowRows(most, p.K), wanted: make([]bool, p.V)}
	s.round = newListRound(p, s.rows, most, s.ranges)
	s.workers = make([]*listWorker, p.Threads)
	for i := range s.workers {
		s.workers[i] = &listWorker{s: s, docs: docLists{place: make([]uint32, p.K)}, scratch: newMatchScratch(p.K), deltas: make([]int64, p.K), cells: make([]uint16, listChunk*s.rows.stride+beyond)}
	}
	return s
}

// Start implements Sampler.
func (s *lists) Start(z []uint32, _ *sampler.Priors) error {
	s.setTopics(z, s.firstTopic)
	s.Recount()
	return nil
}

// firstTopic is one of startTopics topics that are chosen for the document, which is known by its first token.
func (s *tokens) firstTopic(doc, token int) uint32 {
	random := sampler.Draws{Key: rng.NewKey(s.p.Seed), Purpose: sampler.ForStart}
	one := rng.Below(random.Word(uint64(s.p.Origin()+token)), startTopics)
	four := random.Step(uint64(s.p.Origin())+s.p.Offsets[doc], int(one/4))
	return rng.Below(four[one%4], uint32(s.p.K))
}

// Recount computes n_wk and n_k from z.
func (s *lists) Recount() {
	clear(s.nk)
	parallel.Do(context.Background(), s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		w, lo, hi := s.workers[thread], s.ranges[i], s.ranges[i+1]
		for word := lo; word < hi; word++ {
			s.rows.clear(word)
		}
		for j, b := range s.grid.Blocks {
			for _, seg := range s.segments(j, i) {
				s.rows.add(seg.Word, s.z[b.Begin+int(seg.Begin):b.Begin+int(seg.End)], w.deltas)
			}
		}
	})
	s.mergeTotals()
}

// mergeTotals adds the workers' changes to n_k.
func (s *lists) mergeTotals() {
	for _, w := range s.workers {
		for k, n := range w.deltas {
			s.nk[k] += n
		}
		clear(w.deltas)
	}
}

// Sweep implements Sampler.
func (s *lists) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	for _, r := range s.BatchesIn(sampler.BatchesIn(s.p.Tuning, iteration)) {
		if err := s.sampleBlocks(ctx, r[0], r[1], iteration, priors); err != nil {
			return err
		}
		s.update(r[0], r[1])
	}
	return nil
}

// sampleBlocks draws all tokens of the blocks first … last-1 anew.
func (s *lists) sampleBlocks(ctx context.Context, first, last, iteration int, priors *sampler.Priors) error {
	s.round.begin(s.nk, s.p.CorpusWords(), priors)
	if err := s.prepare(ctx, s.grid.Blocks[first:last]); err != nil {
		return err
	}
	return parallel.Do(ctx, s.p.Threads, last-first, func(thread, i int) {
		s.workers[thread].sample(first+i, iteration)
	})
}

// prepare makes the round's tables for all words of these blocks.
func (s *lists) prepare(ctx context.Context, blocks []grid.Block) error {
	clear(s.wanted)
	for _, seg := range s.grid.Segments[blocks[0].FirstSeg:blocks[len(blocks)-1].LastSeg] {
		s.wanted[seg.Word] = true
	}
	return parallel.Do(ctx, s.p.Threads, len(s.ranges)-1, func(_, i int) {
		list := s.round.room[i]
		for w := s.ranges[i]; w < s.ranges[i+1]; w++ {
			if s.wanted[w] {
				list = s.round.prepare(w, list)
			}
		}
	})
}

// update brings n_wk and n_k up to date with the blocks first … last-1, which were just
// sampled. Every thread owns a range of words, so no two write the same row.
func (s *lists) update(first, last int) {
	parallel.Do(context.Background(), s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		for j, b := range s.grid.Blocks[first:last] {
			for _, seg := range s.segments(first+j, i) {
				begin, end := b.Begin+int(seg.Begin), b.Begin+int(seg.End)
				s.rows.move(seg.Word, s.old[begin:end], s.z[begin:end], s.workers[thread].deltas)
			}
		}
	})
	s.mergeTotals()
}

// AppendRow implements Sampler.
func (s *lists) AppendRow(dst []counts.Entry, w int) []counts.Entry { return s.rows.append(dst, w) }

// Histograms implements Sampler.
func (s *lists) Histograms() *counts.Histograms {
	h := s.docHistograms()
	h.Add(&sampler.RowHistograms(s.p, s, s.ranges).Histograms)
	copy(h.TopicTotals, s.TopicTotals())
	return &h.Histograms
}

// docHistograms counts all documents.
func (s *lists) docHistograms() *sampler.Histograms {
	return sampler.CountHistograms(s.p, len(s.grid.Blocks), func(h *sampler.Histograms, thread, i int) {
		s.workers[thread].countDocs(s.grid.Blocks[i], h)
	})
}

// listWorker is one goroutine's scratch.
type listWorker struct {
	s       *lists
	docs    docLists      // of the block
	words   []listWord    // of the chunk
	next    []listWord    // of the next one
	cells   []uint16      // words of a chunk × whole groups: their rows, where lists were spread; else 0
	random  sampler.Words // 32 random bits per token of the block
	scratch *matchScratch
	deltas  []int64 // K: changes to n_k

	entries []counts.Entry // a row of a part's frozen counts
}

// sample draws all tokens of a block anew.
func (w *listWorker) sample(block, iteration int) {
	s := w.s
	b := s.grid.Blocks[block]
	copy(s.old[b.Begin:b.End], s.z[b.Begin:b.End])
	w.fill(b)
	origin := s.p.Origin()
	random := w.random.Tokens(sampler.Draws{Key: rng.NewKey(s.p.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}, origin+b.Begin, origin+b.End)
	chunks := s.schedule.Tiles[block]
	w.next = w.wordsOf(w.next[:0], chunks, 0)
	for i, c := range chunks {
		w.words, w.next = w.next, w.wordsOf(w.words[:0], chunks, i+1)
		w.spread()
		drawLists(&listArgs{
			topics: s.p.K, docs: &w.docs, round: s.round, words: w.words, next: w.next, of: s.schedule.Rows[c.Begin:c.End], doc: s.grid.Docs[c.Begin:c.End], z: s.z[c.Begin:c.End],
			random: random[c.Begin-b.Begin : c.End-b.Begin], order: s.schedule.Order[c.Begin:c.End], quads: c.Quads, scratch: w.scratch,
		})
		w.gather()
	}
}

// fill lists the topics of a block's documents.
func (w *listWorker) fill(b grid.Block) {
	s := w.s
	w.docs.fill(b, s.p.Offsets[b.FirstDoc:b.LastDoc+1], s.grid.Docs[b.Begin:b.End], s.z[b.Begin:b.End], s.round.whole)
}

// countDocs adds the block's documents to h.
func (w *listWorker) countDocs(b grid.Block, h *sampler.Histograms) {
	w.fill(b)
	for d := range b.Docs() {
		h.DocLengths = sampler.Bump(h.DocLengths, int(w.s.p.Offsets[b.FirstDoc+d+1]-w.s.p.Offsets[b.FirstDoc+d]))
		for i := range w.docs.length[d] {
			k, n := w.docs.entry(d, i)
			h.Topic[k] = sampler.Bump(h.Topic[k], int(n))
		}
	}
}
