package blob

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// tokenWidth is how many bytes the topic of a token takes.
func tokenWidth(topics uint32) int {
	switch {
	case topics <= 1<<16:
		return 2
	case topics <= 1<<24:
		return 3
	}
	return 4
}

// Tokens appends the row of a word in a blob of tokens: their topics. Words must increase; a row without tokens leaves
// no trace.
func (e *Encoder) Tokens(word uint32, z []uint32) {
	e.expect(Tokens)
	if len(z) == 0 {
		return
	}
	width := tokenWidth(e.id.Topics)
	e.begun(word, len(z))
	e.out = binary.AppendUvarint(e.out, uint64(len(z)*width))
	at := len(e.out)
	e.out = slices.Grow(e.out, len(z)*width+4) // four bytes are written at a time
	b, highest := e.out[:cap(e.out)], uint32(0)
	for _, k := range z {
		binary.LittleEndian.PutUint32(b[at:], k)
		highest = max(highest, k)
		at += width
	}
	if highest >= e.id.Topics {
		panic(fmt.Sprintf("blob: topic %d of %d", highest, e.id.Topics))
	}
	e.out = b[:at]
}

// Tokens appends the topics of the current row of a blob of tokens to dst. If the row is damaged it
// appends none; see Err.
func (d *Decoder) Tokens(dst []uint32) []uint32 {
	width := tokenWidth(d.ID.Topics)
	if d.bits || len(d.row)%width != 0 {
		d.fail("a row of tokens is cut short")
		return dst
	}
	n, before := len(d.row)/width, len(dst)
	dst = slices.Grow(dst, n)[:before+n]
	row, mask := d.wideRow(), uint32(1<<(8*width)-1)
	highest, whole := uint32(0), min(n, (len(row)-4)/width+1)
	for i := range whole {
		k := binary.LittleEndian.Uint32(row[i*width:]) & mask
		dst[before+i] = k
		highest = max(highest, k)
	}
	for i := whole; i < n; i++ { // where less than four bytes follow
		var last [4]byte
		copy(last[:], row[i*width:])
		k := binary.LittleEndian.Uint32(last[:]) & mask
		dst[before+i] = k
		highest = max(highest, k)
	}
	if highest >= d.ID.Topics {
		d.fail("a topic is too large")
		return dst[:before]
	}
	return dst
}
