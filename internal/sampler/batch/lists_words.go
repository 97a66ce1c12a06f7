package batch

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// listWord is a word whose tokens are drawn.
type listWord struct {
	row        unsafe.Pointer     // its row of n_wk
	bits       *[maskWords]uint32 // which topics it may have
	sums       *float32           // S_g of its groups
	ahead      unsafe.Pointer     // what must be read before: its list, or its row
	aheadBytes int                // of ahead
	log2       uint32             // of a cell's bytes
	keep       uint32             // the bits of a cell
	total      float32            // S_w: the last of sums
	word       uint32
	list       []uint32 // its topics, if its row is to be made of them
}

// A word's row is long and its tokens in a block are few: they would read a count here and a
// count there from memory that is in no cache. Its topics are few as well. So the row is put together from a list of them,
// where that is not too much for so few tokens, in memory that is always in the cache.
const (
	spreadLeast = 32 // topics that are always spread, …
	spreadEach  = 8  // … and topics for each token
)

// wordsOf appends the words of chunk i, if there is one.
func (w *listWorker) wordsOf(dst []listWord, chunks []draw32.Tile, i int) []listWord {
	if i < len(chunks) {
		for _, seg := range w.s.grid.Segments[chunks[i].FirstSeg:chunks[i].LastSeg] {
			dst = append(dst, w.s.round.word(seg.Word, int(seg.End-seg.Begin)))
		}
	}
	return dst
}

// word gathers what draws need of a word that has so many tokens in the block.
func (f *listRound) word(w uint32, tokens int) listWord {
	known := &f.words[w]
	word := listWord{bits: &f.bits[w], sums: &f.sums[int(w)*f.groups], total: known.total, word: w}
	word.row, word.log2, word.keep = f.rows.pointer(known.rowPlace)
	word.ahead, word.aheadBytes = word.row, f.rows.stride<<word.log2
	if n := int(known.length); n > 0 && n <= spreadLeast+spreadEach*tokens {
		word.list = f.lists[known.list:][:n]
		word.ahead, word.aheadBytes = unsafe.Pointer(&word.list[0]), 4*n
	}
	return word
}

// spread puts rows of the chunk's words together.
func (w *listWorker) spread() {
	stride := w.s.rows.stride
	for i := range w.words {
		if word := &w.words[i]; word.list != nil {
			row := w.cells[i*stride : (i+1)*stride]
			for _, e := range word.list {
				row[e&topicOf] = uint16(e >> 16)
			}
			word.row, word.log2, word.keep = unsafe.Pointer(&row[0]), 1, 1<<16-1
		}
	}
}

// gather makes them zeros again.
func (w *listWorker) gather() {
	stride := w.s.rows.stride
	for i, word := range w.words {
		row := w.cells[i*stride : (i+1)*stride]
		for _, e := range word.list {
			row[e&topicOf] = 0
		}
	}
}
