package blob

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/counts"
)

// TestJoin cuts rows anywhere, encodes each piece by itself, in room that others have used before, and joins them: the bytes
// are those of one encoder, and rows are where the shifted places say.
func TestJoin(t *testing.T) {
	pieces := make([]Encoder, 4)
	rapid.Check(t, func(t *rapid.T) {
		id := drawID(t, Changes)
		rows := drawChanges(t, id.Topics)
		words := slices.Sorted(maps.Keys(rows))
		dst := rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "before")

		var whole Encoder
		whole.Begin(slices.Clone(dst), id)
		begin := 0
		for i := range pieces {
			end := rapid.IntRange(begin, len(words)).Draw(t, "cut")
			if i == len(pieces)-1 {
				end = len(words)
			}
			f := &pieces[i]
			f.Again(id)
			places := map[uint32]Place{}
			for _, w := range words[begin:end] {
				f.Changes(w, changesOf(rows[w]))
				places[w] = f.Place()
			}
			shift := whole.Join(f)
			for w, p := range places {
				d := At(whole.out[whole.begin:], int(id.Topics), p.Shifted(shift))
				if got := d.Changes(nil); !slices.Equal(got, changesOf(rows[w])) {
					t.Fatalf("word %d is %v, want %v", w, got, changesOf(rows[w]))
				}
			}
			begin = end
		}
		if got, want := whole.Finish(), append(dst, encode(id, rows)...); !bytes.Equal(got, want) {
			t.Fatalf("joined %x, want %x", got, want)
		}
	})
}

// changesOf is a row as Encoder takes it.
func changesOf(row map[uint32]int64) (list []counts.Change) {
	for _, k := range slices.Sorted(maps.Keys(row)) {
		list = append(list, counts.Change{Topic: k, Delta: int32(row[k])})
	}
	return list
}
