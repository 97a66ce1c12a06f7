package blob

import (
	"encoding/binary"
	"math/bits"
)

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
