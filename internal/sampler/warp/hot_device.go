package warp

import (
	"github.com/topoi-lda/topoi/internal/device"
)

// warpHot holds the hot words of a device: those that several blocks of threads count and walk, by rows of running
// sums. There are rows for as many words at once as limits.rows allows.
type warpHot struct {
	rows   *device.Buffer[uint32] // words of a batch × (K+1)
	all    warpList               // parts of all words, three numbers each: row, first token, one after the last
	turns  []hotBatch
	topics int
}

// hotBatch is hot words whose rows are there at once.
type hotBatch struct {
	words       int
	first, last int // parts
}

// placeHot copies the parts of hot words to the device. Their rows are numbered from 0; in each batch they begin anew.
func (s *warpIndex[T]) placeHot(words int, parts []uint32) warpHot {
	each := words
	if s.p.Pseudo == nil { // pseudo-counts are added to all rows at once
		each = min(words, max(1, s.limits.rows/(s.p.K+1)))
	}
	h := warpHot{topics: s.p.K, rows: device.Alloc[uint32](s.arena, each*(s.p.K+1))}
	for i := 0; i < len(parts); i += 3 {
		batch := int(parts[i]) / each
		if batch == len(h.turns) {
			h.turns = append(h.turns, hotBatch{words: min(each, words-batch*each), first: i / 3})
		}
		h.turns[batch].last = i/3 + 1
		parts[i] %= uint32(each)
	}
	h.all = newWarpList(s.arena, parts, 3)
	return h
}

// each calls use for every batch, with the number of its words, their parts, and memory for their rows.
func (h *warpHot) each(use func(words int, parts warpList, rows *device.Buffer[uint32]) error) error {
	for _, b := range h.turns {
		parts := warpList{h.all.items.View(3*b.first, 3*b.last), b.last - b.first}
		if err := use(b.words, parts, h.rows.View(0, b.words*(h.topics+1))); err != nil {
			return err
		}
	}
	return nil
}

// sumsShape returns the shape of a launch that makes running sums of rows.
func sumsShape(rows int) device.Shape {
	return device.Shape{Blocks: rows, Threads: 1024, Shared: 4 * warpCarries}
}
