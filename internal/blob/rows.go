package blob

import (
	"encoding/binary"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Counts appends the row of a word in a blob of counts. Words and topics must increase and counts be above 0.
// A row without entries is not written.
func (e *Encoder) Counts(word uint32, row []counts.Entry) {
	e.expect(Counts)
	if e.id.Topics > wideTopics {
		e.wideEntries(row, false)
		e.flush(word, len(row))
		return
	}
	e.row = e.row[:0]
	next := uint64(0)
	for _, x := range row {
		e.entry(x.Topic, x.Count, next)
		next = uint64(x.Topic) + 1
	}
	e.flush(word, len(row))
}

// Changes appends the row of a word in a blob of changes, under the same rules. The loop writes entries of one and
// two bytes, the most frequent ones, without a branch between them (see Decoder.Changes). entry handles all.
func (e *Encoder) Changes(word uint32, row []counts.Change) {
	e.expect(Changes)
	if e.isDense(len(row)) && isSmall(row) {
		e.denseChanges(word, row)
		return
	}
	if e.id.Topics > wideTopics {
		e.wideEntries(asEntries(row), true)
		e.flush(word, len(row))
		return
	}
	b, at, next := e.wideRoom(len(row)), 0, uint32(0)
	for _, x := range row {
		u, gap := zigzag(x.Delta), x.Topic-next
		if u-1 < 3 && gap < 1<<12 && x.Topic < e.id.Topics {
			n := gap<<2 | u
			two := (n>>7 + 0x7f) >> 7 // 1 if there is a second byte
			binary.LittleEndian.PutUint16(b[at:], uint16(n&0x7f|two<<7|n>>7<<8))
			at += 1 + int(two)
		} else {
			e.row = b[:at]
			e.entry(x.Topic, u, uint64(next))
			b, at = e.row[:cap(e.row)], len(e.row)
		}
		next = x.Topic + 1
	}
	e.row = b[:at]
	e.flush(word, len(row))
}

// ChangesByTopic is Changes for a row with a number for every topic, 0 if nothing changed. It writes the same
// bytes. Unless row is nil it also adds the changes to row and to totals.
func (e *Encoder) ChangesByTopic(word uint32, delta, row []int32, totals []uint64) {
	e.expect(Changes)
	delta = delta[:e.id.Topics]
	width := denseBits(e.id.Topics)
	e.row = slices.Grow(e.row[:0], width+len(delta)+denseSlack)
	packed := e.row[:width+len(delta)+denseSlack]
	n, small := packDense(packed[:width], packed[width:], delta)
	if small && e.isDense(n) {
		e.row = packed[:width+n]
		e.flushDense(word, n)
		if row != nil {
			addDense(row[:len(delta)], totals[:len(delta)], e.row[:width], e.row[width:], 1)
		}
		return
	}
	if small {
		e.list = appendPacked(e.list[:0], packed[:width], packed[width:width+n])
	} else {
		e.list = counts.AppendChanges(e.list[:0], delta)
	}
	e.Changes(word, e.list)
	if row != nil {
		for _, x := range e.list {
			row[x.Topic] += x.Delta
			totals[x.Topic] += uint64(int64(x.Delta)) // correct modulo 2^64
		}
	}
}
