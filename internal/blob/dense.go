package blob

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
)

// A row of many small changes is written as a bit for every topic, eight to a byte from the lowest on, and a
// signed byte for every bit that is set. Neither writing nor reading branches on an entry, and vector code
// handles sixteen at a time.

// isDense reports whether a row of n changes is long enough to be dense.
func (e *Encoder) isDense(n int) bool { return uint64(n)*denseShare >= uint64(e.id.Topics) }

// isSmall reports whether all changes are small enough for a dense row.
func isSmall(row []counts.Change) bool {
	for _, x := range row {
		if x.Delta < -denseMost || x.Delta > denseMost {
			return false
		}
	}
	return true
}

// denseChanges writes a dense row.
func (e *Encoder) denseChanges(word uint32, row []counts.Change) {
	width := denseBits(e.id.Topics)
	e.row = append(e.row[:0], make([]byte, width)...)
	next := uint64(0)
	for _, x := range row {
		e.check(x.Topic, zigzag(x.Delta), next)
		e.row[x.Topic/8] |= 1 << (x.Topic % 8)
		e.row = append(e.row, byte(x.Delta))
		next = uint64(x.Topic) + 1
	}
	e.flushDense(word, len(row))
}

// flushDense ends a dense row. A length of 0, which no other row has, marks it.
func (e *Encoder) flushDense(word uint32, n int) {
	e.begun(word, n)
	e.out = append(e.out, 0)
	e.end(true)
}

// openDense checks the current row, which is dense.
func (d *Decoder) openDense() bool {
	width := denseBits(d.Topics)
	if d.Kind != Changes || len(d.row) < width {
		return false
	}
	n := setBits(d.row[:width])
	if last := d.Topics % 8; last > 0 && d.row[width-1]>>last != 0 {
		return false // a topic beyond K-1
	}
	return n > 0 && n == len(d.row)-width && bytes.IndexByte(d.row[width:], 0) < 0
}

// appendDense is Changes for a dense row.
func (d *Decoder) appendDense(dst []counts.Change) []counts.Change {
	width := denseBits(d.Topics)
	return appendPacked(dst, d.row[:width], d.row[width:])
}

// appendPacked appends the changes of a dense row. It reads the bits eight bytes at a time, because most
// bytes are zero if a word has few changes among many topics.
func appendPacked(dst []counts.Change, set, values []byte) []counts.Change {
	n := len(dst)
	dst = slices.Grow(dst, len(values))[:n+len(values)]
	first := uint32(0) // topic of the lowest bit
	at := n
	for ; len(set) > 0; first += 64 {
		var b uint64
		if len(set) >= 8 {
			b, set = binary.LittleEndian.Uint64(set), set[8:]
		} else {
			for i, x := range set {
				b |= uint64(x) << (8 * i)
			}
			set = nil
		}
		for ; b != 0; b &= b - 1 {
			dst[at] = counts.Change{Topic: first + uint32(bits.TrailingZeros64(b)), Delta: int32(int8(values[at-n]))}
			at++
		}
	}
	return dst[:at]
}

const (
	denseShare = 8 // rows of at least K / denseShare changes are dense
	denseMost  = 1<<7 - 1
	denseSlack = 16 // bytes that vector code may write after the values
)

// denseBits returns the number of bytes with a bit for every topic.
func denseBits(topics uint32) int { return int((uint64(topics) + 7) / 8) }

// setBits counts the bits that are set.
func setBits(set []byte) (n int) {
	for ; len(set) >= 8; set = set[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(set))
	}
	for _, b := range set {
		n += bits.OnesCount8(b)
	}
	return n
}

// packDenseGo sets a bit for every number in delta that is not zero, and writes the numbers to values. It
// returns how many there are, and whether all fit a byte.
func packDenseGo(set, values []byte, delta []int32) (n int, small bool) {
	clear(set)
	most := int32(0)
	for k, d := range delta {
		values[n] = byte(d)
		if d != 0 {
			set[k/8] |= 1 << (k % 8)
			n++
		}
		most = max(most, d, -d)
		if d == -1<<31 {
			most = 1<<31 - 1
		}
	}
	return n, most <= denseMost
}

// addDenseGo adds sign times the values of a dense row to row and, unless it is nil, to totals.
func addDenseGo(row []int32, totals []uint64, set, values []byte, sign int32) {
	at := 0
	for i, b := range set {
		for ; b != 0; b &= b - 1 {
			k := 8*i + bits.TrailingZeros8(b)
			n := sign * int32(int8(values[at]))
			at++
			row[k] += n
			if totals != nil {
				totals[k] += uint64(int64(n)) // correct modulo 2^64
			}
		}
	}
}
