package blob

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/counts"
)

//go:generate go run ../../tools/kernels .

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

// Rows of few among very many topics have gaps of three bytes. What follows reads and writes them eight bytes at
// a time. The bytes are those of Encoder.entry and Decoder.entry, which still handle unusual entries.

// wideTopics is the number of topics above which rows are read and written in this way.
const wideTopics = 1 << 16

// most is the largest number of bytes of a number that is read or written at once: 28 bits.
const most = 4

// putWide writes a number below 2^28 and returns the position after it. b must have at least most bytes from at on.
func putWide(b []byte, at int, x uint32) int {
	n := (bits.Len32(x|1) + 6) / 7
	v := x&0x7f | x<<1&0x7f00 | x<<2&0x7f0000 | x<<3&0x7f000000
	v |= 0x80808080 & (1<<(8*(n-1)) - 1) // bytes that another one follows
	binary.LittleEndian.PutUint32(b[at:], v)
	return at + n
}

// getWide reads a number below 2^28 from eight bytes, and returns how many of them it takes; more than most
// for a larger number.
func getWide(v uint64) (x uint64, n int) {
	n = bits.TrailingZeros64(^v&0x8080808080808080)>>3 + 1
	v &= 1<<(8*n) - 1
	return v&0x7f | v>>1&(0x7f<<7) | v>>2&(0x7f<<14) | v>>3&(0x7f<<21), n
}

// wideRoom returns memory for a row of n entries.
func (e *Encoder) wideRoom(n int) []byte {
	e.row = slices.Grow(e.row[:0], 10*n+8)
	return e.row[:cap(e.row)]
}

// wideEntry writes an entry whose gap and value are below 2^26.
func wideEntry(b []byte, at int, gap, u uint32) int {
	if u <= 3 {
		return putWide(b, at, gap<<2|u)
	}
	return putWide(b, putWide(b, at, gap<<2), u-4)
}

// wideEntries encodes a row of counts, or of changes seen as counts, into e.row.
func (e *Encoder) wideEntries(row []counts.Entry, changes bool) {
	b, at, next := e.wideRoom(len(row)), 0, uint64(0)
	for _, x := range row {
		u := x.Count
		if changes {
			u = zigzag(int32(u))
		}
		if gap := uint64(x.Topic) - next; (gap|uint64(u))>>26 == 0 && x.Topic < e.id.Topics && u != 0 {
			at = wideEntry(b, at, uint32(gap), u)
		} else {
			e.row = b[:at]
			e.entry(x.Topic, u, next)
			b, at = e.row[:cap(e.row)], len(e.row)
		}
		next = uint64(x.Topic) + 1
	}
	e.row = b[:at]
}

// asEntries sees changes as counts, which have the same form.
func asEntries(row []counts.Change) []counts.Entry {
	return unsafe.Slice((*counts.Entry)(unsafe.Pointer(unsafe.SliceData(row))), cap(row))[:len(row)]
}

// wide reads the entry at a position of the current row, as entry does. row is wideRow.
func (d *Decoder) wide(row []byte, at int, next uint64) (topic uint64, u uint32, after int) {
	if at+8 > len(row) {
		return d.entry(at, next)
	}
	x, n := getWide(binary.LittleEndian.Uint64(row[at:]))
	topic, u, after = next+x>>2, uint32(x&3), at+n
	if u == 0 && n <= most {
		u = uint32(row[after]) + 4
		after++
	}
	if n > most || u >= 0x80+4 || topic >= uint64(d.Topics) || after > len(d.row) {
		return d.entry(at, next)
	}
	return topic, u, after
}

// wideRow returns the current row with up to eight bytes after it, so that eight bytes can be read at once.
func (d *Decoder) wideRow() []byte { return d.row[:min(cap(d.row), len(d.row)+8)] }

// wideEntriesOf is Counts for many topics, or Changes seen as counts. The loop handles entries without a separate
// value.
func (d *Decoder) wideEntriesOf(dst []counts.Entry, changes bool) []counts.Entry {
	row, end, next := d.wideRow(), len(d.row), uint64(0)
	for at := 0; at < end; {
		var k uint64
		var u uint32
		after := 0
		if at+8 <= len(row) {
			x, n := getWide(binary.LittleEndian.Uint64(row[at:]))
			if k = next + x>>2; n <= most && x&3 != 0 && k < uint64(d.Topics) && at+n <= end {
				u, after = uint32(x&3), at+n
			}
		}
		if after == 0 {
			if k, u, after = d.wide(row, at, next); after == 0 {
				return dst
			}
		}
		if changes {
			u = uint32(unzigzag(u))
		}
		at, next = after, k+1
		dst = append(dst, counts.Entry{Topic: uint32(k), Count: u})
	}
	return dst
}

// wideChangesOf is Changes for many topics.
func (d *Decoder) wideChangesOf(dst []counts.Change) []counts.Change {
	list := d.wideEntriesOf(asEntries(dst), true)
	return unsafe.Slice((*counts.Change)(unsafe.Pointer(unsafe.SliceData(list))), cap(list))[:len(list)]
}
