package blob

import (
	"encoding/binary"
	"fmt"
)

// EncodeTotals makes a blob of n_k, all of them below 2^32.
func EncodeTotals(id ID, totals []uint64) []byte {
	b := make([]byte, 4*len(totals))
	for k, n := range totals {
		binary.LittleEndian.PutUint32(b[4*k:], uint32(n))
	}
	return encodeNumbers(id, len(totals), b)
}

// AddTotals adds n_k of a blob, which must be the one that is wanted, to totals.
func AddTotals(totals []uint64, b []byte, want ID) error {
	d, err := Open(b, want)
	if err != nil {
		return err
	}
	if len(d.rest) != 4*len(totals) {
		return fmt.Errorf("%w: %v: %d bytes for %d topics", ErrDamaged, d.ID, len(d.rest), len(totals))
	}
	for k := range totals {
		totals[k] += uint64(binary.LittleEndian.Uint32(d.rest[4*k:]))
	}
	return nil
}
