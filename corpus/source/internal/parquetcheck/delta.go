package parquetcheck

import (
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// checkDelta checks values that are stored as differences to the one before. Numbers and lengths must not be
// more than the page has. A text of DELTA_BYTE_ARRAY begins with a part of the one before it, so
// that few bytes can stand for many.
func (p *page) checkDelta(b []byte) error {
	sum, err := p.deltaSum(b)
	if err != nil || format.Encoding(p.encoding) != format.DeltaByteArray {
		return err
	}
	if sum > freeBytes && sum > maxRatio*p.stored {
		return fmt.Errorf("a page of %d bytes claims to hold %d", p.stored, sum)
	}
	return nil
}

// deltaSum adds up numbers in DELTA_BINARY_PACKED form: a head of block size, small blocks in each, number of
// numbers and the first number; then blocks of the least difference, the bits of each small block, and
// what the differences have beyond the least.
func (p *page) deltaSum(b []byte) (int64, error) {
	var head [3]uint64
	for i := range head {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, errShort
		}
		head[i], b = v, b[n:]
	}
	size, parts, count := head[0], head[1], head[2]
	if count > uint64(p.values) || size == 0 || size > 1<<16 || parts == 0 || size%parts != 0 || size/parts%8 != 0 {
		return 0, fmt.Errorf("a page of %d values has %d in blocks of %d", p.values, count, size)
	}
	last, n := binary.Varint(b)
	if n <= 0 {
		return 0, errShort
	}
	b = b[n:]
	sum := last
	for left := int64(count) - 1; left > 0 && sum < 1<<40; {
		least, n := binary.Varint(b)
		if n <= 0 || len(b)-n < int(parts) {
			return 0, errShort
		}
		widths := b[n : n+int(parts)]
		b = b[n+int(parts):]
		for _, width := range widths {
			if left <= 0 {
				break
			}
			bytes := int(width) * int(size/parts) / 8
			if width > 64 || bytes > len(b) {
				return 0, errShort
			}
			for i := 0; i < int(size/parts) && left > 0; i++ {
				last += least + int64(bitsAt(b, i*int(width), int(width)))
				sum += max(0, last)
				left--
			}
			b = b[bytes:]
		}
	}
	return sum, nil
}

// bitsAt returns the number of so many bits at a bit of b, least significant first.
func bitsAt(b []byte, at, width int) (v uint64) {
	for i := range width {
		v |= uint64(b[(at+i)/8]>>((at+i)%8)&1) << i
	}
	return v
}
