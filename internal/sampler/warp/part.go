package warp

import (
	"context"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warpCutting says how warp works on parts. The code is the same, except that the word phase takes rows from
// the frozen counts instead of counting them.
var warpCutting = sampler.Cutting{
	Limits: func(*sampler.Problem) grid.Limits { return BlockLimits },
	Rounds: func(sampler.Tuning, int) int { return 1 },
	Ends:   sampler.WholeRound,

	Slicewise: true,
	Kernel: func(p *sampler.Problem, old sampler.Kernel) sampler.Kernel {
		if p.K <= 1<<16 {
			return newWarpPart[uint16](p, old)
		}
		return newWarpPart[uint32](p, old)
	},
	On:      newPartsOn,
	OnFault: warpPartsFault,
	Several: true,
}

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

func (s *warpPart[T]) Round(ctx context.Context, iteration, _, _ int, model *sampler.Frozen, priors *sampler.Priors) error {
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

// Capabilities implements sampler.Kernel.
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

// NarrowTopics implements sampler.KernelCapabilities.NarrowTopics.
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
		return mapfile.Bytes(s.tokens.Packed)
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

// docRows returns how many documents a block of threads takes together, or 0 if it takes one at a time.
func (s *warpShared) docRows() int {
	if s.m > 2 || s.hashed {
		return 0
	}
	return grouping.Rows(s.p.K, s.limits.docRows, s.limits.shared, grouping.DocBytes)
}

// mostShort returns the most tokens of a short document.
func (s *warpShared) mostShort() int {
	if s.docRows() > 0 {
		return min(grouping.Tokens, s.limits.short)
	}
	return min(warpShortMost, s.limits.short/(s.m+1))
}

// docLists lists the load's documents.
func (s *warpShared) docLists(w *warp[uint16], load *warpLoad) (heads, shares, longEnds, longs []uint32) {
	most, rows := s.mostShort(), s.docRows()
	var groups grouping.List
	var docs []layout.WarpDocsHead
	for b := load.FirstBlock; b < load.LastBlock; b++ {
		block, fresh := w.block(b), true // fresh: the next document begins a group
		for d := block.FirstDoc; d < block.LastDoc; d++ {
			from, to := int(w.p.Offsets[d])-load.Begin, int(w.p.Offsets[d+1])-load.Begin
			switch n := to - from; {
			case n > most:
				longs = append(longs, uint32(len(longEnds)))
				longEnds = append(longEnds, uint32(from), uint32(to))
				fresh = true
			case n > 0 && rows > 0:
				if fresh || !groups.Fits(n, rows) {
					groups.Begin(uint32(b), uint32(block.Begin-load.Begin))
					groups.Last().From = uint32(from)
					fresh = false
				}
				groups.Add(uint32(n))
			case n > 0:
				docs = append(docs, layout.WarpDocsHead{From: uint32(from), N: uint32(n), Block: uint32(b), Begin: uint32(block.Begin - load.Begin)})
				load.shortRoom = max(load.shortRoom, n)
			}
		}
	}
	heads, load.short, load.long = layout.Numbers(docs), len(docs), len(longs)
	load.shortRoom = (load.shortRoom + 1) &^ 1 // aligns what follows a column of 16-bit numbers to 32 bits
	if rows > 0 {
		heads, load.short = layout.Numbers(groups.Groups), len(groups.Groups)
	}
	return heads, groups.Shares, longEnds, longs
}

// docPhase launches the doc phase of a load. Unless walk is set, topics stay and only proposals are drawn.
func (s *warpShared) docPhase(load *warpLoad, room *warpRoom, iteration int, walk bool) error {
	nk := s.nk
	if !walk {
		nk = s.unread
	}
	rest := docScalars(s.p, &s.alpha, s.inv, s.prior, nk, iteration, walk)
	err := device.FirstError(s.queue.Zero(), s.begun.Set(s.device.Main()), s.shortDocs(load, room, walk, rest))
	if err != nil || load.long == 0 {
		return err
	}
	far, long := "16", longShape(s.device, s.p.K, load.long, s.far)
	if s.far {
		far = "16_far"
	}
	return device.FirstError(
		s.beside.After(s.begun),
		s.beside.Launch("warp_docs", "warp_long_"+far, long, device.Flatten([]any{
			s.state, s.layout(), s.byDoc, room.list(load, warpLongEnds), room.list(load, warpLongs), uint32(load.long),
			room.list(load, warpStarts), uint32(load.LastBlock), s.scratch, rest,
		})...),
		s.ended.Set(s.beside), s.device.Main().After(s.ended),
	)
}

// shortDocs launches the doc phase of short documents; rest are the last arguments.
func (s *warpShared) shortDocs(load *warpLoad, room *warpRoom, walk bool, rest []any) error {
	if rows := s.docRows(); rows > 0 {
		name := s.steps()
		if walk && s.alpha.Symmetric {
			name += "_plain"
		}
		shape := device.Shape{Threads: grouping.Threads, Shared: grouping.DocBytes(s.p.K, rows), Blocks: min(load.short, s.device.Processors())}
		return s.launch("warp_stream_groups", "warp_stream_groups_"+name, shape, s.state, room.places, room.list(load, warpHeads), uint32(load.short),
			room.list(load, warpShares), uint32(rows), s.queue, rest)
	}
	name, row, column := "16", 3*((s.p.K+3)&^3), 2
	if s.hashed {
		name, row, column = s.steps()+"_hashed", 2*warpShortMost, 4
	}
	shape := device.Shape{
		Threads: 128, Shared: 4*(row+2) + load.shortRoom*(column*(s.m+1)+2), Blocks: min(load.short, 16*s.device.Processors()),
	}
	return s.launch("warp_stream", "warp_stream_docs_"+name, shape, s.state, s.layout(), s.byDoc, room.list(load, warpHeads), uint32(load.short),
		uint32(load.shortRoom), s.queue, rest)
}
