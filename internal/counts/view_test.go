package counts

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// Bytes and entries are two views of the same memory, for any number of entries.
func TestViewsOfEntries(t *testing.T) {
	for n := range 4 {
		var entries []Entry
		var b []byte
		for i := range n {
			entries = append(entries, Entry{Topic: uint32(i), Count: uint32(10 + i)})
			b = binary.LittleEndian.AppendUint32(b, uint32(i))
			b = binary.LittleEndian.AppendUint32(b, uint32(10+i))
		}
		if got := ViewEntries(b); !slices.Equal(got, entries) {
			t.Errorf("%d entries are seen as %v", n, got)
		}
		if got := BytesOf(entries); !bytes.Equal(got, b) {
			t.Errorf("%d entries have the bytes %v", n, got)
		}
	}
}
