package warp

import (
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

var Info = sampler.Info{
	Near: 0.26,
	Files: sampler.Files{Stream: &sampler.Stream{
		RecordBytes: RecordBytes, SegmentTokens: walk.MostTokens, Phases: NewPhases, Sort: sortBlocks,
	}},
	Name:    "warp",
	Summary: "WarpLDA: Metropolis-Hastings, counts frozen per phase; fastest with many topics",
	Cost:    "O(1)",
	Source:  "Chen et al. 2016, §4",
	MaxK:    1 << 20,
	Guided:  sampler.Always,
	New:     newWarp,
	NewOn:   newWarpOn,
	Lay:     func(p *sampler.Problem) any { return newWarpLayout(p) },
	Cutting: &warpCutting,
}

func newWarp(p *sampler.Problem) (sampler.Sampler, error) {
	if p.K <= 1<<16 {
		return makeWarp[uint16](p, newLeanLayout(p), walk.Stride[uint16]), nil
	}
	return makeWarp[uint32](p, newLeanLayout(p), walk.Stride[uint32]), nil
}

func newWarpOn(p *sampler.Problem, d *device.Device) (sampler.Remote, error) {
	limits := defaultWarpLimits(p.K, d)
	room, err := d.Room()
	if err != nil {
		return nil, err
	}
	if residentBytes(p) <= room {
		return newWarpWithin(p, d, limits)
	}
	if err := d.GiveWay(); err != nil { // the packed form uses all memory
		return nil, err
	}
	return newWarpPacked(p, d, limits)
}

// warpCutting describes how warp works on parts. The code is the same, except that the word phase takes rows from
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
