package warp

import (
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
)

// sortedOn is groups of words that are not hot, whose topics a block of threads sorts in shared memory (see
// warp_sorted.h). The work for a token in them does not depend on K.
type sortedOn struct {
	groups warpList // the first word of each, and one after the last
	room   int      // most tokens of a group
	words  int      // most words of a group
}

// sortedMost returns the most tokens of a word whose topics fit the shared memory of a block of threads.
func sortedMost(shared int) int { return (shared - sortedBytes(0, 1)) / 4 }

// sortedBytes returns the shared memory that the kernel needs for a group.
func sortedBytes(tokens, words int) int { return 4 * (2 + tokens + words + 1 + 3*words) }

// placeSorted divides words that are not hot into groups, and copies these to the device: those of several words, and
// words with more tokens than such a group may have.
func (s *warpIndex[T]) placeSorted(words []uint32) [2]sortedOn {
	most := min(s.limits.sorted, (s.limits.shared-sortedBytes(0, layout.WarpSortedGroupWords))/4)
	var several, alone []uint32
	room := 0
	for _, w := range words {
		begin, end := s.firstToken[w], s.firstToken[w+1]
		if n := int(end - begin); n > most {
			alone = append(alone, w, w+1)
			room = max(room, n)
			continue
		}
		if last := len(several) - 2; last >= 0 {
			first, after := several[last], several[last+1]
			follows := s.firstToken[after] == begin // no hot word is between them
			if follows && int(end-s.firstToken[first]) <= most && w-first < layout.WarpSortedGroupWords {
				several[last+1] = w + 1
				continue
			}
		}
		several = append(several, w, w+1)
	}
	return [2]sortedOn{
		{newWarpList(s.arena, alone, 2), room, 1},
		{newWarpList(s.arena, several, 2), max(0, most), layout.WarpSortedGroupWords},
	}
}

// shape returns the shape of a launch for the groups: eight tokens a thread, and 2,048 threads at most on a processor.
func (g sortedOn) shape(d *device.Device) device.Shape {
	threads := min(1024, max(32, g.room/8&^31))
	return device.Shape{
		Threads: threads, Shared: sortedBytes(g.room, g.words), Blocks: min(g.groups.n, 2048/threads*d.Processors()),
	}
}
