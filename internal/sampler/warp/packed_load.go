package warp

import (
	"cmp"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// warpPackedLoad holds the lists of some groups in the form that the device takes.
type warpPackedLoad struct {
	groups  int      // or documents, if they have no groups
	room    int      // documents without groups: tokens of the longest, rounded up to an even number
	words   []uint32 // of all groups, if they are of words
	numbers []uint32 // all lists, one after the other; nil after uploadLoads
	cuts    [packedLists + 1]int
	on      *device.Buffer[uint32] // the load on the device; nil if it passes through a slot
	held    *device.Host[uint32]   // the load on the host; nil if it stays on the device
}

// These are the lists of a load. Groups are first because they are read sixteen bytes at a time.
const (
	packedGroups = iota // Group of warp_groups.h, or Head of warp_docs.h
	packedShares        // Share of warp_groups.h
	packedBegins        // Runs of warp_packed.h, here and below
	packedBefore
	packedSegments
	packedMembers // bytes
	packedLists

	packedPlaces = packedBegins // in a load of documents: 16-bit numbers, DocPlaces of warp_doc_groups.h
)

func newWarpPackedLoad(groups int, heads, shares []uint32, rest ...[]uint32) *warpPackedLoad {
	load := &warpPackedLoad{groups: groups}
	lists := append([][]uint32{heads, shares}, rest...)
	for i := range packedLists {
		if i < len(lists) {
			load.numbers = append(load.numbers, lists[i]...)
		}
		load.cuts[i+1] = len(load.numbers)
	}
	return load
}

// list returns list i of a load, which lies in a buffer.
func (l *warpPackedLoad) list(on *device.Buffer[uint32], i int) *device.Buffer[uint32] {
	return on.View(l.cuts[i], l.cuts[i+1])
}

const warpPackedCopy = 1 << 18 // topics copied at a time

// warpPackedKind returns the variant of the kernels for a problem: bits of a topic and M.
func warpPackedKind(p *sampler.Problem) string {
	switch m := cmp.Or(p.Tuning.MHSteps, warpProposals); {
	case m == 1:
		return "16x1"
	case p.K <= 1<<10:
		return "10x2"
	}
	return "16x2"
}

// warpPackedNumbers returns how many numbers the state of all tokens has.
func warpPackedNumbers(p *sampler.Problem) int {
	if warpPackedKind(p) == "16x2" {
		return (3*p.N() + 1) / 2
	}
	return p.N()
}
