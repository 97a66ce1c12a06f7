package blob

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Rows of few among very many topics have gaps of three bytes. This file reads and writes them eight bytes at
// a time. The bytes are those of Encoder.entry and Decoder.entry, which still handle unusual entries.

// wideTopics is the number of topics above which rows are handled by this file.
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

// wideEntriesOf is Counts for many topics, or Changes seen as counts. The loop handles entries without a separate value.
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
