package blob

import (
	"encoding/binary"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// Body is the rows of a blob that were encoded elsewhere: on a device.
type Body struct {
	Rows    uint32
	Entries uint64
	Bytes   []byte // the rows
}

// Encode returns the blob of these rows: what an Encoder would have returned.
func (b Body) Encode(id ID) []byte {
	le := binary.LittleEndian
	out := appendHeader(make([]byte, 0, headerBytes+len(b.Bytes)+digestBytes), id)
	le.PutUint32(out[32:], b.Rows)
	le.PutUint64(out[40:], b.Entries)
	le.PutUint64(out[48:], uint64(len(b.Bytes)))
	out = append(out, b.Bytes...)
	return le.AppendUint64(out, xxh3.Hash(out))
}

// Decoder reads the rows of a body, which belong to id. Whoever did not write them asks for a blob and opens it.
func (b Body) Decoder(id ID) Decoder {
	return Decoder{header: header{ID: id, rows: b.Rows, entries: b.Entries, length: uint64(len(b.Bytes))}, rest: b.Bytes}
}

// Unread returns the rows that have not been read, as they are in the blob.
func (d *Decoder) Unread() []byte { return d.rest }

// Entries returns where the entries of the current row are, counted from the first row of the blob, and whether they
// are bits and bytes.
func (d *Decoder) Entries() (begin, end int, dense bool) {
	p := d.Place()
	return p.begin - headerBytes, p.end - headerBytes, p.dense
}

// HeadBytes is how many bytes stand before the entries of a row: the words skipped before it, and their length.
func HeadBytes(gap, length uint32, dense bool) int {
	n := uvarintBytes(gap) + uvarintBytes(length)
	if dense {
		n++
	}
	return n
}

// uvarintBytes is how many bytes a number takes.
func uvarintBytes(x uint32) int { return (bits.Len32(x|1) + 6) / 7 }

// MostBytes bounds the entries of a row of at most so many of them in bytes, if the counts, or the changes without their
// signs, add up to no more than sum, and topics are below 65,536.
func MostBytes(entries, sum int) int {
	// A gap takes three bytes, a value one, and one more for every 66 that it is further from zero, four at most.
	return 4*entries + min(4*entries, sum/64+1)
}
