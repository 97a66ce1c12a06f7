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

// NewPhases returns warp's phases for a problem. It does not read the problem's words.
func NewPhases(p *sampler.Problem) sampler.Phases {
	if p.K <= 1<<16 {
		return newPhases[uint16](p)
	}
	return newPhases[uint32](p)
}

// RecordBytes returns the size of a token of Phases.
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

// warpSmall reports whether a token is a topic and two proposals that fit 32 bits.
func warpSmall(p *sampler.Problem) bool {
	return cmp.Or(p.Tuning.MHSteps, warpProposals) == 2 && p.K <= 1<<walk.SmallBits
}

// phases gives every goroutine a sampler of its own for the slice or block at hand.
type phases[T walk.Topic] struct {
	*warp[T]            // the workers and the frozen values
	small    bool       // records have 32 bits
	views    []*warp[T] // by goroutine: the slice or block at hand
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

// hold sets the tokens of a view.
func (s *phases[T]) hold(view *warp[T], tokens []byte, begins []int) {
	view.tokens.Begins = begins
	switch {
	case s.small:
		view.tokens.Small = unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(tokens))), len(tokens)/4)
	case view.tokens.Stride == 0:
		view.tokens.Packed = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(tokens))), len(tokens)/8)
	default:
		view.tokens.Topics = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(tokens))),
			len(tokens)/int(unsafe.Sizeof(T(0))))
	}
}

// atBlock returns a goroutine's worker, set to a block.
func (s *phases[T]) atBlock(goroutine int, b *sampler.TokenBlock) *warpWorker[T] {
	view := s.views[goroutine]
	own := *s.p
	own.Offsets = b.Offsets
	view.p, view.places, view.firstBlock = &own, b.Places, b.Number
	docs := len(b.Offsets) - 1
	view.blocks = append(view.blocks[:0], grid.Block{LastDoc: docs, End: int(b.Offsets[docs])})
	s.hold(view, b.Records, s.none)
	return s.workers[goroutine]
}

// atWords returns a goroutine's worker, set to some words.
func (s *phases[T]) atWords(goroutine int, words *sampler.WordTokens) *warpWorker[T] {
	view := s.views[goroutine]
	view.first, view.segments, view.firstWord = words.First, nil, words.FirstWord
	if n := len(words.Segments); n > 0 {
		view.segments = unsafe.Slice((*walk.Segment)(unsafe.Pointer(&words.Segments[0])), n/3)
	}
	s.hold(view, words.Records, words.Begins)
	return s.workers[goroutine]
}

func (s *phases[T]) Start(goroutine int, b *sampler.TokenBlock, z []uint32) {
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
func (s *phases[T]) countBlock(w *warpWorker[T], b *sampler.TokenBlock) {
	n := int(b.Offsets[len(b.Offsets)-1])
	s.room(w, n)
	for i := range n {
		w.row.Cells[w.s.tokens.At(i)].Total++
	}
}

func (s *phases[T]) Count(goroutine int, b *sampler.TokenBlock) error {
	w := s.atBlock(goroutine, b)
	for i := range int(b.Offsets[len(b.Offsets)-1]) {
		if k := w.s.tokens.At(i); int(k) >= s.p.K {
			return fmt.Errorf("a token has topic %d of %d", k, s.p.K)
		}
	}
	s.countBlock(w, b)
	return nil
}

// room flushes a worker's totals, which have 32 bits, if that many tokens more could overflow them.
func (s *phases[T]) room(w *warpWorker[T], tokens int) {
	if w.counted += tokens; w.counted > warpFlush {
		w.flush()
		w.counted = tokens
	}
}

func (s *phases[T]) Freeze(nk []uint64, priors *sampler.Priors) {
	counts.Copy(s.nk, nk)
	s.freeze(priors)
	for _, view := range s.views {
		view.alpha, view.beta, view.betaSum = s.alpha, s.beta, s.betaSum
	}
}

func (s *phases[T]) Propose(goroutine int, b *sampler.TokenBlock, iteration int) {
	s.docPhase(goroutine, b, iteration, false)
}

func (s *phases[T]) DocPhase(goroutine int, b *sampler.TokenBlock, iteration int) {
	s.docPhase(goroutine, b, iteration, true)
}

func (s *phases[T]) docPhase(goroutine int, b *sampler.TokenBlock, iteration int, walk bool) {
	w := s.atBlock(goroutine, b)
	s.room(w, int(b.Offsets[len(b.Offsets)-1]))
	w.s.iteration = uint32(iteration)
	w.Docs(b.Number, walk)
}

func (s *phases[T]) WordPhase(goroutine int, words *sampler.WordTokens, iteration int) {
	w := s.atWords(goroutine, words)
	w.s.iteration = uint32(iteration)
	w.words(0, len(words.First)-1, nil)
}

func (s *phases[T]) Totals() []uint64 {
	nk := make([]uint64, s.p.K)
	for i, w := range s.workers {
		w.flush()
		counts.Add(nk, s.views[i].nk)
		clear(s.views[i].nk)
	}
	return nk
}

func (s *phases[T]) Topics(goroutine int, b *sampler.TokenBlock, z []uint32) {
	w := s.atBlock(goroutine, b)
	if len(z) <= warpBlockTokens {
		w.s.tokens.CopyBlock(z, b.Number, b.Places)
		return
	}
	for i := range z {
		z[i] = w.s.tokens.Topic(b.Number, w.s.Place(b.Number, i))
	}
}

func (s *phases[T]) Row(goroutine int, dst []counts.Entry, words *sampler.WordTokens, i int) []counts.Entry {
	return s.atWords(goroutine, words).appendRow(dst, i)
}

func (s *phases[T]) CountDocs(goroutine int, b *sampler.TokenBlock) {
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
