package warp

import (
	"cmp"
	"fmt"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// Phases is warp on tokens that are kept elsewhere: slices of the vocabulary are brought to it
// for the word phase, blocks for the doc phase. It never needs more than those at hand, and no
// n_wk at all. Goroutines with different numbers below Problem.Threads may work on different
// slices or blocks at the same time.
type Phases interface {
	// RecordBytes is the size of a token.
	RecordBytes() int

	// Start sets the topics of a block: to z in corpus order, or to those with
	// which the sampler starts when z is nil.
	Start(goroutine int, b *Block, z []uint32)

	// Freeze takes n_k and the priors for the phases that follow.
	Freeze(nk []uint64, priors *sampler.Priors)

	// Propose draws a block's doc-proposals anew, as the doc phase of an iteration
	// would have drawn them under the priors of Freeze.
	Propose(goroutine int, b *Block, iteration int)

	// WordPhase runs the word phase of an iteration for words that have doc-proposals.
	WordPhase(goroutine int, s *Slice, iteration int)

	// DocPhase runs the doc phase of an iteration for a block whose words have all
	// been through the word phase. Proposals are drawn for the iteration after.
	DocPhase(goroutine int, b *Block, iteration int)

	// Count counts the topics of a block for Totals. It is an error, and nothing is
	// counted, if one is not below K.
	Count(goroutine int, b *Block) error

	// Totals returns n_k of all blocks for which Start, Propose, DocPhase or Count
	// was called since the last call.
	Totals() []uint64

	// Topics copies the topics of a block into z, in corpus order.
	Topics(goroutine int, b *Block, z []uint32)

	// Row appends the row of word number w of a slice.
	Row(goroutine int, dst []counts.Entry, s *Slice, w int) []counts.Entry

	// CountDocs adds the documents of a block to the histograms.
	CountDocs(goroutine int, b *Block)

	// Histograms returns DocLengths and Topic of all blocks that were counted, and
	// begins anew.
	Histograms() *counts.Histograms
}

// Block is a block of the grid with its tokens.
type Block struct {
	Number  int      // in the grid
	Begin   int      // number of its first token in the corpus
	Offsets []uint64 // of its documents, from 0
	Places  []uint16 // of its tokens in corpus order; of no meaning in a block longer than 65,536 tokens
	Tokens  []byte   // its tokens in grid order, aligned to 8 bytes
}

// Slice is all tokens of some words that follow each other in the vocabulary.
type Slice struct {
	First    []int    // words+1: word w has segments First[w] … First[w+1]-1
	Segments []uint32 // three numbers for each: block, first place in it, tokens, at most SegmentTokens
	Begins   []int    // by block: where its token in place 0 would be among the tokens below, if it was there
	Tokens   []byte   // the tokens, aligned to 8 bytes
}

// SegmentTokens is the most tokens in a segment of a Slice.
const SegmentTokens = walk.MostTokens

// NewPhases makes warp for a problem, whose words are not looked at.
func NewPhases(p *sampler.Problem) Phases {
	if p.K <= 1<<16 {
		return newPhases[uint16](p)
	}
	return newPhases[uint32](p)
}

// RecordBytes is the size of a token of Phases.
func RecordBytes(p *sampler.Problem) int {
	m := cmp.Or(p.Tuning.MHSteps, warpProposals)
	switch {
	case warpSmall(p):
		return 4
	case p.K <= 1<<16:
		return 2 * walk.Stride[uint16](m)
	case walk.Stride[uint32](m) > 0:
		return 4 * walk.Stride[uint32](m)
	}
	return 8
}

// warpSmall says whether three topics fit 32 bits and more are not needed.
func warpSmall(p *sampler.Problem) bool {
	return cmp.Or(p.Tuning.MHSteps, warpProposals) == 2 && p.K <= 1<<walk.SmallBits
}

// phases gives every goroutine a sampler of its own for the slice or block at hand.
type phases[T walk.Topic] struct {
	*warp[T]            // has the workers and what is frozen
	small    bool       // records have 32 bits
	views    []*warp[T] // by goroutine: what its worker works on
	none     []int      // as many zeros as there are blocks
	sums     []*sampler.Histograms
}

func newPhases[T walk.Topic](p *sampler.Problem) *phases[T] {
	s := &phases[T]{warp: newWarpFor[T](p), none: make([]int, len(grid.Cut(p.Offsets, BlockLimits)))}
	s.small = warpSmall(p)
	for _, w := range s.workers {
		view := &warp[T]{p: p, m: s.m, nk: make([]int64, p.K)}
		view.tokens.M = s.m
		if !s.small {
			view.tokens.Stride = walk.Stride[T](s.m)
		}
		w.s = view
		s.views = append(s.views, view)
	}
	s.sums = make([]*sampler.Histograms, len(s.workers))
	return s
}

func (s *phases[T]) RecordBytes() int { return RecordBytes(s.p) }

// hold makes bytes the tokens of a view.
func (s *phases[T]) hold(view *warp[T], tokens []byte, begins []int) {
	view.tokens.Begins = begins
	switch {
	case s.small:
		view.tokens.Small = unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(tokens))), len(tokens)/4)
	case view.tokens.Stride == 0:
		view.tokens.Packed = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(tokens))), len(tokens)/8)
	default:
		view.tokens.Topics = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(tokens))), len(tokens)/int(unsafe.Sizeof(T(0))))
	}
}

// atBlock brings a block before a goroutine's worker.
func (s *phases[T]) atBlock(goroutine int, b *Block) *warpWorker[T] {
	view := s.views[goroutine]
	own := *s.p
	own.Offsets = b.Offsets
	view.p, view.places, view.firstBlock = &own, b.Places, b.Number
	docs := len(b.Offsets) - 1
	view.blocks = append(view.blocks[:0], grid.Block{LastDoc: docs, End: int(b.Offsets[docs])})
	s.hold(view, b.Tokens, s.none)
	return s.workers[goroutine]
}

// atWords brings words before a goroutine's worker.
func (s *phases[T]) atWords(goroutine int, slice *Slice) *warpWorker[T] {
	view := s.views[goroutine]
	view.first, view.segments = slice.First, nil
	if n := len(slice.Segments); n > 0 {
		view.segments = unsafe.Slice((*walk.Segment)(unsafe.Pointer(&slice.Segments[0])), n/3)
	}
	s.hold(view, slice.Tokens, slice.Begins)
	return s.workers[goroutine]
}

func (s *phases[T]) Start(goroutine int, b *Block, z []uint32) {
	w := s.atBlock(goroutine, b)
	random := sampler.Draws{Key: rng.NewKey(s.p.Seed), Purpose: sampler.ForStart}
	for i := range int(b.Offsets[len(b.Offsets)-1]) {
		var k uint32
		if z != nil {
			k = z[i]
		} else {
			k = rng.Below(random.Word(uint64(b.Begin+i)), uint32(s.p.K))
		}
		w.s.tokens.Set(b.Number, w.s.Place(b.Number, i), k)
	}
	s.countBlock(w, b)
}

// countBlock adds the topics of a block to the worker's totals.
func (s *phases[T]) countBlock(w *warpWorker[T], b *Block) {
	n := int(b.Offsets[len(b.Offsets)-1])
	s.room(w, n)
	for i := range n {
		w.row.Cells[w.s.tokens.At(i)].Total++
	}
}

func (s *phases[T]) Count(goroutine int, b *Block) error {
	w := s.atBlock(goroutine, b)
	for i := range int(b.Offsets[len(b.Offsets)-1]) {
		if k := w.s.tokens.At(i); int(k) >= s.p.K {
			return fmt.Errorf("a token has topic %d of %d", k, s.p.K)
		}
	}
	s.countBlock(w, b)
	return nil
}

// CheckPlaces checks that every token of the block has a place of its own in it.
func (b *Block) CheckPlaces() error {
	n := int(b.Offsets[len(b.Offsets)-1])
	if n > warpBlockTokens {
		return nil // one document, whose tokens follow each other
	}
	taken := make([]bool, n)
	for i, place := range b.Places {
		if int(place) >= n || taken[place] {
			return fmt.Errorf("place %d of token %d is beyond the block, or another token's", place, i)
		}
		taken[place] = true
	}
	return nil
}

// room makes sure that a worker's totals, which have 32 bits, can count so many
// tokens more.
func (s *phases[T]) room(w *warpWorker[T], tokens int) {
	if w.counted += tokens; w.counted > warpFlush {
		w.flush()
		w.counted = tokens
	}
}

func (s *phases[T]) Freeze(nk []uint64, priors *sampler.Priors) {
	for k, n := range nk {
		s.nk[k] = int64(n)
	}
	s.freeze(priors)
	for _, view := range s.views {
		view.alpha, view.beta, view.betaSum = s.alpha, s.beta, s.betaSum
	}
}

func (s *phases[T]) Propose(goroutine int, b *Block, iteration int) {
	s.docPhase(goroutine, b, iteration, false)
}

func (s *phases[T]) DocPhase(goroutine int, b *Block, iteration int) {
	s.docPhase(goroutine, b, iteration, true)
}

func (s *phases[T]) docPhase(goroutine int, b *Block, iteration int, walk bool) {
	w := s.atBlock(goroutine, b)
	s.room(w, int(b.Offsets[len(b.Offsets)-1]))
	w.s.iteration = uint32(iteration)
	w.Docs(b.Number, walk)
}

func (s *phases[T]) WordPhase(goroutine int, slice *Slice, iteration int) {
	w := s.atWords(goroutine, slice)
	w.s.iteration = uint32(iteration)
	w.words(0, len(slice.First)-1, nil)
}

func (s *phases[T]) Totals() []uint64 {
	nk := make([]uint64, s.p.K)
	for i, w := range s.workers {
		w.flush()
		for k, n := range s.views[i].nk {
			nk[k] += uint64(n)
		}
		clear(s.views[i].nk)
	}
	return nk
}

func (s *phases[T]) Topics(goroutine int, b *Block, z []uint32) {
	w := s.atBlock(goroutine, b)
	if len(z) <= warpBlockTokens {
		w.s.tokens.CopyBlock(z, b.Number, b.Places)
		return
	}
	for i := range z {
		z[i] = w.s.tokens.Topic(b.Number, w.s.Place(b.Number, i))
	}
}

func (s *phases[T]) Row(goroutine int, dst []counts.Entry, slice *Slice, w int) []counts.Entry {
	return s.atWords(goroutine, slice).appendRow(dst, w)
}

func (s *phases[T]) CountDocs(goroutine int, b *Block) {
	if s.sums[goroutine] == nil {
		s.sums[goroutine] = sampler.NewHistograms(s.p.K)
	}
	s.atBlock(goroutine, b).countDocs(b.Number, s.sums[goroutine])
}

func (s *phases[T]) Histograms() *counts.Histograms {
	all := &sampler.NewHistograms(s.p.K).Histograms
	for i, h := range s.sums {
		if h != nil {
			all.Add(&h.Histograms)
			s.sums[i] = nil
		}
	}
	return all
}
