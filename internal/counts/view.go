package counts

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// ViewEntries sees pairs of little-endian uint32 as the entries of rows.
func ViewEntries(b []byte) []Entry {
	x := mapfile.View[uint32](b)
	if len(x) < 2 {
		return nil
	}
	return unsafe.Slice((*Entry)(unsafe.Pointer(&x[0])), len(x)/2)
}

// BytesOf is the inverse of ViewEntries.
func BytesOf(entries []Entry) []byte {
	if len(entries) == 0 {
		return nil
	}
	return mapfile.Bytes(unsafe.Slice((*uint32)(unsafe.Pointer(&entries[0])), 2*len(entries)))
}
