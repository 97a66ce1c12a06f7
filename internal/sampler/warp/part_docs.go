package warp

import (
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

// docRows is how many documents a block of threads takes together, 0 if each has one of its own.
func (s *warpShared) docRows() int {
	if s.m > 2 || s.hashed {
		return 0
	}
	return grouping.Rows(s.p.K, s.limits.docRows, s.limits.shared, grouping.DocBytes)
}

// mostShort is the most tokens of a short document.
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
	load.shortRoom = (load.shortRoom + 1) &^ 1 // columns of 16-bit numbers end where 32-bit ones can begin
	if rows > 0 {
		heads, load.short = layout.Numbers(groups.Groups), len(groups.Groups)
	}
	return heads, groups.Shares, longEnds, longs
}

// docPhase launches the doc phase of a load, or only its proposals.
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

// shortDocs launches the work on short documents; rest is the last arguments.
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
