package topics

import (
	"bytes"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Bytes do not depend on how wide topics are in memory, nor on how many goroutines make them narrower.
func TestEachChunk(t *testing.T) {
	const k = 1000
	for _, n := range []int{0, 1, 1 << 17, 1<<17 + 1, chunk, 2*chunk + 12345} {
		wide, narrow := make([]uint32, n), make([]uint16, n)
		for i := range wide {
			wide[i] = uint32(i*i) % k
			narrow[i] = uint16(wide[i])
		}
		for name, list := range map[string]List{"wide": {Wide: wide}, "narrow": {Narrow: narrow}} {
			var got []byte
			if err := list.EachChunk(k, func(b []byte) error { got = append(got, b...); return nil }); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, mapfile.Bytes(narrow)) {
				t.Errorf("%d %s topics have other bytes", n, name)
			}
			if z, err := Decode(slices.Concat(make([]byte, 0, 8), got), n, k); err != nil || !slices.Equal(z, wide) {
				t.Errorf("%d %s topics do not come back: %v", n, name, err)
			}
		}
	}
}
