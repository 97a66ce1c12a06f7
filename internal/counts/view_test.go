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

// The sum of two rows has the topics of both in order, each once.
func TestSumsOfRows(t *testing.T) {
	row := func(pairs ...uint32) (list []Entry) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, Entry{Topic: pairs[i], Count: pairs[i+1]})
		}
		return list
	}
	for _, c := range []struct{ a, b, want []Entry }{
		{nil, nil, nil},
		{row(1, 5), nil, row(1, 5)},
		{nil, row(1, 5), row(1, 5)},
		{row(1, 5, 3, 2), row(1, 4, 2, 7), row(1, 9, 2, 7, 3, 2)},
		{row(4, 1), row(0, 2, 9, 3), row(0, 2, 4, 1, 9, 3)},
		{row(0, 2, 9, 3), row(4, 1), row(0, 2, 4, 1, 9, 3)},
	} {
		if got := AppendSum(row(8, 8), c.a, c.b); !slices.Equal(got, append(row(8, 8), c.want...)) {
			t.Errorf("%v and %v add up to %v, want %v", c.a, c.b, got[1:], c.want)
		}
	}
}
