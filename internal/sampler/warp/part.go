package warp

import (
	"context"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warpPart is warp on a part.
type warpPart[T walk.Topic] struct {
	*warp[T]
	old  []T // N of the part, grid order: topics before the last round, unless tokens.KeepsOld
	near walk.Windows
}

func newWarpPart[T walk.Topic](p *sampler.Problem, old sampler.Kernel) sampler.Kernel {
	s, ok := old.(*warpPart[T])
	if !ok {
		s = &warpPart[T]{warp: newWarpFor[T](p)}
	}
	s.Lay(p, newWarpLayout(p), walk.Stride[T])
	p.Words = nil // the layout has all of them: 4 bytes a token
	s.ranges = s.byWork(warpRanges)
	s.near.Words = s.byWork(walk.WindowsOf(p.N()))
	return s
}

// byWork cuts the words into at most n ranges of about equal numbers of tokens.
func (s *warpPart[T]) byWork(n int) []int {
	ranges := []int{0}
	sum := 0
	for w := range s.p.V {
		sum += walk.TokensIn(s.segments[s.first[w]:s.first[w+1]])
		if sum*n >= s.p.N()*len(ranges) && len(ranges) < n {
			ranges = append(ranges, w+1)
		}
	}
	return append(ranges, s.p.V)
}

func (s *warpPart[T]) Round(ctx context.Context, iteration, _, _ int, model *sampler.Frozen,
	priors *sampler.Priors,
) error {
	if !s.p.Part.Forget && !s.tokens.KeepsOld() { // otherwise the word phase stores the old topics
		s.old = alloc.Resize(s.old, s.p.N())
		s.tokens.CopyTopics(s.old)
	}
	counts.Copy(s.nk, model.Totals)
	s.frozen = model
	defer func() { s.frozen = nil }()
	return s.Sweep(ctx, iteration, priors)
}

func (s *warpPart[T]) AddMoves(w int, n *sampler.Net) {
	segments := s.segments[s.first[w]:s.first[w+1]]
	t := &s.tokens
	if t.KeepsOld() {
		t.AddMoves(segments, n)
		return
	}
	n.Begin(walk.TokensIn(segments))
	for _, seg := range segments {
		begin := t.Begins[seg.Block] + int(seg.Begin)
		old := s.old[begin : begin+int(seg.N)]
		if t.Packed == nil {
			sampler.NetMoves(n, old, t.Topics[begin*t.Stride:], t.Stride)
			continue
		}
		sampler.NetRecords(n, old, t.Packed[begin:], walk.PackedMask)
	}
}

func (s *warpPart[T]) Capabilities() sampler.KernelCapabilities {
	return sampler.KernelCapabilities{
		EachTopics: s.EachTopics, NarrowTopics: s.NarrowTopics, TokenTotals: s.TokenTotals,
		BringNear: s.BringNear,
	}
}

// EachTopics implements sampler.KernelCapabilities.EachTopics. A run is a block.
func (s *warpPart[T]) EachTopics(f func(z []uint32) error) error {
	var z []uint32
	for i, block := range s.blocks {
		z = alloc.Resize(z, block.Tokens())
		s.copyTopics(z, s.firstBlock+i)
		if err := f(z); err != nil {
			return err
		}
	}
	return nil
}

func (s *warpPart[T]) NarrowTopics(z []uint16) (bool, error) {
	if s.p.K > 1<<16 {
		return false, nil
	}
	return true, parallel.Do(context.Background(), s.p.Threads, len(s.blocks), func(_, i int) {
		b, block := s.firstBlock+i, s.blocks[i]
		s.tokens.PrefetchRun(nil, block.Begin, block.End)
		run := z[block.Begin:block.End]
		if len(run) > warpBlockTokens { // one document, whose tokens are in order
			for at := range run {
				run[at] = uint16(s.tokens.Topic(b, at))
			}
			return
		}
		s.tokens.CopyNarrow(run, b, s.places[block.Begin:block.End])
	})
}

// TokenTotals implements sampler.KernelCapabilities.TokenTotals. The doc phase has counted all topics.
func (s *warpPart[T]) TokenTotals(totals []uint64) bool {
	counts.Copy(totals, s.nk)
	return true
}

func (s *warpPart[T]) Memory() []byte {
	if s.tokens.Packed != nil {
		return mapfile.Memory(s.tokens.Packed)
	}
	return warpBytes(s.tokens.Topics)
}

// warpBytes returns the memory of topics as bytes.
func warpBytes[T walk.Topic](topics []T) []byte {
	if len(topics) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&topics[0])), len(topics)*int(unsafe.Sizeof(topics[0])))
}

func (s *warpPart[T]) Restore(iteration int) {
	s.proposed = 0
	if iteration > 0 {
		s.proposed = iteration + 1
	}
}

func (s *warpPart[T]) Documents() *counts.Histograms {
	s.old = nil
	return &s.docHistograms().Histograms
}

// BringNear implements sampler.KernelCapabilities.BringNear. It prefetches the window that contains word w,
// and returns its end.
func (s *warpPart[T]) BringNear(w int) int {
	list := s.old
	if s.tokens.KeepsOld() {
		list = nil
	}
	return s.near.Each(w, len(s.blocks), s.firstBlock, s.first, s.segments, func(block int, begin, end uint32) {
		from := s.blocks[block].Begin
		s.tokens.PrefetchRun(list, from+int(begin), from+int(end))
	})
}
