// Package warp implements WarpLDA (Chen et al. 2016): Metropolis-Hastings steps in two phases, one word by
// word, the other document by document. This file defines what it computes; walk/kernel.go defines a step in
// portable Go. Other files run it on parts, from files, and on a GPU.
package warp

import (
	"cmp"
	"sync"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warp is Metropolis-Hastings with counts frozen per phase, after WarpLDA (Chen, Li, Zhu and Chen, "WarpLDA: a cache
// efficient O(1) algorithm for latent Dirichlet allocation", VLDB 2016, §4). Its target is the collapsed conditional
//
//	p(k) ∝ (n_dk + α_k) · (n_wk + β) / (n_k + Vβ)
//
// A token has a topic z and M proposed topics (M is Tuning.MHSteps). It costs O(1) whatever K: random access touches
// one word's row or one document's row at a time, and n_wk is never stored, only counted word by word. Choose it for a
// thousand topics and more.
//
// # Definition
//
// All arithmetic is in whole numbers or in float32, each operation rounded, none fused. Row n_x is n_w in the word
// phase and n_d in the doc phase; prior_k is float32(β) and float32(α_k).
//
// An iteration:
//
//  1. Freeze inv_k = float32(1 / (float64(n_k) + float64(V)·β)).
//  2. Doc-proposals: M per token, from n_dk + α_k (see Proposals). They belong to
//     the phase before: they are drawn with the random numbers of iteration-1.
//  3. Word phase. Word by word, count n_wk from the topics before the phase.
//     Every token walks its doc-proposals, then gets M word-proposals drawn from
//     n_wk + β by the same row.
//  4. Doc phase. Document by document, count n_dk from the topics after the word
//     phase. Every token walks its word-proposals. When all of a document's
//     tokens have, its doc-proposals for the next iteration are drawn (step 2).
//
// So the doc-proposals are a function of the topics, α and random numbers, and
// topics are all that a checkpoint has to keep.
//
// Walk. A token has topic s, and own is the topic it had when the phase began.
//
//	f(k) = (float32(n_xk - [k = own]) + prior_k) · inv_k
//
// For its proposals t in order: if u·f(s) < f(t) then s becomes t, where u = rng.Float32(x). The other factor of the
// conditional cancels against the distribution from which t was drawn. The own count is out of n_x, but stays in n_k,
// where it is one of thousands.
//
// Proposals. In a row of n tokens (the document's, or all of the word's), with
// smooth = Σα, added up in increasing k, or float64(K)·β, and total = float64(n) + smooth:
//
//	cut   = min(2^32-1, ⌊2^32 · (n / total)⌋)        in float64
//	total = frac · 2^e,  ½ ≤ frac < 1,  mul = ⌊frac · 2^32⌋
//
// If y < cut, the proposal is a topic of the row: that of place (y · mul) >> (64-e), in 64-bit arithmetic, a number
// below n. Place r of a word is the topic whose cumulative count exceeds r, topics in increasing order; place r of a
// document is the topic of its token number r after the phase. Otherwise it comes from the prior by v = ((y << 8 | x &
// 255) · 0x9E3779B1) mod 2^32: topic k = (v·K) >> 32, in the doc phase replaced by the alias of column k if (v·K) mod
// 2^32 is not below the threshold of column k (see walk.Alias). The multiplication spreads the few v that are left
// where n is large over all topics.
//
// Random numbers. The grid (blocks of at most 65,536 tokens and as many documents) numbers blocks, and tokens inside a
// block. Proposal j of the token in place i of block b has words x, y = 2 (j mod 2) and 2 (j mod 2) + 1 of the Philox
// block with counter (i, iteration, purpose + 256 ⌊j/2⌋, b), where purpose is ForWarpWord or ForWarpDoc. A document's
// tokens are numbered by increasing i: since the grid and the corpus both sort a document by word, token number r has
// the same word in both.
type warp[T walk.Topic] struct {
	p *sampler.Problem
	m int // proposals per token
	warpLayout
	firstWord  int // vocabulary number of word 0
	firstBlock int // number of blocks[0] in the corpus; all numbers of blocks are those of the corpus

	tokens walk.Tokens[T]
	nk     []int64    // K: n_k without pseudo-counts
	adding sync.Mutex // held by workers while they add to nk
	ranges []int      // word ranges of about equal work

	// These fields are frozen for an iteration.
	iteration uint32
	beta      float32
	betaSum   float64 // Kβ
	alpha     walk.Alpha

	frozen *sampler.Frozen // of a part; nil if rows are counted from the tokens

	proposed   int // iteration whose doc-proposals tokens holds, 0 for none
	workers    []*warpWorker[T]
	rowWorkers sync.Pool // of *warpWorker[T], for AppendRow
}

// warpWorker is the memory of one goroutine.
type warpWorker[T walk.Topic] struct {
	s       *warp[T]
	key     rng.Key
	counted int // tokens since the last flush
	c       walk.Columns
	row     walk.TopicRow
	far     bool     // there are too many cells for the caches
	sorted  []uint32 // the word's topics in increasing order, each as often as it occurs

	entries []counts.Entry // a row of a part's frozen counts
	dense   []int32        // K: scratch for Frozen.DenseRow; nil until it is needed
}

func newWarpWorker[T walk.Topic](s *warp[T]) *warpWorker[T] {
	return &warpWorker[T]{
		s:   s,
		key: rng.NewKey(s.p.Seed),
		c:   walk.NewColumns(s.m),
		row: walk.NewTopicRow(s.p.K),
		far: s.p.K >= warpFar,
	}
}

const (
	warpProposals   = 2       // default M: it reaches a score in the least time (docs/samplers/warp.md)
	warpBlockTokens = 1 << 16 // tokens in a block: the state fits a second-level cache, places fit 16 bits
	warpRanges      = 256     // word ranges; a multiple of any likely number of threads
)

// makeWarp returns a sampler whose tokens take stride(M) topics each.
func makeWarp[T walk.Topic](p *sampler.Problem, layout warpLayout, stride func(m int) int) *warp[T] {
	s := newWarpFor[T](p)
	s.Lay(p, layout, stride)
	s.ranges = sampler.EqualRangesOf(s.before, warpRanges)
	return s
}

// newWarpFor returns a sampler without tokens for problems with p's topics, threads and tuning.
func newWarpFor[T walk.Topic](p *sampler.Problem) *warp[T] {
	s := &warp[T]{
		p:       p,
		m:       cmp.Or(p.Tuning.MHSteps, warpProposals),
		nk:      make([]int64, p.K),
		workers: make([]*warpWorker[T], max(1, p.Threads)),
	}
	for i := range s.workers {
		s.workers[i] = newWarpWorker(s)
	}
	s.rowWorkers.New = func() any { return newWarpWorker(s) }
	return s
}

// Lay sets the problem and allocates memory for its tokens, or reuses that of the problem before.
func (s *warp[T]) Lay(p *sampler.Problem, layout warpLayout, stride func(m int) int) {
	s.p, s.warpLayout, s.proposed = p, layout, 0
	s.tokens.Lay(p.N(), s.m, stride(s.m))
	s.firstBlock = p.OriginBlock()
	s.tokens.Begins = append(s.tokens.Begins[:0], make([]int, s.firstBlock)...) // entries before the part's blocks are never read
	for _, b := range s.blocks {
		s.tokens.Begins = append(s.tokens.Begins, b.Begin)
	}
}

// block returns block b of the corpus, which must be one of the problem's.
func (s *warp[T]) block(b int) grid.Block { return s.blocks[b-s.firstBlock] }

// Place returns the place in block b of its token i in corpus order.
func (s *warp[T]) Place(b, i int) int {
	block := s.block(b)
	if block.Tokens() > warpBlockTokens {
		return i
	}
	return int(s.places[block.Begin+i])
}

// pseudo returns the pseudo-counts of a word.
func (s *warp[T]) pseudo(word int) []counts.Entry { return s.p.Pseudo.Row(s.firstWord + word) }

// copyTopics copies the topics of a block in corpus order.
func (s *warp[T]) copyTopics(z []uint32, b int) {
	if block := s.block(b); block.Tokens() <= warpBlockTokens {
		s.tokens.CopyBlock(z, b, s.places[block.Begin:block.End])
		return
	}
	for i := range z {
		z[i] = s.tokens.Topic(b, i)
	}
}

func (s *warp[T]) TopicTotals() []uint64 {
	totals := make([]uint64, s.p.K)
	counts.Copy(totals, s.nk)
	counts.AddTotals(totals, s.p.Pseudo)
	return totals
}
