package blob

import (
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Open checks that b is an undamaged blob and has the ID want.
func Open(b []byte, want ID) (Decoder, error) {
	h, err := parse(b)
	if err != nil {
		return Decoder{}, err
	}
	if h.ID != want {
		return Decoder{}, fmt.Errorf("%w: it holds %v, where %v was expected", ErrIdentity, h.ID, want)
	}
	return Decoder{header: h, rest: b[headerBytes : len(b)-digestBytes]}, nil
}

// NumRows returns the number of rows in the blob.
func (d *Decoder) NumRows() int { return int(d.rows) }

// Next advances to the next row, and reports whether there is one.
func (d *Decoder) Next() bool {
	if len(d.rest) == 0 || d.err != nil {
		return false
	}
	gap, n := uvarint(d.rest)
	length, m := uvarint(d.rest[n:])
	d.bits = length == 0
	if d.bits && n > 0 && m > 0 {
		n += m
		length, m = uvarint(d.rest[n:])
	}
	if n == 0 || m == 0 || length == 0 || length > uint64(len(d.rest)-n-m) || gap >= mostWords-d.next {
		d.fail("a row does not fit")
		return false
	}
	d.word = d.next + gap
	d.next = d.word + 1
	d.row, d.rest = d.rest[n+m:][:length], d.rest[n+m:][length:]
	if d.bits && !d.openDense() {
		d.fail("a dense row has other bits than values")
		return false
	}
	return true
}

// Word returns the word of the current row.
func (d *Decoder) Word() uint32 { return uint32(d.word) }

// Counts appends the entries of the current row of a blob of counts to dst. If the row is damaged it appends
// what comes before the damage; see Err.
//
// The loop handles the usual entries: a gap of one or two bytes and a value that is in it or in one more
// byte. entry handles all.
func (d *Decoder) Counts(dst []counts.Entry) []counts.Entry {
	if d.Topics > wideTopics {
		return d.wideEntriesOf(dst, false)
	}
	row, topics := d.row, uint64(d.Topics)
	next := uint64(0)
	for at := 0; at < len(row); {
		x := uint64(row[at])
		after := at + 1
		if x >= 0x80 && after < len(row) {
			x = x&0x7f | uint64(row[after])<<7 // above the limit below if the number continues
			after++
		}
		k, u := next+x>>2, uint32(x&3)
		if u == 0 && after < len(row) {
			u = uint32(row[after]) + 4
			x |= uint64(row[after]) << 7 & (1 << 14) // if the value continues
			after++
		}
		if x >= 1<<14 || u == 0 || k >= topics || after == at+1 && x >= 0x80 {
			if k, u, after = d.entry(at, next); after == 0 {
				return dst
			}
		}
		at, next = after, k+1
		dst = append(dst, counts.Entry{Topic: uint32(k), Count: u})
	}
	return dst
}

// Changes is Counts for a blob of changes. A processor cannot predict whether a gap has one byte or two, so
// the loop does not branch on it: it reads two bytes and uses what it needs. entry handles longer ones.
func (d *Decoder) Changes(dst []counts.Change) []counts.Change {
	if d.bits {
		return d.appendDense(dst)
	}
	if d.Topics > wideTopics {
		return d.wideChangesOf(dst)
	}
	row, end, next := d.wideRow(), len(d.row), uint64(0)
	n := len(dst)
	dst = slices.Grow(dst, end)[:n+end]
	for at := 0; at < end; n++ {
		k, u, after := short(row, at, next)
		if u == 0 || k >= uint64(d.Topics) || after > end {
			if k, u, after = d.entry(at, next); after == 0 {
				return dst[:n]
			}
		}
		at, next = after, k+1
		dst[n] = counts.Change{Topic: uint32(k), Delta: unzigzag(u)}
	}
	return dst[:n]
}

// short reads an entry of one or two bytes, as entry does. u is 0 if the entry is longer or fewer than two
// bytes are left.
func short(row []byte, at int, next uint64) (topic uint64, u uint32, after int) {
	if at+1 >= len(row) {
		return 0, 0, 0
	}
	x, y := uint32(row[at]), uint32(row[at+1])
	two := x >> 7 // 1 if the number has a second byte
	y &= -two
	x = x&0x7f | y<<7
	return next + uint64(x>>2), x & 3 & (y>>7 - 1), at + 1 + int(two)
}

// AddTo adds sign times the current row of a blob of changes to row and, unless it is nil, to totals. Both
// have K numbers. If the row is damaged it adds what comes before the damage; see Err.
func (d *Decoder) AddTo(row []int32, totals []uint64, sign int32) {
	row = row[:d.Topics]
	if totals != nil {
		totals = totals[:d.Topics]
	}
	if d.bits {
		width := denseBits(d.Topics)
		addDense(row, totals, d.row[:width], d.row[width:], sign)
		return
	}
	entries, end, next := d.wideRow(), len(d.row), uint64(0)
	for at := 0; at < end; {
		k, u, after := short(entries, at, next)
		if u == 0 || k >= uint64(len(row)) || after > end {
			if k, u, after = d.entry(at, next); after == 0 {
				return
			}
		}
		n := sign * unzigzag(u)
		row[k] += n
		if totals != nil {
			totals[k] += uint64(int64(n)) // correct modulo 2^64
		}
		at, next = after, k+1
	}
}

// entry reads the entry at the given place of the current row, whose topic is at
// least next, and returns the place after it, or 0 if it is damaged.
func (d *Decoder) entry(at int, next uint64) (topic uint64, u uint32, after int) {
	x, n := uvarint(d.row[at:])
	if n == 0 {
		return 0, 0, d.fail("an entry is cut short")
	}
	at += n
	u = uint32(x & 3)
	if u == 0 {
		y, n := uvarint(d.row[at:])
		if n == 0 || y > math.MaxUint32-4 {
			return 0, 0, d.fail("a count is cut short or too large")
		}
		u = uint32(y) + 4
		at += n
	}
	k := next + x>>2
	if k >= uint64(d.Topics) {
		return 0, 0, d.fail("a topic is too large")
	}
	return k, u, at
}
