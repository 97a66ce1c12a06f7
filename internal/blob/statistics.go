package blob

import (
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"
)

// EncodeStatistics makes a blob of what the estimation of priors needs of the rows of a slice: n_k of its words, and how many of
// their n_wk have each value, by value.
func EncodeStatistics(id ID, totals, counted []uint64) []byte {
	b := make([]byte, 0, 3*len(totals)+2*len(counted))
	for _, n := range totals {
		b = binary.AppendUvarint(b, n)
	}
	for _, n := range counted {
		b = binary.AppendUvarint(b, n)
	}
	return encodeNumbers(id, len(totals)+len(counted), b)
}

// encodeNumbers makes a blob of n numbers, which lie in b, instead of rows.
func encodeNumbers(id ID, n int, b []byte) []byte {
	le := binary.LittleEndian
	out := appendHeader(make([]byte, 0, headerBytes+len(b)+digestBytes), id)
	le.PutUint64(out[40:], uint64(n))
	le.PutUint64(out[48:], uint64(len(b)))
	out = append(out, b...)
	return le.AppendUint64(out, xxh3.Hash(out))
}

// AddStatistics adds what a blob has, which must be the one that is wanted, to totals and to counted, which it returns.
func AddStatistics(totals, counted []uint64, b []byte, want ID) ([]uint64, error) {
	d, err := Open(b, want)
	if err != nil {
		return nil, err
	}
	if d.entries < uint64(len(totals)) || d.entries > uint64(len(d.rest)) { // every number has a byte at least
		return nil, fmt.Errorf("%w: %v: %d numbers in %d bytes, %d topics", ErrDamaged, d.ID, d.entries, len(d.rest), len(totals))
	}
	if more := int(d.entries) - len(totals) - len(counted); more > 0 {
		counted = append(counted, make([]uint64, more)...)
	}
	for i := range int(d.entries) {
		x, n := uvarint(d.rest)
		if n == 0 {
			return nil, fmt.Errorf("%w: %v: number %d is cut short", ErrDamaged, d.ID, i)
		}
		d.rest = d.rest[n:]
		if i < len(totals) {
			totals[i] += x
		} else {
			counted[i-len(totals)] += x
		}
	}
	if len(d.rest) > 0 {
		return nil, fmt.Errorf("%w: %v: there are too many bytes", ErrDamaged, d.ID)
	}
	return counted, nil
}
