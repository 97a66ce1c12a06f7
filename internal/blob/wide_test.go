package blob

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
)

// TestWideRows compares rows of very many topics with what entry writes of them, and reads them again.
func TestWideRows(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	id := ID{Kind: Changes, Topics: 1 << 31}
	for range 500 {
		var row []counts.Change
		topic := uint64(0)
		for range random.IntN(40) {
			topic += uint64(random.Uint32() >> random.IntN(32))
			if topic >= uint64(id.Topics) {
				break
			}
			row = append(row, counts.Change{Topic: uint32(topic), Delta: int32(random.Uint32()>>random.IntN(32)>>1) + 1})
			topic++
		}
		var e, plain Encoder
		e.Begin(nil, id)
		e.wideEntries(asEntries(row), true)
		plain.Begin(nil, id)
		next := uint64(0)
		for _, x := range row {
			plain.entry(x.Topic, zigzag(x.Delta), next)
			next = uint64(x.Topic) + 1
		}
		if !bytes.Equal(e.row, plain.row) {
			t.Fatalf("%v: % x instead of % x", row, e.row, plain.row)
		}
		d := Decoder{row: e.row}
		d.Topics = id.Topics
		if got := d.Changes(nil); !slices.Equal(got, row) || d.Err() != nil {
			t.Fatalf("%v read as %v, %v", row, got, d.Err())
		}
	}
}

// TestWideDamage cuts a row of very many topics everywhere.
func TestWideDamage(t *testing.T) {
	var e Encoder
	e.Begin(nil, ID{Kind: Counts, Topics: 1 << 20})
	e.wideEntries([]counts.Entry{{Topic: 5, Count: 900}, {Topic: 70_000, Count: 1}, {Topic: 900_000, Count: 3_000_000}}, false)
	for n := range e.row {
		d := Decoder{row: e.row[:n]}
		d.Topics = 1 << 20
		if row := d.Counts(nil); len(row) == 3 {
			t.Errorf("%d of %d bytes are read as %v", n, len(e.row), row)
		}
	}
	d := Decoder{row: e.row}
	if d.Topics = 70_001; len(d.Counts(nil)) != 2 || d.Err() == nil {
		t.Error("a topic that is too large is read")
	}
}
