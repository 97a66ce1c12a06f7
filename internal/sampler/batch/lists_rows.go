package batch

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// narrowRows is n_wk with cells as narrow as each word allows. A word that occurs n_w times
// has no larger count, and most words of a vocabulary are rare: of them a row takes a
// quarter of the memory and of the cache. Widths never change a result.
type narrowRows struct {
	stride int        // cells of a row: K rounded up to whole groups of 32
	place  []rowPlace // V
	bytes  []uint8    // rows of words that occur at most 255 times, …
	halves []uint16   // … at most 65,535 times …
	words  []uint32   // … and more often
}

// rowPlace says where the row of a word is.
type rowPlace struct {
	log2 uint32 // of a cell's bytes: 0, 1 or 2
	row  uint32 // which row of bytes, halves or words
}

// beyond is how many cells lie behind the last row, so that whole registers can be read there.
const beyond = 64

// newNarrowRows makes rows of zeros for words of which so many can be counted.
func newNarrowRows(most []uint64, k int) *narrowRows {
	r := &narrowRows{stride: draw32.PaddedTopics(k), place: make([]rowPlace, len(most))}
	var rows [3]uint32
	for w, n := range most {
		log2 := uint32(0)
		switch {
		case n > 1<<16-1:
			log2 = 2
		case n > 1<<8-1:
			log2 = 1
		}
		r.place[w] = rowPlace{log2, rows[log2]}
		rows[log2]++
	}
	r.bytes = make([]uint8, int(rows[0])*r.stride+beyond)
	r.halves = make([]uint16, int(rows[1])*r.stride+beyond)
	r.words = make([]uint32, int(rows[2])*r.stride+beyond)
	alloc.HugePages(r.bytes)
	alloc.HugePages(r.halves)
	alloc.HugePages(r.words)
	return r
}

// at returns n_wk.
func (r *narrowRows) at(w uint32, k uint32) uint32 {
	p := r.place[w]
	i := int(p.row)*r.stride + int(k)
	switch p.log2 {
	case 0:
		return uint32(r.bytes[i])
	case 1:
		return uint32(r.halves[i])
	}
	return r.words[i]
}

// pointer returns where a row is, log2 of a cell's bytes and the bits of a cell.
func (r *narrowRows) pointer(p rowPlace) (row unsafe.Pointer, log2, bits uint32) {
	at := int(p.row) * r.stride
	switch p.log2 {
	case 0:
		return unsafe.Pointer(&r.bytes[at]), 0, 1<<8 - 1
	case 1:
		return unsafe.Pointer(&r.halves[at]), 1, 1<<16 - 1
	}
	return unsafe.Pointer(&r.words[at]), 2, 1<<32 - 1
}

// rowOf is the row at a place of one width.
func rowOf[C uint8 | uint16 | uint32](cells []C, p rowPlace, stride int) []C {
	return cells[int(p.row)*stride : (int(p.row)+1)*stride]
}

// clear makes the row of a word zeros.
func (r *narrowRows) clear(w int) {
	switch p := r.place[w]; p.log2 {
	case 0:
		clear(rowOf(r.bytes, p, r.stride))
	case 1:
		clear(rowOf(r.halves, p, r.stride))
	default:
		clear(rowOf(r.words, p, r.stride))
	}
}

// add counts topics of the word's tokens, and in deltas.
func (r *narrowRows) add(w uint32, topics []uint16, deltas []int64) {
	switch p := r.place[w]; p.log2 {
	case 0:
		addTopics(rowOf(r.bytes, p, r.stride), topics, deltas)
	case 1:
		addTopics(rowOf(r.halves, p, r.stride), topics, deltas)
	default:
		addTopics(rowOf(r.words, p, r.stride), topics, deltas)
	}
}

func addTopics[C uint8 | uint16 | uint32](row []C, topics []uint16, deltas []int64) {
	for _, k := range topics {
		row[k]++
		deltas[k]++
	}
}

// move moves the word's tokens from old topics to new ones, and in deltas.
func (r *narrowRows) move(w uint32, old, topics []uint16, deltas []int64) {
	switch p := r.place[w]; p.log2 {
	case 0:
		moveTopics(rowOf(r.bytes, p, r.stride), old, topics, deltas)
	case 1:
		moveTopics(rowOf(r.halves, p, r.stride), old, topics, deltas)
	default:
		moveTopics(rowOf(r.words, p, r.stride), old, topics, deltas)
	}
}

// moveTopics may pass the largest count of a narrow cell on the way, and comes back by the same steps.
func moveTopics[C uint8 | uint16 | uint32](row []C, old, topics []uint16, deltas []int64) {
	old = old[:len(topics)]
	for i, k := range topics {
		if o := old[i]; o != k {
			row[o]--
			row[k]++
			deltas[o]--
			deltas[k]++
		}
	}
}

// set makes the row of a word these counts.
func (r *narrowRows) set(w int, row []counts.Entry) {
	r.clear(w)
	p := r.place[w]
	base := int(p.row) * r.stride
	for _, e := range row {
		switch i := base + int(e.Topic); p.log2 {
		case 0:
			r.bytes[i] = uint8(e.Count)
		case 1:
			r.halves[i] = uint16(e.Count)
		default:
			r.words[i] = e.Count
		}
	}
}

// append appends the counts of a word that are not 0.
func (r *narrowRows) append(dst []counts.Entry, w int) []counts.Entry {
	switch p := r.place[w]; p.log2 {
	case 0:
		return appendCounts(dst, rowOf(r.bytes, p, r.stride))
	case 1:
		return appendCounts(dst, rowOf(r.halves, p, r.stride))
	default:
		return appendCounts(dst, rowOf(r.words, p, r.stride))
	}
}

func appendCounts[C uint8 | uint16 | uint32](dst []counts.Entry, row []C) []counts.Entry {
	for k, n := range row {
		if n > 0 {
			dst = append(dst, counts.Entry{Topic: uint32(k), Count: uint32(n)})
		}
	}
	return dst
}
